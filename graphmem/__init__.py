"""Long-term memory for agents as a typed, versioned graph.

The public names; each is loaded when it is first used, so that importing the package loads no model, driver or web framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.client import AsyncRemoteMemory as AsyncRemoteMemory
    from graphmem.client import RemoteMemory as RemoteMemory
    from graphmem.config import Settings as Settings
    from graphmem.errors import GraphMemError as GraphMemError
    from graphmem.memory import AsyncMemory as AsyncMemory
    from graphmem.model import Message as Message
    from graphmem.ontology import Ontology as Ontology
    from graphmem.records import Constraint as Constraint
    from graphmem.records import ContextualFrame as ContextualFrame
    from graphmem.records import DialogueAct as DialogueAct
    from graphmem.records import EmotionalState as EmotionalState
    from graphmem.records import Event as Event
    from graphmem.records import Fact as Fact
    from graphmem.records import Goal as Goal
    from graphmem.records import Instruction as Instruction
    from graphmem.records import Observation as Observation
    from graphmem.records import Plan as Plan
    from graphmem.records import Preference as Preference
    from graphmem.records import Rule as Rule
    from graphmem.records import Step as Step
    from graphmem.records import Summary as Summary
    from graphmem.sync import Memory as Memory

_HOME = {
    "AsyncMemory": "memory",
    "AsyncRemoteMemory": "client",
    "GraphMemError": "errors",
    "Memory": "sync",
    "Message": "model",
    "Ontology": "ontology",
    "RemoteMemory": "client",
    "Settings": "config",
    **dict.fromkeys(
        (
            "Added", "Chain", "Citation", "Conflict", "Context", "DeletionReport", "Disputed", "Draft", "Ignored", "MemoryRecord", "Outcome",
            "Profile", "QueryPlan", "Recollection", "Recollections", "Reinforced", "Rejected", "RememberReport", "Superseded", "Version",
        ),
        "model",
    ),
    **dict.fromkeys(
        (
            "Constraint", "ContextualFrame", "DialogueAct", "EmotionalState", "Event", "Fact", "Goal", "Instruction", "Observation", "Plan",
            "Preference", "Rule", "Step", "Summary",
        ),
        "records",
    ),
}  # fmt: skip
__all__ = sorted([*_HOME, "__version__"])  # noqa: PLE0605 — one list, not two that drift apart


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 — a third of the time that importing the package would take

        return version("graphmem")
    if name in _HOME:
        return getattr(import_module(f"graphmem.{_HOME[name]}"), name)
    raise AttributeError(f"module 'graphmem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
