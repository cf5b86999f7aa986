"""The way a task may go from one status to another; the steps themselves are ontology data."""

from __future__ import annotations

from graphmem.errors import allowed_text
from graphmem.ontology import Ontology


def refusal(ontology: Ontology, type_: str, old: str | None, new: str, reason: str | None) -> str | None:
    """Say why this change is not allowed and what would be; None where it is. A closed task opens again only for a reason."""
    if old is None or not ontology.type(type_).transitions or ontology.allows_status(type_, old, new, reason and reason.strip()):
        return None
    if new in ontology.next_statuses(type_, old, reopening=True):
        return f"{old} → {new} reopens or changes a closed {type_}: give a reason"
    return f"{old} → {new} is no step of a {type_}; allowed from {old}: {allowed_text(ontology.next_statuses(type_, old, reopening=True))}"


def is_open(ontology: Ontology, type_: str, status: str | None) -> bool:
    """Whether work remains; a type without open statuses (an event) is open as long as nothing says otherwise."""
    kind = ontology.type(type_)
    return not kind.open_status or status in kind.open_status
