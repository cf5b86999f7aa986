"""The web page in headless Chromium: searched, followed, settled and forgotten by keyboard and mouse, in both languages and lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser_driver import _chromium, chromium_missing
from tests.neo4j_fixture import skip_or_fail
from tests.serve.rest_server import KEYS, ROOT, bearer, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

LIVES = {"subject": "Mira", "relation": "lives_in"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("page") / "m.db", api_keys=KEYS) as found:
        yield found


@pytest.fixture
def window(url: str, request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    missing = chromium_missing()
    if missing:
        skip_or_fail(request, "BROWSER", missing)
    driver = _chromium(1280, 900)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def user(url: str, request: pytest.FixtureRequest) -> str:
    name = f"{request.node.name}/小李"
    with httpx.Client(base_url=url, headers=bearer(ROOT)) as http:
        root = f"/v1/users/{name.replace('/', '%2F')}"

        def add(memory: dict[str, Any], **more: Any) -> str:
            answer = http.post(f"{root}/memories", json={"memories": [memory], **more})
            assert answer.status_code == 200, answer.text
            return str(answer.json()[0]["memory"]["id"])

        http.post(
            f"{root}/remember", json={"text": "I live in Lisbon now, near the river.", "speaker": "Mira", "said_at": "2026-02-01T09:00:00Z"}
        )
        http.post(f"{root}/remember", json={"text": "小李下个月要去上海出差。", "speaker": "小李", "said_at": "2026-02-02T09:00:00Z"})
        for place, since in (("Porto", "2024-05-01"), ("Coimbra", "2025-03-01"), ("Lisbon", "2026-01-15")):
            add({"type": "Fact", "text": f"Mira lives in {place}", "properties": {**LIVES, "object": place}, "valid_from": since})
        goal = add({"type": "Goal", "text": "Sail round the Azores", "properties": {"status": "pending"}, "entities": ["Azores"]})
        for order, step in enumerate(("Charter a boat", "Learn to read sea charts"), 1):
            made = add({"type": "Step", "text": step, "properties": {"order": order}, "entities": ["Azores"]})
            http.post(f"{root}/links", json={"source_id": made, "relationship": "subtask_of", "target_id": goal})
        works = {"subject": "Mira", "relation": "works_at"}
        add(
            {"type": "Fact", "text": "Mira works at the harbour office", "properties": {**works, "object": "harbour office"}},
            policy="dispute",
        )
        other = {"type": "Fact", "text": "Mira works at the museum", "properties": {**works, "object": "museum"}, "source": "tool"}
        add(other, policy="dispute")
    return name


class Page:
    def __init__(self, window: webdriver.Chrome, url: str, user: str) -> None:
        self.window = window
        window.get(url)
        self.until(lambda: "yes" in str(window.execute_script("return document.documentElement.dataset.ready")))
        assert "needs a key" in self.one("#alarm").text
        assert self.focused().get_attribute("id") == "key"
        self.one("#user").clear()
        self.one("#user").send_keys(user, Keys.TAB, ROOT, Keys.ENTER)
        self.until(lambda: "memories" in self.one("#totals").text)

    def until(self, holds: Callable[[], Any]) -> Any:
        return WebDriverWait(self.window, 30).until(lambda _: holds())

    def one(self, css: str) -> WebElement:
        return self.window.find_element("css selector", css)

    def all(self, css: str) -> list[WebElement]:
        return self.window.find_elements("css selector", css)

    def focused(self) -> WebElement:
        return self.window.switch_to.active_element

    def search(self, text: str) -> list[WebElement]:
        self.window.execute_script("location.hash = '#search'")
        self.until(lambda: self.one("#query").is_displayed())
        self.one("#query").clear()
        self.window.execute_script("document.getElementById('status').textContent = ''")
        self.one("#query").send_keys(text, Keys.ENTER)
        self.until(lambda: self.one("#status").text)
        return self.all("#found .card")

    def open(self, text: str, query: str) -> None:
        card = next(one for one in self.search(query) if text in one.text)
        card.find_element("css selector", "button.text").click()
        self.until(lambda: self.one("#panel").get_attribute("aria-busy") == "false" and self.one("#panel").text)

    def tab(self, name: str) -> None:
        self.one(f"#tab-{name}").click()
        self.until(lambda: self.one("#panel").get_attribute("aria-busy") == "false")

    def photograph(self, path: Path) -> None:
        assert self.window.save_screenshot(str(path))
        assert path.stat().st_size > 10_000

    def complaints(self) -> list[str]:
        """What the console complained of besides the refusal of the first visit without a key."""
        return [one["message"] for one in self.window.get_log("browser") if "401" not in one["message"]]  # type: ignore[no-untyped-call]  # selenium


@pytest.fixture
def page(window: webdriver.Chrome, url: str, user: str) -> Iterator[Page]:
    found = Page(window, url, user)
    yield found
    assert found.complaints() == []


def test_search_explains_itself_and_versions_are_drawn(page: Page, tmp_path: Path) -> None:
    cards = page.search("Where does Mira live?")
    assert "Lisbon" in cards[0].text
    assert page.one("#status").text.endswith("found")
    cards[0].find_element("css selector", "summary").click()
    assert cards[0].find_elements("css selector", "tbody tr")
    page.open("Mira lives in Lisbon", "Where does Mira live?")
    assert page.focused().get_attribute("id") == "detail-title"
    page.tab("versions")
    states = [one.get_attribute("class") for one in page.all("#panel rect")]
    assert states == ["span superseded", "span superseded", "span current"]
    assert "Porto" in page.one("#panel table").text
    page.photograph(tmp_path / "versions.png")


def test_chain_and_graph_of_a_goal(page: Page, tmp_path: Path) -> None:
    page.open("Sail round the Azores", "Azores")
    page.tab("chain")
    assert [one.text for one in page.all("#panel .tree button")] == ["Sail round the Azores", "Charter a boat", "Learn to read sea charts"]
    page.photograph(tmp_path / "chain.png")
    page.one("#tab-chain").send_keys(Keys.ARROW_RIGHT)
    assert page.focused().get_attribute("id") == "tab-graph"
    page.until(lambda: page.all("#panel svg .node"))
    assert {"Goal: Sail round the Azores", "Step: Charter a boat", "Entity: Azores"} <= {
        one.accessible_name for one in page.all("#panel svg .node")
    }
    page.photograph(tmp_path / "graph.png")
    node = next(one for one in page.all("#panel svg .node") if "Charter" in one.accessible_name)
    node.send_keys(Keys.ENTER)
    page.until(lambda: page.one("#detail-title").text == "Charter a boat")
    page.one("#pin").click()
    page.until(lambda: page.one("#pin").text == "Unpin")
    page.focused().send_keys(Keys.ESCAPE)
    assert not page.one("#detail").is_displayed()
    assert page.focused().text == "Sail round the Azores"


def test_a_dispute_is_settled_with_a_click_and_undone(page: Page, tmp_path: Path) -> None:
    page.until(lambda: page.one("#dispute-count").text == "1")
    page.one("nav a[href='#disputes']").click()
    page.until(lambda: page.all("#disputed .sides"))
    page.photograph(tmp_path / "disputes.png")
    button = next(one for one in page.all("#disputed button") if "museum" in one.accessible_name)
    button.click()
    page.until(lambda: page.one("#status").text == "Settled.")
    assert not page.one("#dispute-count").is_displayed()
    assert page.focused().text == "Undo"
    page.focused().send_keys(Keys.ENTER)
    page.until(lambda: page.one("#dispute-count").text == "1")


def test_the_working_memory_of_a_session(page: Page, tmp_path: Path) -> None:
    page.one("nav a[href='#session']").click()
    page.one("#session-id").send_keys("s1", Keys.ENTER)
    page.until(lambda: page.one("#observed").is_displayed())
    page.one("#observed").send_keys("What about the Azores?", Keys.ENTER)
    page.until(lambda: "Sail round the Azores" in page.one("#held").text)
    next(one for one in page.all("#held button.change") if one.accessible_name == "Hold: Sail round the Azores").click()
    page.until(lambda: page.focused().accessible_name == "Let go: Sail round the Azores")
    page.photograph(tmp_path / "session.png")
    page.one("#clear").click()
    page.until(lambda: page.one("#status").text == "Nothing is held.")
    assert page.all("#held .card") == []


def test_forgetting_asks_first(page: Page, tmp_path: Path) -> None:
    page.open("near the river", "river")
    page.one("#forget").click()
    assert "near the river" in page.one("#sure-text").text
    assert page.focused().text == "Keep it"
    page.photograph(tmp_path / "sure.png")
    page.focused().send_keys(Keys.ESCAPE)
    assert page.focused().get_attribute("id") == "forget"
    page.one("#forget").click()
    page.one("#sure button.danger").click()
    page.until(lambda: page.one("#status").text.startswith("Erased"))
    assert not [one for one in page.all("#found .card") if "near the river" in one.text]
    assert not [one for one in page.search("river") if "near the river" in one.text]


def test_chinese_in_the_dark_on_a_narrow_screen(page: Page, tmp_path: Path) -> None:
    page.one("#theme").click()
    page.one("#language").click()
    page.until(lambda: page.one("html").get_attribute("lang") == "zh-CN")
    assert page.one("html").get_attribute("data-theme") == "dark"
    assert page.one("#title-search").text == "搜索"
    page.window.set_window_size(420, 900)
    cards = page.search("上海")
    assert any("上海" in one.text for one in cards)
    width = page.window.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    page.photograph(tmp_path / "chinese.png")
    page.one("nav a[href='#browse']").click()
    page.until(lambda: len(page.all("#listed .card")) >= 6)
    page.photograph(tmp_path / "browse.png")
    page.one("#language").click()


def test_everything_has_a_name_and_can_be_reached(page: Page) -> None:
    page.open("Sail round the Azores", "Azores")
    for one in page.all("button, input, select, a[href], [role=tab], [role=tabpanel], [tabindex='0']"):
        if one.is_displayed():
            assert one.accessible_name.strip(), one.get_attribute("outerHTML")
    labels = page.window.execute_script("return [...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(labels) == len(set(labels))
    reached = set()
    page.window.execute_script("document.body.focus(); document.activeElement.blur()")
    for _ in range(45):
        page.window.switch_to.active_element.send_keys(Keys.TAB)
        reached.add(page.focused().get_attribute("id"))
    assert {"user", "key", "language", "theme", "query", "at", "archived", "close", "tab-chain", "panel", "pin", "forget"} <= reached


def test_routes_are_shown_without_anything_from_elsewhere(window: webdriver.Chrome, url: str) -> None:
    window.get(f"{url}/docs")
    WebDriverWait(window, 30).until(lambda _: "/v1/users/{user_id}/recall" in window.find_element("tag name", "body").text)
    assert window.get_log("browser") == []  # type: ignore[no-untyped-call]  # selenium
