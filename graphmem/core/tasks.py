"""The states through which a goal, plan or step may go."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NEXT: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "pending": frozenset({"in_progress", "blocked", "completed", "failed", "cancelled"}),
        "in_progress": frozenset({"pending", "blocked", "completed", "failed", "cancelled"}),
        "blocked": frozenset({"pending", "in_progress", "completed", "failed", "cancelled"}),
        "completed": frozenset(),
        "failed": frozenset(),
        "cancelled": frozenset(),
    }
)
REOPENED = frozenset({"pending", "in_progress", "blocked"})
OPEN = frozenset(status for status, following in NEXT.items() if following)


def refusal(old: str | None, new: str, reason: str | None) -> str | None:
    """Why this change is not allowed, with what would be; None where it is. A closed task opens again only for a reason."""
    if old is None or old == new or old not in NEXT or new in NEXT[old]:
        return None
    if old in OPEN:
        return f"{old} → {new} is no step of a task; allowed from {old}: {', '.join(sorted(NEXT[old]))}"
    if new not in REOPENED:
        return f"{old} → {new}: a closed task can only be reopened ({', '.join(sorted(REOPENED))}), with a reason"
    if not reason or not reason.strip():
        return f"{old} → {new} reopens a closed task: give a reason"
    return None
