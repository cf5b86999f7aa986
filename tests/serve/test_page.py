"""The web page's files: served by the server itself, whole in both languages, and nothing comes from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from graphmem.ontology import Ontology
from graphmem.serve.rest import PAGE
from tests.serve.rest_server import serving

FILES = sorted(one.name for one in PAGE.iterdir())


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("page") / "m.db") as found:
        yield found


def test_the_page_is_served_with_everything_that_it_names(url: str) -> None:
    seen, wanted = set(), {"/", "/page/routes.html"}
    while wanted:
        path = wanted.pop()
        answer = httpx.get(url + path)
        assert answer.status_code == 200, path
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        seen.add(path)
        named = re.findall(r'(?:href|src)="(/page/[^"]+)"', answer.text) + [
            f"/page/{one}" for one in re.findall(r'from "\./([^"]+)"', answer.text)
        ]
        wanted |= set(named) - seen
    assert seen == {"/"} | {f"/page/{one}" for one in FILES if one != "index.html"}
    assert httpx.get(f"{url}/docs", follow_redirects=True).status_code == 200
    for outside in ("/page/..%2frest.py", "/page/%2e%2e/rest.py", "/page/../rest.py"):
        assert httpx.get(url + outside).status_code == 404


def words(language: str) -> dict[str, str]:
    text = (PAGE / "words.js").read_text()
    block = text.partition(f"const {language} = {{")[2].partition("\n};")[0]
    return dict(re.findall(r'(\w+): "([^"]*)"', block))


def test_both_languages_have_every_word() -> None:
    english, chinese = words("en"), words("zh")
    assert set(english) == set(chinese)
    for name, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", chinese[name])), name
    page = (PAGE / "index.html").read_text()
    used = re.findall(r'data-(?:word|label|aria|placeholder)="(\w+)"', page)
    for file in PAGE.glob("*.js"):
        used += re.findall(r'say\("(\w+)"', file.read_text())
    assert set(used) <= set(english)
    assert set(words("types") or re.findall(r"(\w+): \"", (PAGE / "words.js").read_text().partition("const types")[2])) >= set(
        Ontology.core().types
    )


def test_nothing_comes_from_elsewhere() -> None:
    for file in PAGE.iterdir():
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text), file.name
