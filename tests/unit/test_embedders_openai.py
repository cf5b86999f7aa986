"""Against a real server on this machine that speaks the protocol, well and badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import numpy as np
import pytest

from graphmem.embedders.openai import BATCH, OpenAICompatibleEmbedder
from graphmem.errors import ConfigurationError, InferenceError, InferenceUnavailable, RateLimited

Answer = tuple[int, dict[str, str], str]


def good(request: dict[str, Any], size: int = 4) -> Answer:
    rows = [
        {"object": "embedding", "index": at, "embedding": [3.0, float(len(text)), 0.0, 0.0][:size]}
        for at, text in enumerate(request["input"])
    ]
    body = {"object": "list", "model": request["model"], "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return 200, {}, json.dumps(body)


def failing(status: int, headers: dict[str, str] | None = None) -> Callable[[dict[str, Any]], Answer]:
    return lambda _: (status, headers or {}, json.dumps({"error": {"message": "no", "type": "t", "code": None}}))


@dataclass
class Endpoint:
    address: str
    script: list[Callable[[dict[str, Any]], Answer]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)

    def embedder(self, **given: Any) -> OpenAICompatibleEmbedder:
        settings: dict[str, Any] = {"base_url": self.address, "model": "tiny", "dimensions": 4, "retries": 2, "timeout": 5.0}
        return OpenAICompatibleEmbedder(**settings | given)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    found = Endpoint("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            found.asked.append(request)
            status, headers, body = (found.script.pop(0) if found.script else good)(request)
            self.send_response(status)
            for name, value in ({"content-type": "application/json"} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    found.address = f"http://127.0.0.1:{server.server_port}/v1"
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def embed(embedder: OpenAICompatibleEmbedder, texts: list[str]) -> np.ndarray:
    async def run() -> np.ndarray:
        try:
            return await embedder.embed_documents(texts)
        finally:
            await embedder.close()

    return anyio.run(run)


def test_vectors_are_unit_and_in_order(endpoint: Endpoint) -> None:
    vectors = embed(endpoint.embedder(), ["abcd", ""])
    assert np.allclose(vectors, [[0.6, 0.8, 0, 0], [3 / 10**0.5, 1 / 10**0.5, 0, 0]])
    assert endpoint.asked[0]["input"] == ["abcd", " "]


def test_many_texts_go_in_batches(endpoint: Endpoint) -> None:
    assert embed(endpoint.embedder(), ["x"] * (BATCH + 5)).shape == (BATCH + 5, 4)
    assert [len(request["input"]) for request in endpoint.asked] == [BATCH, 5]
    assert embed(endpoint.embedder(), []).shape == (0, 4)


def test_it_waits_as_long_as_it_is_asked_to(endpoint: Endpoint) -> None:
    endpoint.script = [failing(429, {"retry-after": "0.05"}), failing(429, {"retry-after": "0"})]
    assert embed(endpoint.embedder(), ["x"]).shape == (1, 4)
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize("retry_after", ["0.01", "7200", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_an_endpoint_that_keeps_refusing(endpoint: Endpoint, retry_after: str) -> None:
    endpoint.script = [failing(429, {"retry-after": retry_after})] * 5
    with pytest.raises(RateLimited) as caught:
        embed(endpoint.embedder(retries=1), ["x"])
    assert caught.value.retry_after == (None if "Oct" in retry_after else float(retry_after))
    assert len(endpoint.asked) == (1 if retry_after == "7200" else 2)


def test_a_server_error_is_tried_again(endpoint: Endpoint) -> None:
    endpoint.script = [failing(503)]
    assert embed(endpoint.embedder(), ["x"]).shape == (1, 4)


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (failing(500), InferenceUnavailable, "does not answer"),
        (failing(401), ConfigurationError, "key"),
        (failing(404), ConfigurationError, "model"),
        (failing(400), InferenceError, "refuses"),
        (lambda request: good(request, 3), ConfigurationError, "dimensions=3"),
        (lambda _: (200, {}, "{not json"), InferenceError, "JSON"),
        (lambda _: (200, {}, '{"data": [], "model": "m", "object": "list"}'), InferenceError, "0 vectors for 1"),
        (lambda _: (200, {}, '{"data": [{"index": 0, "embedding": [0, 0, 0, 0]}]}'), InferenceError, "without direction"),
    ],
)
def test_bad_answers_have_their_own_error(
    endpoint: Endpoint, answer: Callable[[dict[str, Any]], Answer], error: type[Exception], message: str
) -> None:
    endpoint.script = [answer]
    with pytest.raises(error, match=message):
        embed(endpoint.embedder(retries=0), ["x"])


def test_nobody_there() -> None:
    with pytest.raises(InferenceUnavailable):
        embed(OpenAICompatibleEmbedder(base_url="http://127.0.0.1:9/v1", model="tiny", dimensions=4, retries=0), ["x"])


def test_unknown_dimensions_are_asked_for_once(endpoint: Endpoint) -> None:
    embedder = endpoint.embedder(dimensions=None)
    assert (embedder.dimensions, embedder.dimensions, embedder.model_id) == (4, 4, "tiny@4")
    assert len(endpoint.asked) == 1
    anyio.run(embedder.close)


def test_a_shortened_model_is_asked_for_its_dimensions(endpoint: Endpoint) -> None:
    embedder = endpoint.embedder(model="text-embedding-3-small", dimensions=4)
    assert embed(embedder, ["x"]).shape == (1, 4)
    assert endpoint.asked[0]["dimensions"] == 4
    assert endpoint.embedder(model="text-embedding-3-large", dimensions=None).dimensions == 3072
