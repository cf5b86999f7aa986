"""What the command line prints: tables and trees for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.tree import Tree

from graphmem.memir import plain
from graphmem.model import Chain, ChainNode, Conflict, Finding, MemoryRecord, Outcome, Recollections, RememberReport, Stats, Version

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)

STATE_STYLE = {
    "current": "green",
    "disputed": "yellow",
    "superseded": "dim",
    "invalid": "red",
    "expired": "dim",
    "upcoming": "cyan",
    "archived": "dim",
}


def as_json(value: Any) -> None:
    """One JSON document on stdout; sequences of results as a list."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = [plain(item) for item in value]
    sys.stdout.write(json.dumps(plain(value), ensure_ascii=False, indent=2, default=str) + "\n")


def moment(when: datetime | None) -> str:
    """To the minute, the date alone at midnight."""
    if when is None:
        return "–"
    return f"{when:%Y-%m-%d}" if (when.hour, when.minute, when.second) == (0, 0, 0) else f"{when:%Y-%m-%d %H:%M}"


def short(text: str, width: int = 100) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def value_text(value: Any) -> str:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_text, value))
    if hasattr(value, "start") and hasattr(value, "end"):
        return f"{moment(value.start)} … {moment(value.end)}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_text(item)}" for key, item in value.items())
    return str(value)


def slots(memory: MemoryRecord) -> str:
    if memory.type == "Episode":
        return f"{memory.speaker} · {moment(memory.said_at)}"
    hidden = {"attachments"}
    return " · ".join(
        f"{name} {value_text(value)}" for name, value in memory.properties.items() if name not in hidden and value not in (None, "", [], {})
    )


def table(*columns: str) -> Table:
    made = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    for column in columns:
        made.add_column(
            column,
            overflow="fold",
            justify="right" if column in {"score", "count"} else "left",
            no_wrap=column in {"id", "type", "when", "state"},
        )
    return made


def memories(items: Iterable[MemoryRecord]) -> None:
    rows = table("id", "type", "state", "when", "text", "slots")
    for memory in items:
        style = STATE_STYLE[memory.state]
        rows.add_row(
            memory.id[:8], memory.type, f"[{style}]{memory.state}[/]", moment(memory.valid_from), short(memory.text), slots(memory)
        )
    out.print(rows if rows.row_count else "[dim]nothing[/]")


def recollections(found: Recollections) -> None:
    rows = table("score", "type", "when", "text", "said by", "note")
    for one in found:
        memory = one.memory
        cited = one.citations[0] if one.citations else None
        notes = []
        if one.outdated_by:
            notes.append(f"[yellow]outdated: now {short(one.outdated_by[0].text, 60)}[/]")
        if one.disputed_with:
            notes.append(f"[yellow]disputed: {short(one.disputed_with[0].text, 60)}[/]")
        if one.path:
            notes.append("via " + " → ".join(step.type.lower() for step in one.path))
        rows.add_row(
            f"{one.score:.2f}",
            memory.type,
            moment(memory.said_at or memory.valid_from),
            short(memory.text, 160),
            (cited and cited.speaker) or "–",
            "\n".join(notes),
        )
    out.print(rows if rows.row_count else "[dim]nothing matches[/]")
    for reason in found.plan.reasons:
        err.print(f"[dim]understood: {reason}[/]")
    for dropped in found.plan.dropped:
        err.print(f"[dim]nothing matched with {dropped}; it was dropped[/]")


def explained(found: Recollections) -> None:
    """Every part of each score, then the arms and the time that each stage took."""
    names = list(dict.fromkeys(name for one in found for name in one.reasons))
    rows = table("text", *names, "score")
    for one in found:
        rows.add_row(
            short(one.memory.text, 60), *(f"{one.reasons[name]:+.2f}" if name in one.reasons else "" for name in names), f"{one.score:.2f}"
        )
    out.print(rows)
    if found.trace is None:
        return
    for arm, hits in found.trace.arms.items():
        out.print(f"[bold]{arm}[/] {len(hits)} candidates, best {', '.join(f'{score:.2f}' for _, score in hits[:3])}")
    for name, removed in found.trace.removed.items():
        out.print(f"[bold]filter[/] {name} removed {removed}")
    for start, relationship, end in found.trace.hops:
        out.print(f"[bold]hop[/] {start[:8]} {relationship} {end[:8]}")
    out.print("[bold]time[/] " + "  ".join(f"{name} {ms:.1f} ms" for name, ms in found.trace.timings.items()))
    for note in found.trace.notes:
        out.print(f"[dim]{note}[/]")


def outcomes(items: Iterable[Outcome]) -> None:
    rows = table("outcome", "type", "text", "slots", "why")
    for outcome in items:
        kind = type(outcome).__name__
        if outcome.memory is None:
            rows.add_row(
                f"[red]{kind}[/]",
                outcome.draft.type if outcome.draft else "",
                short(outcome.draft.text if outcome.draft else ""),
                "",
                outcome.why,
            )
        else:
            rows.add_row(kind, outcome.memory.type, short(outcome.memory.text), slots(outcome.memory), outcome.why)
    out.print(rows if rows.row_count else "[dim]nothing learned[/]")


def remembered(report: RememberReport) -> None:
    new = sum(type(outcome).__name__ == "Added" for outcome in report.episode_outcomes)
    known = len(report.episode_outcomes) - new
    out.print(f"{new} turn{'s' * (new != 1)} kept" + (f", {known} known already" if known else ""))
    if report.outcomes:
        outcomes(report.outcomes)
    for note in report.notes:
        err.print(f"[yellow]{note}[/]")


def chain(found: Chain) -> None:
    def label(node: ChainNode) -> str:
        memory = node.memory
        status = memory.properties.get("status")
        hangs = f"[dim]{node.relationship.lower()}[/] " if node.relationship else ""
        return (
            f"{hangs}[bold]{memory.type}[/] {short(memory.text)}"
            + (f" [cyan]{status}[/]" if status else "")
            + f" [dim]{moment(memory.valid_from)}[/]"
        )

    def grow(tree: Tree, node: ChainNode) -> None:
        for child in node.children:
            grow(tree.add(label(child)), child)

    tree = Tree(label(found.root))
    grow(tree, found.root)
    out.print(tree)


def history(versions: Iterable[Version]) -> None:
    rows = table("state", "value", "held from", "held to", "recorded", "until")
    for version in versions:
        memory = version.memory
        style = STATE_STYLE[memory.state]
        rows.add_row(
            f"[{style}]{memory.state}[/]",
            short(memory.text),
            moment(version.valid_from),
            moment(version.valid_to),
            moment(version.recorded_at),
            moment(version.superseded_at),
        )
    out.print(rows if rows.row_count else "[dim]no versions[/]")


def conflicts(items: Iterable[Conflict]) -> None:
    items = list(items)
    if not items:
        out.print("[dim]nothing is disputed[/]")
    for conflict in items:
        out.print(f"[yellow]{conflict.question}[/] [dim]{conflict.id}, since {moment(conflict.since)}[/]")
        for side in conflict.sides:
            out.print(f"  {short(side.text)} [dim]({side.source}, {moment(side.valid_from)}, confidence {side.confidence:.2f})[/]")


def stats(found: Stats) -> None:
    rows = table("what", "count")
    for name, count in found.memories.items():
        rows.add_row(name, str(count))
    for name in ("entities", "relationships", "users"):
        rows.add_row(f"[dim]{name}[/]", str(getattr(found, name)))
    out.print(rows)
    out.print(f"store {found.store}, schema {found.schema}, ontology {found.ontology}, embedding {found.embedding or 'none'}")


def findings(items: Iterable[Finding]) -> None:
    for one in items:
        mark = "[green]fine[/]" if one.ok else "[yellow]look[/]"
        out.print(f"{mark}  {one.check}: {one.detail}" + (f" → [bold]{one.mend}[/]" if one.mend else ""))
