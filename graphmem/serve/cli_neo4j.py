"""`graphmem neo4j start|stop|status`, `graphmem browse` and `graphmem copy`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote, urlencode, urlsplit

import typer

if TYPE_CHECKING:
    from graphmem.local_server import LocalServer
    from graphmem.ports import Store

app = typer.Typer(no_args_is_help=True, help="A Neo4j server on this machine, for trying things.")

Home = Annotated[Path | None, typer.Option("--home", help="The server's folder; default: beside the platform's data.")]
Location = Annotated[str | None, typer.Option("--store", envvar="GRAPHMEM_STORE", help="A neo4j:// URL.")]
_PARAMETER = re.compile(r"// :param (\w+) => (.+)")


def _home(given: Path | None) -> Path:
    from graphmem.config import data_folder

    return given or data_folder() / "neo4j"


@app.command()
def start(
    home: Home = None,
    port: Annotated[int, typer.Option(help="The Bolt port.")] = 7687,
    http_port: Annotated[int, typer.Option(help="The port of Neo4j Browser.")] = 7474,
    password: Annotated[str | None, typer.Option(envvar="NEO4J_PASSWORD", help="For the user neo4j; without one, nobody is asked.")] = None,
    via: Annotated[Literal["auto", "docker", "java"], typer.Option(help="Docker if there, else Maven and Java.")] = "auto",
) -> None:
    """Start Neo4j Community here; its data stays in its folder."""
    from graphmem import local_server

    _show(local_server.start(_home(home), bolt_port=port, http_port=http_port, password=password, browser=True, via=via))


@app.command()
def stop(home: Home = None) -> None:
    """Stop it; what it holds stays."""
    from graphmem import local_server

    typer.echo("stopped" if local_server.stop(_home(home)) else "no server runs there")


@app.command()
def status(home: Home = None) -> None:
    """Whether it runs, and where."""
    from graphmem import local_server

    running = local_server.status(_home(home))
    if running is None:
        typer.echo("no server runs there; `graphmem neo4j start` starts one")
        raise typer.Exit(1)
    _show(running)


def _show(server: LocalServer) -> None:
    typer.echo(f"Neo4j {server.version} answers at {server.uri}; Neo4j Browser: {server.http_url}/browser/")


# ── browse ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def saved_queries() -> dict[str, tuple[str, str]]:
    """By name: the question that each saved query answers, and its text."""
    from graphmem import resources

    found: dict[str, tuple[str, str]] = {}
    for path in sorted(resources.path("cypher", "browse").glob("*.cypher")):
        text = path.read_text(encoding="utf-8")
        found[path.stem.split("_", 1)[1]] = (text.splitlines()[0].removeprefix("// "), text)
    return found


def filled(text: str, given: dict[str, str]) -> str:
    """A saved query without its comments, each `$name` as a literal: what is pasted needs no `:param` before it."""
    defaults = {name: value.strip().strip("'") for name, value in _PARAMETER.findall(text)}
    values = defaults | given
    body = "\n".join(line for line in text.splitlines() if not line.startswith("//")).strip()
    return re.sub(r"\$(\w+)", lambda found: _literal(values.get(found[1], "")), body)


def _literal(value: str) -> str:
    """A Cypher string; Neo4j Browser cuts a URL at # and &, so these are written as escapes."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return "'" + "".join(f"\\u{ord(character):04x}" if character in "#&" else character for character in escaped) + "'"


def browser_url(store: str, query: str | None, http: str | None) -> str:
    """Neo4j Browser on the store's server, with a query in its editor."""
    host = urlsplit(store).hostname or "127.0.0.1"
    bolt = store.replace("neo4j", "bolt", 1) if store.startswith("neo4j") else store
    fields = {"dbms": bolt} | ({"cmd": "edit", "arg": query} if query else {})
    if not os.environ.get("NEO4J_PASSWORD"):
        fields["preselectAuthMethod"] = "NO_AUTH"
    return f"{http or f'http://{host}:7474'}/browser/?{urlencode(fields, quote_via=quote)}"


def browse(
    name: Annotated[str | None, typer.Argument(help="A saved query; without one they are listed.")] = None,
    values: Annotated[list[str] | None, typer.Argument(help="name=value pairs for it.")] = None,
    store: Location = None,
    user: Annotated[str, typer.Option("--user", envvar="GRAPHMEM_USER", help="Whose memory.")] = "default",
    http: Annotated[str | None, typer.Option(help="Where Neo4j Browser is served, such as http://127.0.0.1:7474.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the web browser.")] = False,
) -> None:
    """Look at the graph in Neo4j Browser with a saved query."""
    from graphmem.errors import InvalidInput

    queries = saved_queries()
    if name is None:
        for each, (question, _) in queries.items():
            typer.echo(f"{each:28} {question}")
        typer.echo("\nstyle: drag cypher/browse/style.grass into Neo4j Browser, so that types have colours; see docs/browser.md")
        return
    if name not in queries:
        raise InvalidInput(f"no saved query {name!r}; there are {', '.join(queries)}")
    given = dict(pair.partition("=")[::2] for pair in values or [])
    url = browser_url(_server(store), filled(queries[name][1], {"user_id": user, **given}), http)
    typer.echo(url)
    if show:
        typer.launch(url)


def _server(store: str | None) -> str:
    from graphmem.engine import SERVERS
    from graphmem.errors import ConfigurationError

    found = store or "neo4j://127.0.0.1:7687"
    if not found.startswith(SERVERS):
        raise ConfigurationError(f"{found!r} is no Neo4j server; `graphmem copy {found} neo4j://…` moves it to one")
    return found


# ── copy ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def copy(
    source: Annotated[str, typer.Argument(help="A file, or a neo4j:// URL.")],
    target: Annotated[str, typer.Argument(help="A file, or a neo4j:// URL.")],
    user: Annotated[list[str] | None, typer.Option("--user", help="Only this user; may be given again.")] = None,
) -> None:
    """Copy everything from one store to another; goes on where it was stopped, and compares both at the end."""
    import anyio

    report = anyio.run(_copied, source, target, user)
    counts = ", ".join(f"{count} {kind}" for kind, count in report.counts.items())
    typer.echo(f"{report.users} users: {counts}; both stores hold the same")


async def _copied(source: str, target: str, users: list[str] | None) -> Any:
    from graphmem.config import load_settings
    from graphmem.copying import Copier
    from graphmem.engine import SystemClock, choose_store
    from graphmem.serve.cli_common import bar

    settings = load_settings()
    one, other = choose_store(source, settings, None), choose_store(target, settings, None)
    info = await one.open()
    try:
        there = await other.open()
        with bar("copying") as progress:
            return await Copier(one, other, SystemClock()).run(info, there, users, progress=progress)
    finally:
        await _closed(one, other)


async def _closed(*stores: Store) -> None:
    for store in stores:
        await store.close()
