"""The REST server over real HTTP: routes, errors, limits."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphmem.config import load_settings
from graphmem.errors import ConfigurationError, StoreError, StoreUnavailable
from graphmem.memory import AsyncMemory
from graphmem.serve import rest_answers as answers
from graphmem.serve.rest_access import Limiter, check_binding, is_loopback
from graphmem.serve.rest_gate import exact_path, segment
from tests.serve.rest_server import KEYS, problem, serving, settings

FACT = {"type": "Fact", "properties": {"subject": "Alice", "relation": "lives_in", "object": "Leeds"}, "valid_from": "2026-01-01"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("rest") / "m.db", rest_max_body=200_000) as found:
        yield found


@pytest.fixture
def http(url: str, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """Every test has its own user on the one server."""
    with httpx.Client(base_url=f"{url}/v1/users/{request.node.name}", timeout=30) as client:
        yield client


def added(http: httpx.Client, *memories: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    answer = http.post("/memories", json={"memories": list(memories), **more})
    assert answer.status_code == 200, answer.text
    return [answers.OutcomeAnswer.model_validate(one).model_dump(mode="json") for one in answer.json()]


def test_turns_come_back_with_citations(http: httpx.Client) -> None:
    turns = [{"role": "user", "content": "I live in Leeds.", "said_at": "2026-01-01T09:00:00Z"}, {"text": "我住在上海。"}]
    report = answers.Remembered.model_validate(http.post("/remember", json={"messages": turns, "speaker": "Alice"}).json())
    assert [one.text for one in report.episodes] == ["I live in Leeds.", "我住在上海。"]
    found = answers.Recollections.model_validate(http.post("/recall", json={"query": "Leeds", "explain": True}).json())
    assert found.recollections[0].memory.text == "I live in Leeds."
    assert found.recollections[0].citations[0].speaker == "Alice"
    assert found.trace is not None
    assert answers.Plan.model_validate(http.post("/understand", json={"query": "open goals"}).json()).query == "open goals"
    packed = answers.Context.model_validate(http.post("/context", json={"query": "Leeds", "budget": 200}).json())
    assert "Leeds" in packed.text
    assert packed.tokens <= 200


def test_a_fact_is_superseded_and_keeps_its_history(http: httpx.Client) -> None:
    first = added(http, FACT)[0]
    assert first["kind"] == "Added"
    second = added(http, {**FACT, "properties": {**FACT["properties"], "object": "Bristol"}, "valid_from": "2026-03-01"})[0]  # type: ignore[dict-item]  # a mapping
    assert second["kind"] == "Superseded"
    versions = [answers.Version.model_validate(one) for one in http.get("/history", params={"subject": "Alice"}).json()]
    assert {one.memory.properties["object"] for one in versions} == {"Leeds", "Bristol"}
    assert http.get("/count").json() == {"count": 1}
    page = answers.Page.model_validate(http.get("/memories", params={"at": "2026-02-01"}).json())
    assert [one.properties["object"] for one in page.memories] == ["Leeds"]
    one = answers.Memory.model_validate(http.get(f"/memories/{second['memory']['id']}").json())
    assert one.entities == ["Alice", "Bristol"]
    assert answers.Stats.model_validate(http.get("/stats").json()).entities == 3


def test_a_dispute_is_shown_and_settled(http: httpx.Client) -> None:
    added(http, FACT, policy="dispute")
    other = {**FACT, "properties": {"subject": "Alice", "relation": "lives_in", "object": "Bristol"}, "source": "tool"}
    assert added(http, other, policy="dispute")[0]["kind"] == "Disputed"
    conflict = answers.Conflict.model_validate(http.get("/conflicts").json()[0])
    settled = http.post(f"/conflicts/{conflict.id}/resolve", json={"keep": "old", "reason": "asked"})
    assert answers.OutcomeAnswer.model_validate(settled.json()).memory is not None
    assert http.get("/conflicts").json() == []
    assert http.post(f"/memories/{conflict.id}/restore").status_code == 200
    assert len(http.get("/conflicts").json()) == 1


def test_a_chain_is_drawn_changed_and_erased(http: httpx.Client) -> None:
    goal, step = added(
        http,
        {"type": "Goal", "text": "Fly to Shanghai", "properties": {"status": "pending"}},
        {"type": "Step", "text": "Book the flight", "properties": {"order": 1}},
    )
    ids = goal["memory"]["id"], step["memory"]["id"]
    link = {"source_id": ids[1], "relationship": "subtask_of", "target_id": ids[0]}
    assert http.post("/links", json=link).status_code == 204
    tree = answers.Chain.model_validate(http.get(f"/memories/{ids[0]}/chain").json())
    assert [one.memory.text for one in tree.root.children] == ["Book the flight"]
    wider = added(http, {"type": "Goal", "text": "See China"})[0]["memory"]["id"]
    assert http.post("/links", json={"source_id": ids[0], "relationship": "subtask_of", "target_id": wider}).status_code == 204
    closing = http.post("/links", json={"source_id": wider, "relationship": "subtask_of", "target_id": ids[0]})
    assert problem(closing, 422)["type"].endswith("cycle-refused")
    assert http.delete("/links", params=link).status_code == 204
    flat = answers.Chain.model_validate(http.get(f"/memories/{ids[0]}/chain").json()).memories
    assert [one.text for one in flat] == ["See China", "Fly to Shanghai"]
    assert http.patch(f"/memories/{ids[0]}", json={"status": "in_progress"}).status_code == 200
    assert http.patch(f"/memories/{ids[0]}", json={"properties": {"priority": "high"}}).status_code == 200
    assert http.patch(f"/memories/{ids[0]}", json={"pinned": True}).json()["memory"]["pinned"] is True
    assert http.post(f"/memories/{ids[1]}/retract", json={"reason": "a mistake"}).status_code == 200
    deleted = answers.Deletion.model_validate(http.delete(f"/memories/{ids[0]}", params={"reason": "asked"}).json())
    assert deleted.residue == 0
    problem(http.get(f"/memories/{ids[0]}"), 404)
    assert http.post("/forget", json={"filter": {"type": "Step"}}).status_code == 200
    assert httpx.delete(str(http.base_url).rstrip("/")).status_code == 200
    assert http.get("/count").json() == {"count": 0}


FORGED = [
    {"state": "superseded"},
    {"recorded_at": "2020-01-01"},
    {"superseded_at": "2020-01-01"},
    {"versions": []},
    {"statements": []},
    {"time": {"recorded_at": "2020-01-01"}},
    {"metadata": {"recorded_at": "2020-01-01T00:00:00Z"}},
    {"metadata": {"created_at": "2020-01-01T00:00:00Z"}},
    {"unknown": 1},
]


@pytest.mark.parametrize("forged", FORGED, ids="-".join)
def test_history_cannot_be_brought_in(http: httpx.Client, forged: dict[str, Any]) -> None:
    assert problem(http.post("/memories", json={"memories": [{**FACT, **forged}]}), 422)["type"].endswith("invalid-input")
    assert http.get("/count").json() == {"count": 0}


REFUSED: list[tuple[str, str, Any, int]] = [
    ("POST", "/remember", {}, 422),
    ("POST", "/remember", {"text": "x", "messages": [{"text": "y"}]}, 422),
    ("POST", "/remember", {"text": "x", "said_at": "yesterday"}, 422),
    ("POST", "/remember", {"text": "x", "said_at": "2026-01-01T09:00:00"}, 422),
    ("POST", "/remember", {"text": "x", "said_at": "0001-01-01T00:00:00+14:00"}, 422),
    ("POST", "/remember", {"text": "x", "role": "king"}, 422),
    ("POST", "/recall", {"query": "x", "limit": 0}, 422),
    ("POST", "/recall", {"query": "x", "filter": {"colour": "red"}}, 422),
    ("POST", "/recall", {"query": "x", "filter": {"type": {"$near": 1}}}, 422),
    ("POST", "/recall", {"query": "x", "shared": ["bob"]}, 422),
    ("POST", "/recall", "a text", 422),
    ("POST", "/memories", {"memories": [{"type": "Wish"}]}, 422),
    ("POST", "/memories", {"memories": [{"type": "Goal", "text": "x", "properties": {"status": "lost"}}]}, 422),
    ("POST", "/memories", {"memories": [{**FACT, "user_id": "somebody else"}]}, 422),
    ("POST", "/memories", {"memories": [{**FACT, "user_id": "x", "confidence": 2}]}, 422),
    ("PATCH", "/memories/nothing", {"status": "completed"}, 404),
    ("PATCH", "/memories/nothing", {"status": "completed", "pinned": True}, 422),
    ("PATCH", "/memories/nothing", {"properties": {"text": "x"}}, 422),
    ("POST", "/links", {"source_id": "a", "relationship": "subtask_of", "target_id": "b"}, 404),
    ("POST", "/conflicts/nothing/resolve", {"keep": "new"}, 404),
    ("POST", "/conflicts/nothing/resolve", {"keep": "mine"}, 422),
    ("POST", "/forget", {}, 422),
    ("POST", "/entities/split", {"entity": "nobody"}, 404),
    ("GET", "/memories/nothing", None, 404),
    ("GET", "/memories/nothing/chain", None, 404),
    ("GET", "/memories/nothing/history", None, 404),
    ("DELETE", "/memories/nothing", None, 404),
    ("GET", "/memories?limit=0", None, 422),
    ("GET", "/memories?cursor=nonsense", None, 422),
    ("GET", "/memories?filter=%7B", None, 422),
    ("GET", "/memories?filter=[]", None, 422),
    ("GET", "/memories?at=noon", None, 422),
    ("GET", "/history", None, 422),
    ("GET", "/nothing", None, 404),
    ("PUT", "/memories", {}, 405),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), REFUSED)
def test_bad_input_is_a_problem_document(url: str, method: str, path: str, body: Any, status: int) -> None:
    answer = httpx.request(method, f"{url}/v1/users/nobody{path}", json=body)
    problem(answer, status)


BODIES = [
    (b"{", 400),
    (b"", 422),
    (b"\xff\xfe", 400),
    (b'{"query": NaN}', 400),
    (b'{"query": "x", "filter": {"importance": {"$gt": 1e999}}}', 400),
    (b'{"query": "x", "filter": ' + b'{"$not": ' * 80 + b"{}" + b"}" * 81, 400),
    (b'{"query": "x", "filter": ' + b"[" * 90_000, 400),
    (b'{"query": "' + b"x" * 210_000 + b'"}', 413),
]


@pytest.mark.parametrize(("body", "status"), BODIES, ids=range(len(BODIES)))
def test_bodies_that_cannot_be_read(url: str, body: bytes, status: int) -> None:
    problem(httpx.post(f"{url}/v1/users/nobody/recall", content=body, headers={"content-type": "application/json"}), status)


def test_a_body_that_does_not_say_its_length_is_cut_off(url: str) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(300):
            yield b" " * 1000

    problem(httpx.post(f"{url}/v1/users/nobody/recall", content=pieces(), headers={"content-type": "application/json"}), 413)


def test_half_a_character_does_not_lose_the_turn(http: httpx.Client) -> None:
    answer = http.post("/remember", content=b'{"text": "fine \\ud83d"}', headers={"content-type": "application/json"})
    assert answer.json()["episodes"][0]["text"].startswith("fine")


def test_forms_and_texts_of_foreign_pages_are_not_read(http: httpx.Client) -> None:
    problem(http.post("/remember", content=b'{"text": "x"}', headers={"content-type": "text/plain"}), 422)
    assert "access-control-allow-origin" not in http.get("/stats", headers={"origin": "https://elsewhere.example"}).headers
    problem(http.get("/stats", headers={"host": "elsewhere.example"}), 421)


def test_the_service_tells_how_it_is(url: str) -> None:
    for path in ("/healthz", "/readyz"):
        assert answers.Health.model_validate(httpx.get(url + path).json()).status == "ok"
    httpx.get(f"{url}/v1/users/nobody/memories/some-id")
    metrics = httpx.get(f"{url}/metrics").text
    assert 'route="/v1/users/{user_id}/memories/{memory_id}",status="404"' in metrics
    assert "some-id" not in metrics
    assert "nobody" not in metrics
    document = httpx.get(f"{url}/openapi.json").json()
    shown = {path.removeprefix("/v1/users/{user_id}") for path in document["paths"]}
    assert {"/remember", "/recall", "/context", "/memories", "/links", "/conflicts", "/changes", "/profile", "/consolidate", ""} <= shown
    assert document["components"]["schemas"]["Remember"]["examples"]


def test_ids_may_hold_any_character() -> None:
    for name in ("a/b", "a%2Fb", "100%", "李 明", "%25"):
        raw = httpx.URL(f"http://x/v1/{httpx.QueryParams({'n': name})}").path
        assert raw
        path = exact_path(f"/v1/users/{name.replace('%', '%25').replace('/', '%2F')}/stats".encode())
        assert path.count("/") == 4
        assert segment(path.split("/")[3]) == name


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    limiter = Limiter(2.0, lambda: now[0])
    assert [limiter.wait("a") for _ in range(4)] == [0, 0, 0, 0]
    assert limiter.wait("a") == pytest.approx(0.5)
    assert limiter.wait("b") == 0
    now[0] = 0.5
    assert limiter.wait("a") == 0
    assert Limiter(0, lambda: 0.0).wait("a") == 0


def test_too_many_requests_are_told_when_to_come_again(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", rest_rate=0.5) as url:
        found = [httpx.get(f"{url}/v1/users/a/stats") for _ in range(3)]
        assert found[0].status_code == 200
        problem(found[-1], 429)
        assert int(found[-1].headers["retry-after"]) >= 1
        assert httpx.get(f"{url}/healthz").status_code == 200


@pytest.mark.parametrize(
    ("error", "status"), [(RuntimeError("a secret sentence"), 500), (StoreError("a secret sentence"), 500), (StoreUnavailable("wait"), 503)]
)
def test_a_failure_says_nothing_of_what_was_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, status: int
) -> None:
    async def fails(*_: Any) -> int:
        raise error

    with serving(tmp_path / "m.db") as url:
        monkeypatch.setattr(AsyncMemory, "count", fails)
        with caplog.at_level("INFO"):
            answer = httpx.get(f"{url}/v1/users/a/count")
        problem(answer, status)
        assert "secret" not in answer.text + caplog.text
        assert ("retry-after" in answer.headers) == (status == 503)
        problem(httpx.get(f"{url}/readyz"), status)
        assert httpx.get(f"{url}/healthz").status_code == 200


def test_without_keys_only_this_machine_is_served() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "[::1]:8000", "127.0.0.9:80"):
        assert is_loopback(host)
        check_binding(host, (), insecure=False)
    keys = settings(api_keys=KEYS).api_keys
    for host in ("0.0.0.0", "::", "example.org", "10.0.0.1"):  # noqa: S104 — refused
        with pytest.raises(ConfigurationError, match="GRAPHMEM_API_KEYS"):
            check_binding(host, (), insecure=False)
        check_binding(host, (), insecure=True)
        check_binding(host, keys, insecure=False)
    assert "alice-key" not in repr(keys)


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_API_KEYS", '[{"key": "a-key-of-sixteen", "users": ["*"]}]')
    assert load_settings().api_keys[0].rights == {"read", "write"}
    for wrong in (
        "not json",
        "[{}]",
        '[{"key": "short", "users": ["*"]}]',
        '[{"key": "a-key-of-sixteen", "users": ["*"], "rights": ["rule"]}]',
    ):
        monkeypatch.setenv("GRAPHMEM_API_KEYS", wrong)
        with pytest.raises(ConfigurationError, match="api_keys"):
            load_settings()


@pytest.mark.slow
def test_the_command_serves_and_ends_in_order(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "GRAPHMEM_EMBEDDER": "none", "GRAPHMEM_EXTRACTION": "false"}
    command = [sys.executable, "-m", "graphmem.serve.cli", "serve", "rest", "--port", str(port), "--store", str(tmp_path / "m.db")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(600):
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
                break
            except httpx.TransportError:
                time.sleep(0.1)
        secret = "a sentence that no log shows"
        assert httpx.post(f"http://127.0.0.1:{port}/v1/users/u/remember", json={"text": secret}).status_code == 200
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode in {0, -signal.SIGTERM}
    assert out == ""
    assert "shutdown complete" in err
    assert secret not in err
    refused = subprocess.run([*command, "--host", "0.0.0.0"], env=environment, capture_output=True, text=True, check=False)  # noqa: S104 — refused
    assert refused.returncode == 1
    assert "--insecure" in refused.stderr
