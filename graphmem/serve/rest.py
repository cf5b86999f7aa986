"""The REST server: `create_app` puts the routes behind the gate; `run` serves them until it is told to stop."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import Depends, FastAPI, Request
from fastapi.responses import FileResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from graphmem.config import Settings, load_settings
from graphmem.memory import AsyncMemory
from graphmem.serve import rest_answers as answers
from graphmem.serve import rest_problems, rest_routes, rest_upkeep, rest_working
from graphmem.serve.rest_access import Keyring, Limiter, check_binding
from graphmem.serve.rest_gate import Gate, Meters
from graphmem.serve.rest_scope import BEARER, caller_of, everything_of, require, said

PAGE = Path(__file__).with_name("page")
PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What went wrong, and what to do about it",
        "model": answers.ProblemAnswer,
        "content": {rest_problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemAnswer"}}},
    }
}
ABOUT = """Long-term memory for agents as a typed, versioned graph.

Every route of `/v1` belongs to one user; errors are problem documents (RFC 9457)."""


def create_app(settings: Settings | None = None, *, location: str | Path | None = None, memory: AsyncMemory | None = None) -> FastAPI:
    """The application; a `memory` that is given stays the caller's to close, else the settings' store is opened and closed with it."""
    settings = settings or load_settings()
    app = FastAPI(
        title="graphmem",
        version=version("graphmem"),
        description=ABOUT,
        lifespan=_lifespan(settings, location, memory),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=PROBLEM,
    )
    meters = Meters()
    app.state.settings, app.state.memory, app.state.meters = settings, memory, meters
    rest_problems.install(app)
    for part in (rest_routes, rest_upkeep, rest_working):
        app.include_router(part.router, dependencies=[Depends(BEARER)])
    _add_service_routes(app)
    _add_page(app)
    app.add_middleware(
        Gate,
        keyring=Keyring.of(settings.api_keys),
        limiter=Limiter(settings.rest_rate, time.monotonic),
        meters=meters,
        max_body=settings.rest_max_body,
        any_host=bool(settings.api_keys) or settings.rest_insecure,
    )
    return app


def _lifespan(settings: Settings, location: str | Path | None, memory: AsyncMemory | None) -> Any:
    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        if memory is not None:
            yield
            return
        async with await AsyncMemory.open(location, settings=settings) as own:
            app.state.memory = own
            yield
            app.state.memory = None

    def lifespan(app: FastAPI) -> AbstractAsyncContextManager[None]:
        return opened(app)

    return lifespan


def _add_service_routes(app: FastAPI) -> None:
    @app.get("/healthz", response_model=answers.Health, tags=["service"])
    async def healthz() -> Response:
        """The process answers."""
        return said({"status": "ok", "version": version("graphmem")})

    @app.get("/readyz", response_model=answers.Health, tags=["service"])
    async def readyz(request: Request) -> Response:
        """The store answers too."""
        await everything_of(request).for_user("readyz").count()
        return said({"status": "ok", "version": version("graphmem")})

    @app.get("/metrics", response_class=Response, tags=["service"], dependencies=[Depends(BEARER)])
    async def metrics(request: Request) -> Response:
        """Prometheus text; where the server has keys, for those with the right to admin."""
        require(caller_of(request), "admin")
        return Response(generate_latest(request.app.state.meters.registry), media_type=CONTENT_TYPE_LATEST)


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    @app.get("/docs", include_in_schema=False)
    async def docs() -> RedirectResponse:
        return RedirectResponse("/page/routes.html")

    app.mount("/page", StaticFiles(directory=PAGE), name="page")


def run(settings: Settings, *, host: str, port: int, location: str | Path | None = None, log_level: str = "info") -> None:
    """Serves until SIGINT or SIGTERM, then finishes what runs and closes the store; logs go to stderr."""
    check_binding(host, settings.api_keys, insecure=settings.rest_insecure)
    logging.basicConfig(stream=sys.stderr, level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    config = uvicorn.Config(
        create_app(settings, location=location),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=30,
        h11_max_incomplete_event_size=64 * 1024,
    )
    server = uvicorn.Server(config)
    server.run()
    if not server.started:
        raise SystemExit(3)
