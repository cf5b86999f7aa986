"""Drives Neo4j Browser in headless Chromium: runs a query, waits until its picture stands still, photographs it.

with Neo4jBrowser.open("http://127.0.0.1:7474", "bolt://127.0.0.1:7687") as browser:
    browser.style(grass_text)
    picture = browser.run("MATCH p=(:Goal)<--() RETURN p", Path("artefacts/goals.png"))
    assert "Move to Lisbon" in picture.node_captions
"""

from __future__ import annotations

import shutil
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import quote, urlencode

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)
_ONLY_LOOPBACK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
_FRAME = "[data-testid=frame]"
_SECONDS = 60.0

# Gives the editor a text as a paste does: typing would let it close brackets and quotes by itself.
_PASTE = """
const area = document.querySelector('[data-testid=activeEditor] textarea');
area.focus();
const data = new DataTransfer();
data.setData('text/plain', arguments[0]);
area.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
"""
_TEXTS = """
return Array.from(arguments[0].querySelectorAll(arguments[1]), group =>
  Array.from(group.querySelectorAll('text'), line => line.textContent.trim()).filter(line => line));
"""
_DRAWN = "return Array.from(arguments[0].querySelectorAll('g.node'), node => node.getAttribute('transform') + node.textContent).join()"


def chromium_missing() -> str | None:
    """Why no browser test can run here, or None."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(missing)} not on PATH (`.ci/browser.sh` installs them)" if missing else None


@dataclass(frozen=True, slots=True)
class Picture:
    """What one frame of Neo4j Browser shows; captions as drawn, so a long name ends where its circle ends (often with `…`)."""

    path: Path
    node_captions: tuple[str, ...]
    relationship_captions: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]  # header row first; empty when the frame shows a graph
    error: str | None

    def shows(self, name: str) -> bool:
        """Whether a node is captioned with `name`, or with so much of it as fits into a circle (6 letters at least)."""
        wanted = _squeezed(name)
        drawn = [_squeezed(caption) for caption in self.node_captions]
        return any(wanted == caption or (len(caption) >= 6 and wanted.startswith(caption)) for caption in drawn)


def _squeezed(text: str) -> str:
    """Lines of a caption are broken anywhere, so blanks do not count."""
    return "".join(unicodedata.normalize("NFC", text).replace("…", "").split())


class Neo4jBrowser:
    """One Chromium window on Neo4j Browser, connected to a server without a password."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self._driver = driver

    @classmethod
    def open(cls, http_url: str, bolt_url: str, *, width: int = 1400, height: int = 1000) -> Self:
        """Starts Chromium and waits until Neo4j Browser is connected."""
        browser = cls(_chromium(width, height))
        try:
            browser.visit(browser_url(http_url, bolt_url))
        except BaseException:
            browser.close()
            raise
        return browser

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._driver.quit()

    def visit(self, url: str) -> None:
        """Opens a URL such as `graphmem browse` prints; its query stands in the editor afterwards."""
        self._driver.get(url)
        self._wait(lambda: "working connection" in self._driver.find_element("tag name", "body").text, "a connection")

    def edited(self) -> str:
        """The text that stands in the editor, such as the query of a visited URL."""
        lines = self._driver.find_elements("css selector", "[data-testid=activeEditor] .view-line")
        return "\n".join(line.text.replace("\xa0", " ") for line in lines)

    def style(self, grass: str) -> None:
        """Lets Neo4j Browser read a .grass style, and fails when it cannot."""
        with self._new_frame(":style " + " ".join(grass.split())) as frame:
            self._wait(lambda: frame.text, "an answer to :style")
            assert "ERROR" not in frame.text, frame.text

    def run(self, query: str, path: Path) -> Picture:
        """Runs a query that is pasted into the editor, and photographs its frame in full screen."""
        with self._new_frame(query) as frame:
            return self._photograph(frame, path)

    def run_edited(self, path: Path) -> Picture:
        """Runs what stands in the editor after `visit`."""
        with self._new_frame(None) as frame:
            return self._photograph(frame, path)

    @contextmanager
    def _new_frame(self, text: str | None) -> Iterator[WebElement]:
        """Frames are closed afterwards, so that the next is the only one of its kind and memory stays small."""
        self._close_frames()
        if text is not None:
            self._driver.execute_script(_PASTE, text)
        self._wait(lambda: self._button("[data-testid=editor-Run]").is_enabled(), "the run button")
        self._button("[data-testid=editor-Run]").click()
        self._wait(lambda: self._driver.find_elements("css selector", _FRAME), "the frame")
        yield self._driver.find_element("css selector", _FRAME)
        self._close_frames()

    def _close_frames(self) -> None:
        def closed() -> bool:
            for button in self._driver.find_elements("css selector", f"{_FRAME} button[title=Close], {_FRAME} button[aria-label=Close]"):
                self._driver.execute_script("arguments[0].click()", button)
            return not self._driver.find_elements("css selector", _FRAME)

        self._wait(closed, "an empty stream")

    def _photograph(self, frame: WebElement, path: Path) -> Picture:
        self._wait(lambda: _is_answered(frame), "the answer")
        fullscreen = frame.find_elements("css selector", "button[title=Fullscreen], button[aria-label=Fullscreen]")
        if fullscreen:
            self._driver.execute_script("arguments[0].click()", fullscreen[0])
        frame = self._driver.find_element("css selector", _FRAME)
        if frame.find_elements("css selector", "g.node"):
            self._wait_until_still(frame)
            for button in frame.find_elements("css selector", "button.zoom-to-fit, button[aria-label=zoom-to-fit]"):
                self._driver.execute_script("arguments[0].click()", button)
            time.sleep(0.8)  # the zoom is animated
        path.parent.mkdir(parents=True, exist_ok=True)
        self._driver.save_screenshot(str(path))
        error = frame.text if _has_error(frame) else None
        return Picture(path, self._captions(frame, "g.node"), self._captions(frame, "g.relationship"), _table(frame), error)

    def _captions(self, frame: WebElement, groups: str) -> tuple[str, ...]:
        found = cast("list[list[str]]", self._driver.execute_script(_TEXTS, frame, groups))
        return tuple(" ".join(lines) for lines in found)

    def _wait_until_still(self, frame: WebElement) -> None:
        last = [""]

        def still() -> bool:
            now = str(self._driver.execute_script(_DRAWN, frame))
            moved, last[0] = now != last[0], now
            return not moved

        self._wait(still, "nodes that stand still", every=0.4)

    def _button(self, selector: str) -> WebElement:
        return self._driver.find_element("css selector", selector)

    def _wait(self, condition: Callable[[], object], what: str, *, every: float = 0.1) -> None:
        until = time.monotonic() + _SECONDS
        while True:
            try:
                if condition():
                    return
            except StaleElementReferenceException:
                pass
            assert time.monotonic() < until, f"Neo4j Browser did not show {what} within {_SECONDS:.0f} s"
            time.sleep(every)


def browser_url(http_url: str, bolt_url: str, query: str | None = None) -> str:
    """Neo4j Browser at a server without a password; it splits the URL after decoding, so that `#` and `&` cut a query short."""
    fields = {"dbms": bolt_url, "preselectAuthMethod": "NO_AUTH"}
    if query is not None:
        assert not set(query) & set("#&"), f"Neo4j Browser cannot take # or & in a URL's query: {query}"
        fields |= {"cmd": "edit", "arg": query}
    return f"{http_url}/browser/?{urlencode(fields, quote_via=quote)}"


def _chromium(width: int, height: int) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*_FLAGS, _ONLY_LOOPBACK, f"--window-size={width},{height}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def _is_answered(frame: WebElement) -> bool:
    """A frame has its tabs before its picture: where there is a graph tab, the nodes are waited for."""
    if _has_error(frame):
        return True
    if frame.find_elements("css selector", "[data-testid=cypherFrameSidebarVisualization]"):
        return bool(frame.find_elements("css selector", "g.node, table tbody tr"))
    return bool(frame.find_elements("css selector", "table tbody tr")) or "no changes, no records" in frame.text


def _has_error(frame: WebElement) -> bool:
    return "ERROR" in frame.text or "SyntaxError" in frame.text


def _table(frame: WebElement) -> tuple[tuple[str, ...], ...]:
    rows: list[Any] = frame.find_elements("css selector", "table tr")
    return tuple(tuple(cell.text for cell in row.find_elements("css selector", "th, td")) for row in rows)
