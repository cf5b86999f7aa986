"""`graphmem serve …`: the servers."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

app = typer.Typer(no_args_is_help=True, help="Serve memory to other programs.")


@app.callback()
def servers() -> None:
    """Serve memory to other programs."""


@app.command()
def rest(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8000,
    store: Annotated[str | None, typer.Option("--store", envvar="GRAPHMEM_STORE", help="A file, or a neo4j:// URL.")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Listen beyond this machine without keys.")] = False,
    log_level: Annotated[Literal["debug", "info", "warning", "error"], typer.Option()] = "info",
) -> None:
    """REST and the web page over HTTP; keys come from GRAPHMEM_API_KEYS."""
    from graphmem.config import load_settings
    from graphmem.errors import ConfigurationError

    settings = load_settings(**({"rest_insecure": True} if insecure else {}))
    try:
        from graphmem.serve.rest import run
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"{error.name} is not installed; `pip install graphmem[rest]`") from error
    run(settings, host=host, port=port, location=store, log_level=log_level)
