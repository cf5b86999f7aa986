"""`graphmem consolidate | undo | report | ontology …`: upkeep on the command line."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from graphmem.model import ConsolidationReport
    from graphmem.ontology import Ontology

Store = Annotated[str | None, typer.Option("--store", envvar="GRAPHMEM_STORE", help="A file, or a neo4j:// URL.")]
User = Annotated[str, typer.Option("--user", envvar="GRAPHMEM_USER", help="Whose memory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
File = Annotated[Path | None, typer.Argument(help="An ontology file; none: the one in use.")]
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

ontology_app = typer.Typer(no_args_is_help=True, help="The types, slots and relations that a memory follows.")


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(consolidate)
    app.command()(undo)
    app.command()(report)
    app.add_typer(ontology_app, name="ontology")


def seconds_of(text: str) -> int:
    """`24h`, `30m`, `1d`, `90s` in seconds."""
    match = re.fullmatch(r"(\d+)\s*([smhd])", text.strip())
    if match is None or int(match[1]) == 0:
        from graphmem.errors import InvalidInput

        raise InvalidInput(f"--every {text!r}: write a number and s, m, h or d, such as 24h")
    return int(match[1]) * UNITS[match[2]]


def consolidate(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    every: Annotated[str | None, typer.Option("--every", help="Go on until stopped, such as every 24h.")] = None,
    report: Annotated[bool, typer.Option("--report", help="Print the report of `graphmem report` after it.")] = False,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """Merge what says the same, put away what is spent, sum up and conclude; `graphmem undo` takes an action back."""
    from graphmem.sync import Memory

    pause = None if every is None else seconds_of(every)
    while True:
        with Memory.open(store, user_id=user) as memory:
            _print(memory.consolidate(dry_run=dry_run), as_json=as_json)
            if report:
                typer.echo(memory.report().text)
        if pause is None:
            return
        time.sleep(pause)


def _print(done: ConsolidationReport, *, as_json: bool) -> None:
    from graphmem.serve import show

    if as_json:
        show.as_json(done)
        return
    for action in done.actions:
        typer.echo(f"{action.kind:<10} {show.short(action.what)}\n           why: {action.why}\n           undo: {action.id}")
    would = "would be " if done.dry_run else ""
    parts = ", ".join(f"{count} {kind}" for kind, count in done.counts.items()) or "nothing to do"
    typer.echo(f"{len(done.actions)} actions {would}done: {parts}" + (f"; {done.skipped} skipped" if done.skipped else ""))


def undo(action_id: str, store: Store = None, user: User = "default") -> None:
    """Take an action of `consolidate` back, for good."""
    from graphmem.sync import Memory

    with Memory.open(store, user_id=user) as memory:
        typer.echo(f"{len(memory.undo(action_id))} memories are as they were")


def report(
    since: Annotated[str | None, typer.Option("--since", help="A date or time; else the last seven days.")] = None,
    store: Store = None,
    user: User = "default",
    as_json: Json = False,
) -> None:
    """What was learned, what is open or overdue, what went wrong and is not solved, which disputes wait."""
    from graphmem.serve import show
    from graphmem.sync import Memory
    from graphmem.temporal import to_moment

    with Memory.open(store, user_id=user) as memory:
        found = memory.report(None if since is None else to_moment(since))
    if as_json:
        show.as_json(found)
    else:
        typer.echo(found.text, nl=False)


# ── ontology ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _ontology(file: Path | None) -> Ontology:
    from graphmem.config import load_settings
    from graphmem.ontology import Ontology

    chosen = file or load_settings().ontology
    return Ontology.load(chosen) if chosen else Ontology.core()


@ontology_app.command(name="show")
def show_(file: File = None, as_json: Json = False) -> None:
    """Types with their slots, relationships and predicates."""
    from graphmem.serve import show

    found = _ontology(file)
    if as_json:
        kinds = {kind.name: {name: slot.kind for name, slot in kind.slots.items()} for kind in found.types.values()}
        show.as_json(
            {"stamp": found.stamp, "types": kinds, "relationships": list(found.relationships), "predicates": list(found.predicates)}
        )
        return
    typer.echo(found.stamp)
    for kind in found.types.values():
        slots = ", ".join(f"{slot.name}{'*' if slot.required else ''}: {_kind(slot)}" for slot in kind.slots.values())
        typer.echo(f"{kind.name} — {kind.about}\n    {slots}")
    typer.echo(f"relationships: {', '.join(found.relationships)}")
    typer.echo(f"predicates: {', '.join(found.predicates)}")


def _kind(slot: Any) -> str:
    return f"{slot.kind} [{', '.join(slot.values)}]" if slot.values else str(slot.kind)


@ontology_app.command()
def check(file: Path) -> None:
    """Whether a file can be used, and if not, where and why."""
    from graphmem.ontology import check as check_file

    problems = check_file(file)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(1)
    typer.echo(f"{file} can be used")


@ontology_app.command()
def diff(old: Path, new: File = None, as_json: Json = False) -> None:
    """What changed from one file to another, and what it means for data: free, map, rekey or refuse."""
    from graphmem.ontology import diff as differences
    from graphmem.serve import show

    found = differences(_ontology(old), _ontology(new))
    if as_json:
        show.as_json(found)
        return
    for one in found:
        typer.echo(f"{one.effect:<7} {one.place}: {one.what}")
    typer.echo(f"{len(found)} changes")


@ontology_app.command()
def upgrade(
    file: File = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count what would change and what does not fit.")] = False,
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Carry a store, all its users, over to an ontology; refused, with the counts, where data does not fit it."""
    import asyncio

    from graphmem.lifecycle_ontology import as_json as plain
    from graphmem.serve import show
    from graphmem.upgrading import upgrade_store

    done = asyncio.run(upgrade_store(store, _ontology(file), dry_run=dry_run))
    if as_json:
        show.as_json(plain(done))
        return
    for why, count in done.refused.most_common():
        typer.echo(f"{count} × {why}")
    would = "would be " if dry_run else ""
    typer.echo(f"{done.before} → {done.after}: {done.read} memories read, {done.rewritten} {would}rewritten, {done.rekeyed} {would}rekeyed")
