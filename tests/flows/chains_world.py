"""Two tasks in each language, one with a part beside it, for tests of contexts, expansion and working memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem import Memory

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
Row = tuple[str, str, str, dict[str, Any], int]


def fact(subject: str, relation: str, value: str) -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": value}


ENGLISH: tuple[Row, ...] = (
    ("yard", "Goal", "Make the back yard fit for children", {"status": "in_progress"}, 60),
    ("tree", "Goal", "Build the tree house in the back yard", {"status": "in_progress"}, 60),
    ("sand", "Goal", "Dig a sandpit in the back yard", {"status": "pending"}, 60),
    ("plan", "Plan", "Tree house plan", {"status": "in_progress"}, 55),
    ("saw", "Step", "Saw the beams for the tree house", {"order": 2, "status": "in_progress"}, 50),
    ("draw", "Step", "Draw the tree house", {"order": 1, "status": "completed"}, 50),
    ("hoist", "Step", "Hoist the platform of the tree house", {"order": 3, "status": "pending"}, 50),
    (
        "height",
        "Constraint",
        "The tree house may hang at most 2 metres high",
        {"attribute": "height", "operator": "lte", "value": 2, "unit": "m"},
        50,
    ),
    ("oak", "Fact", "The oak is 90 years old", fact("oak", "age", "90 years"), 50),
    ("elm", "Fact", "The oak is 120 years old", fact("oak", "age", "120 years"), 50),
    ("storm", "Event", "A storm broke a beam of the tree house", {"event_type": "accident"}, 20),
    ("order", "Event", "A new beam of the tree house was ordered", {"event_type": "order"}, 18),
    ("spade", "Step", "Borrow a spade for the sandpit", {"order": 1, "status": "pending"}, 50),
    ("tax", "Goal", "File the tax return", {"status": "pending"}, 60),
    ("slips", "Step", "Collect the slips for the tax return", {"order": 1, "status": "pending"}, 50),
)
CHINESE: tuple[Row, ...] = (
    ("tree", "Goal", "在院子里盖树屋", {"status": "in_progress"}, 60),
    ("plan", "Plan", "树屋的搭建计划", {"status": "in_progress"}, 55),
    ("saw", "Step", "锯好树屋的横梁", {"order": 2, "status": "in_progress"}, 50),
    ("draw", "Step", "画好树屋的图纸", {"order": 1, "status": "completed"}, 50),
    ("storm", "Event", "大风刮断了树屋的横梁", {"event_type": "accident"}, 20),
    ("order", "Event", "重新订购了树屋的横梁", {"event_type": "order"}, 18),
    ("tax", "Goal", "完成今年的报税", {"status": "pending"}, 60),
    ("slips", "Step", "收集报税的单据", {"order": 1, "status": "pending"}, 50),
)
LINKS = (
    ("tree", "SUBTASK_OF", "yard"),
    ("sand", "SUBTASK_OF", "yard"),
    ("plan", "SUBTASK_OF", "tree"),
    ("draw", "SUBTASK_OF", "plan"),
    ("saw", "SUBTASK_OF", "plan"),
    ("hoist", "SUBTASK_OF", "plan"),
    ("height", "PART_OF", "tree"),
    ("oak", "PART_OF", "tree"),
    ("elm", "PART_OF", "tree"),
    ("storm", "PART_OF", "tree"),
    ("order", "PART_OF", "tree"),
    ("storm", "CAUSES", "order"),
    ("spade", "SUBTASK_OF", "sand"),
    ("slips", "SUBTASK_OF", "tax"),
    ("oak", "CONTRADICTS", "elm"),
)


def load(memory: Memory, rows: tuple[Row, ...] = ENGLISH) -> dict[str, str]:
    """Adds the world; the stored id of each name."""
    records = [
        {"type": type_, "content": {"text": text}, "properties": slots, "time": {"valid_from": NOW - timedelta(days=ago)}}
        for _, type_, text, slots, ago in rows
    ]
    outcomes = memory.add(records, policy="keep_both")
    ids = {row[0]: outcome.memory.id for row, outcome in zip(rows, outcomes, strict=True) if outcome.memory is not None}
    for source, type_, target in LINKS:
        if source in ids and target in ids:
            memory.link(ids[source], type_, ids[target])
    return ids
