"""Keys open their own users only, with their own rights; and what is there of others cannot be told from what is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from graphmem.serve.rest import create_app
from tests.serve.rest_server import ALICE, BOB, KEYS, READER, ROOT, bearer, problem, serving, settings

SECRET = "the kingfisher nests behind the mill"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("rest") / "m.db", api_keys=KEYS) as found:
        yield found


@pytest.fixture(scope="module")
def secret(url: str) -> str:
    """The id of a memory of Alice."""
    answer = httpx.post(f"{url}/v1/users/alice/remember", json={"text": SECRET, "session_id": "s"}, headers=bearer(ALICE))
    return str(answer.json()["episodes"][0]["id"])


def calls(memory_id: str) -> list[tuple[str, str, Any]]:
    """Every operation of one user."""
    return [
        ("POST", "/remember", {"text": "x"}),
        ("POST", "/memories", {"memories": [{"type": "Goal", "text": "x"}]}),
        ("POST", "/recall", {"query": SECRET, "explain": True}),
        ("POST", "/context", {"query": SECRET}),
        ("POST", "/understand", {"query": SECRET}),
        ("POST", "/extract", {"text": "x"}),
        ("GET", "/memories", None),
        ("GET", "/count", None),
        ("GET", f"/memories/{memory_id}", None),
        ("PATCH", f"/memories/{memory_id}", {"pinned": True}),
        ("DELETE", f"/memories/{memory_id}", None),
        ("POST", "/forget", {"ids": [memory_id]}),
        ("DELETE", "", None),
        ("GET", f"/memories/{memory_id}/chain", None),
        ("GET", f"/memories/{memory_id}/history", None),
        ("GET", "/history?subject=Alice", None),
        ("POST", f"/memories/{memory_id}/retract", {"reason": "x"}),
        ("POST", f"/memories/{memory_id}/restore", None),
        ("POST", "/links", {"source_id": memory_id, "relationship": "related_to", "target_id": memory_id}),
        ("DELETE", f"/links?source_id={memory_id}&relationship=related_to&target_id={memory_id}", None),
        ("GET", "/conflicts", None),
        ("POST", f"/conflicts/{memory_id}/resolve", {"keep": "new"}),
        ("POST", "/entities/merge", {"keep": "a", "merge": "b"}),
        ("POST", "/entities/split", {"entity": "a"}),
        ("GET", "/stats", None),
        ("GET", "/changes?since=2026-01-01", None),
        ("GET", "/profile", None),
        ("POST", "/consolidate", {"dry_run": True}),
        ("POST", f"/consolidate/{memory_id}/undo", None),
        ("GET", "/report", None),
        ("GET", "/doctor", None),
        ("GET", "/sessions/s/working", None),
        ("POST", "/sessions/s/working/observe", {"text": SECRET}),
        ("POST", "/sessions/s/working/pins", {"memory_id": memory_id}),
        ("DELETE", f"/sessions/s/working/pins/{memory_id}", None),
        ("GET", "/sessions/s/working/context", None),
        ("DELETE", "/sessions/s/working", None),
    ]


def test_the_table_names_every_route() -> None:
    document = create_app(settings()).openapi()
    routes = {(method.upper(), path) for path, methods in document["paths"].items() if path.startswith("/v1/") for method in methods}
    known = {
        (method, "/v1/users/{user_id}" + path.partition("?")[0].replace("ID", "{memory_id}").replace("/s/", "/{session_id}/"))
        for method, path, _ in calls("ID")
    }
    assert routes == known


def test_nobody_comes_in_without_a_key(url: str, secret: str) -> None:
    for method, path, body in calls(secret):
        for headers in ({}, bearer("no such key, whatever it is"), {"Authorization": ALICE}, {"Authorization": f"Basic {ALICE}"}):
            answer = httpx.request(method, f"{url}/v1/users/alice{path}", json=body, headers=headers)
            problem(answer, 401)
            assert answer.headers["www-authenticate"] == "Bearer"
    problem(httpx.get(f"{url}/metrics"), 401)
    problem(httpx.get(f"{url}/metrics", headers=bearer(ALICE)), 403)
    assert httpx.get(f"{url}/metrics", headers=bearer(BOB)).status_code == 200
    assert httpx.get(f"{url}/healthz").status_code == 200
    assert httpx.get(f"{url}/").status_code == 200


def test_a_key_opens_no_other_user(url: str, secret: str) -> None:
    for user in ("alice", "somebody who was never there", "alice%2F..", "al%2Fice%20%252F%20%E6%9D%8E"):
        for method, path, body in calls(secret):
            answer = httpx.request(method, f"{url}/v1/users/{user}{path}", json=body, headers=bearer(BOB))
            found = problem(answer, 403)
            assert found["detail"] == "this key does not open this user"
    kept = httpx.get(f"{url}/v1/users/alice/memories/{secret}", headers=bearer(ALICE)).json()
    assert (kept["text"], kept["pinned"]) == (SECRET, False)


def test_ids_of_others_answer_as_ids_of_nothing(url: str, secret: str) -> None:
    absent = "7d7d0f0e-3f4e-5a53-9d53-1f2f6c0f3a55"
    for (method, path, body), (_, other, other_body) in zip(calls(secret), calls(absent), strict=True):
        if path == "" or (path == other and body == other_body):
            continue
        theirs = httpx.request(method, f"{url}/v1/users/bob{path}", json=body, headers=bearer(BOB))
        nothing = httpx.request(method, f"{url}/v1/users/bob{other}", json=other_body, headers=bearer(BOB))
        assert theirs.status_code == nothing.status_code, path
        assert theirs.text.replace(secret, absent) == nothing.text
    kept = httpx.get(f"{url}/v1/users/alice/memories/{secret}", headers=bearer(ALICE)).json()
    assert (kept["text"], kept["pinned"]) == (SECRET, False)


def test_nothing_of_others_is_found_or_counted(url: str, secret: str) -> None:
    assert secret
    with httpx.Client(base_url=f"{url}/v1/users/bob", headers=bearer(BOB)) as http:
        assert http.post("/recall", json={"query": SECRET, "explain": True}).json()["recollections"] == []
        assert http.get("/stats").json()["memories"] == {}
        assert http.get("/stats").json()["users"] == 1
        assert http.get("/memories", params={"filter": '{"session_id": "s"}'}).json()["memories"] == []


def test_rights_are_kept(url: str, secret: str) -> None:
    reading = {"/recall", "/context", "/understand", "/extract"}
    for method, path, body in calls(secret):
        answer = httpx.request(method, f"{url}/v1/users/alice{path}", json=body, headers=bearer(READER))
        if path != "/doctor" and (method == "GET" or path in reading):
            assert answer.status_code in {200, 422, 501}, path
        else:
            assert "no right to" in problem(answer, 403)["detail"]
    for method, path in (("DELETE", ""), ("GET", "/doctor")):
        problem(httpx.request(method, f"{url}/v1/users/alice{path}", headers=bearer(ALICE)), 403)
    assert httpx.get(f"{url}/v1/users/alice/doctor", headers=bearer(ROOT)).status_code == 200


def test_a_user_of_any_name_is_one_user(url: str) -> None:
    name = "al%2Fice%20%252F%20%E6%9D%8E"
    with httpx.Client(base_url=url, headers=bearer(ALICE)) as http:
        kept = http.post(f"/v1/users/{name}/remember", json={"text": "a name with a slash"}).json()["episodes"][0]
        assert kept["user_id"] == "al/ice %2F 李"
        assert http.get(f"/v1/users/{name}/count").json()["count"] >= 1
        problem(http.get("/v1/users/al%2Fice/count"), 403)
