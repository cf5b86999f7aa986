"""A real HTTP server on this machine that speaks /chat/completions, well and badly, by script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from graphmem.llm.client import OpenAICompatibleModel


@dataclass(frozen=True)
class Reply:
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    wait: float = 0.0
    cut: bool = False
    """Announce more than is sent, then hang up."""


Handler: TypeAlias = Callable[[dict[str, Any]], Reply]


def completion(content: Any, *, finish: str = "stop", tokens: int = 7, refusal: str | None = None) -> str:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return json.dumps(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "tiny",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 5, "completion_tokens": tokens - 5, "total_tokens": tokens},
        }
    )


def says(value: Any, **more: Any) -> Handler:
    """Answer with this JSON (a string is sent as it is)."""
    content = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return lambda _: Reply(body=completion(content, **more))


def fails(status: int, message: str = "no", headers: Mapping[str, str] | None = None) -> Handler:
    return lambda _: Reply(status, headers or {}, json.dumps({"error": {"message": message, "type": "t", "code": None}}))


def hangs(seconds: float = 2.0) -> Handler:
    return lambda _: Reply(body=completion("{}"), wait=seconds)


def breaks_off() -> Handler:
    return lambda _: Reply(body=completion('{"memories": []}'), cut=True)


@dataclass
class Endpoint:
    """`script` is played in order; then `always`."""

    address: str = ""
    script: list[Handler] = field(default_factory=list)
    always: Handler = field(default_factory=lambda: says({"memories": []}))
    asked: list[dict[str, Any]] = field(default_factory=list)

    def model(self, **given: Any) -> OpenAICompatibleModel:
        settings: dict[str, Any] = {"base_url": self.address, "model": "tiny", "retries": 0, "timeout": 5.0}
        return OpenAICompatibleModel(**settings | given)


@contextmanager
def running() -> Iterator[Endpoint]:
    found, over = Endpoint(), threading.Event()

    class Speaker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            found.asked.append(request)
            reply = (found.script.pop(0) if found.script else found.always)(request)
            started = time.monotonic()
            while time.monotonic() - started < reply.wait and not over.is_set():
                time.sleep(0.02)
            body = reply.body.encode()
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body) + (1000 if reply.cut else 0)))
            self.end_headers()
            try:
                self.wfile.write(body[: len(body) // 2] if reply.cut else body)
            except OSError:  # the client gave up waiting
                return

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Speaker)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    found.address = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield found
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
