"""`graphmem …`: the verbs on the command line. One clear line and exit 1 on an error; logs and notes on stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from graphmem.serve import cli_lifecycle, cli_neo4j
from graphmem.serve.cli_common import (
    AsOf,
    At,
    Json,
    Limit,
    Session,
    Store,
    User,
    Where,
    bar,
    build_embedder,
    filter_of,
    opened,
    slots_of,
    time_of,
)
from graphmem.serve.cli_serve import app as serve_app

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    help="Long-term memory for agents as a typed, versioned graph.",
)
app.add_typer(serve_app, name="serve")
app.add_typer(cli_neo4j.app, name="neo4j")
app.command()(cli_neo4j.browse)
app.command()(cli_neo4j.copy)
cli_lifecycle.register(app)


@app.command()
def remember(
    text: Annotated[str | None, typer.Argument(help="What was said; a file of turns; or nothing, to read stdin.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    role: Annotated[Literal["user", "assistant", "tool", "system"], typer.Option()] = "user",
    said_at: Annotated[str | None, typer.Option(help="When, as ISO 8601.")] = None,
    session: Session = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Keep turns verbatim and show what was learned from them."""
    from graphmem.serve import show
    from graphmem.transfer import read_turns

    path = Path(text) if text is not None and len(text) < 1000 and "\n" not in text else None
    turns: Any = read_turns(path) if path is not None and path.is_file() else text if text is not None else sys.stdin.read()
    with opened(store, user, json=as_json) as face, bar("remembering") as progress:
        report = face.memory.remember(turns, speaker=speaker, role=role, said_at=time_of(said_at), session_id=session, progress=progress)
        face.print(report, show.remembered)


@app.command()
def recall(
    query: str,
    limit: Limit = None,
    where: Where = None,
    at: At = None,
    as_of: AsOf = None,
    session: Session = None,
    explain: Annotated[bool, typer.Option(help="Show how each score came about.")] = False,
    include_archived: Annotated[bool, typer.Option(help="Look at archived memories too (a scan).")] = False,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """The memories that matter for a question."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        found = face.memory.recall(
            query,
            limit=limit,
            filter=filter_of(where),
            at=time_of(at),
            as_of=time_of(as_of),
            session_id=session,
            include_archived=include_archived,
            explain=explain,
        )
        face.print(found, show.explained if explain else show.recollections)


@app.command()
def context(
    query: str,
    budget: Annotated[int, typer.Option(min=1, help="Tokens at most.")] = 2000,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """What an agent would be handed for a question, packed as text."""
    with opened(store, user, json=as_json) as face:
        face.print(face.memory.context(query, budget=budget), lambda found: typer.echo(found.text))


@app.command()
def add(
    type_: Annotated[str, typer.Argument(metavar="TYPE", help="Fact, Goal, Preference …")],
    slots: Annotated[list[str] | None, typer.Argument(help="name=value pairs.")] = None,
    text: Annotated[str, typer.Option(help="The memory as a sentence.")] = "",
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Write one typed memory: graphmem add Fact subject=Alice relation=lives_in object=Berlin."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        record = {"type": type_, "content": {"text": text}, "properties": slots_of(slots or [])}
        face.print(face.memory.add(record), show.outcomes)


@app.command()
def link(source: str, relationship: str, target: str, store: Store = None, user: User = "default") -> None:
    """Draw a relationship between two memories."""
    with opened(store, user) as face:
        face.memory.link(source, relationship, target)
        typer.echo(f"{source} {relationship} {target}")


@app.command(name="list")
def list_(
    where: Where = None,
    limit: Annotated[int, typer.Option(min=1)] = 50,
    order: Annotated[Literal["newest", "oldest", "deadline", "importance"], typer.Option()] = "newest",
    at: At = None,
    as_of: AsOf = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Memories that match a filter."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        page = face.memory.list(filter_of(where), at=time_of(at), as_of=time_of(as_of), limit=limit, order=order)
        face.print(page, show.memories)


@app.command()
def get(memory_id: str, store: Store = None, user: User = "default") -> None:
    """One memory as JSON."""
    from graphmem.serve import show

    with opened(store, user) as face:
        show.as_json(face.memory.get(memory_id))


@app.command()
def chain(memory_id: str, store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """Goal, plans, steps and events around one memory, as a tree."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print(face.memory.chain(memory_id), show.chain)


@app.command()
def history(
    memory_id: Annotated[str | None, typer.Argument()] = None,
    subject: Annotated[str | None, typer.Option(help="Everything claimed of this subject.")] = None,
    relation: Annotated[str | None, typer.Option(help="Under this relation only.")] = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Every version, with when it held and when it was believed."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print(face.memory.history(memory_id, subject=subject, relation=relation), show.history)


@app.command()
def conflicts(store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """What is disputed, with the question that would settle it."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print(face.memory.conflicts(), show.conflicts)


@app.command()
def resolve(
    conflict_id: str,
    keep: Annotated[Literal["new", "old", "both", "neither"], typer.Option()] = "new",
    reason: str = "",
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Settle a dispute."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print([face.memory.resolve(conflict_id, keep=keep, reason=reason)], show.outcomes)


@app.command()
def correct(
    memory_id: str,
    slots: Annotated[list[str] | None, typer.Argument(help="name=value pairs.")] = None,
    text: Annotated[str | None, typer.Option(help="The corrected sentence.")] = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Say that it is otherwise; the old version stays in the history."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print([face.memory.correct(memory_id, text=text, **slots_of(slots or []))], show.outcomes)


@app.command()
def forget(
    memory_id: Annotated[str | None, typer.Argument()] = None,
    where: Where = None,
    everything: Annotated[bool, typer.Option(help="All of this user.")] = False,
    with_sources: Annotated[bool, typer.Option(help="Also the turns that still say it.")] = False,
    reason: str = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Erase for good, and prove it."""
    if everything and not yes:
        typer.confirm(f"Erase everything that is remembered of {user!r}?", abort=True)
    with opened(store, user, json=as_json) as face:
        report = face.memory.forget(memory_id, filter=filter_of(where), everything=everything, with_sources=with_sources, reason=reason)
        counts = ", ".join(f"{count} {name}" for name, count in report.counts.items() if count) or "nothing"
        face.print(report, lambda found: typer.echo(f"erased {counts}; {found.residue} left; {len(found.remaining)} turns still say it"))


@app.command()
def stats(store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """What is stored, and on what."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print(face.memory.stats(), show.stats)


@app.command()
def doctor(
    deep: Annotated[bool, typer.Option(help="Compare every index with the data.")] = False,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """What is wrong, and the command that mends it."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        face.print(face.memory.doctor(deep=deep), show.findings)


@app.command()
def reembed(store: Store = None, user: User = "default") -> None:
    """Make all vectors anew with the embedder in use; goes on where it was stopped."""
    from graphmem.sync import Memory

    build_embedder()
    with Memory.open(store, user_id=user, check_embedding=False) as memory, bar("embedding") as progress:
        typer.echo(f"{memory.reembed(progress=progress)} memories embedded anew")


@app.command()
def enrich(where: Where = None, store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """Send stored turns to the language model and keep what it adds; goes on where it was stopped."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face, bar("enriching") as progress:
        face.print(face.memory.enrich(filter_of(where), progress=progress), show.remembered)


@app.command()
def judge(where: Where = None, store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """Let the language model recheck important memories against the turns that they cite."""
    with opened(store, user, json=as_json) as face, bar("judging") as progress:
        report = face.memory.judge(filter_of(where), progress=progress)
        face.print(report, lambda found: typer.echo(f"{len(found.judgements)} judged, {len(found.wrong)} wrong, {found.tokens} tokens"))


@app.command()
def profile(store: Store = None, user: User = "default", as_json: Json = False) -> None:
    """The person as known now."""
    with opened(store, user, json=as_json) as face:
        face.print(face.memory.profile(), lambda found: typer.echo(found.text))


@app.command()
def working(
    session: Annotated[str, typer.Argument(help="The session whose working memory it is.")],
    observe: Annotated[str | None, typer.Option(help="Take this message in first.")] = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """What an agent holds in a session."""
    from graphmem.serve import show

    with opened(store, user, json=as_json) as face:
        held = face.memory.working_memory(session)
        if observe is not None:
            held.observe(observe)
        face.print(list(held.items), show.memories)


@app.command(name="export")
def export_(path: Path, store: Store = None, user: User = "default") -> None:
    """Write every memory as MemIR JSON lines."""
    with opened(store, user) as face, bar("exporting") as progress:
        typer.echo(f"{face.memory.export(path, progress=progress)} memories written to {path}")


@app.command(name="import")
def import_(
    path: Path,
    format_: Annotated[Literal["memir", "locomo"], typer.Option("--format")] = "memir",
    rescope: Annotated[bool, typer.Option(help="Take another user's records as this user's.")] = False,
    store: Store = None,
    user: User = "default",
) -> None:
    """Read memories or conversations from a file."""
    with opened(store, user) as face, bar("importing") as progress:
        typer.echo(f"{face.memory.import_(path, format=format_, rescope=rescope, progress=progress)} read from {path}")


@app.command()
def demo(
    store: Store = None,
    user: User = "demo",
) -> None:
    """A story of two people, end to end and offline: what graphmem learns, keeps and brings back."""
    from graphmem.serve.demo import play

    build_embedder()
    play(store, user)


def main() -> None:
    """The console script: errors that graphmem knows are one line on stderr and exit 1."""
    from graphmem.errors import GraphMemError

    try:
        app()
    except (GraphMemError, OSError) as error:
        typer.echo(f"graphmem: {error}", err=True)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        typer.echo("graphmem: stopped; what was acknowledged is stored, run the same command again to go on", err=True)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
