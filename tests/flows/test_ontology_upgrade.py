"""A store is carried over to another ontology: checked first, rewritten and rekeyed, restamped last."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphmem import Memory
from graphmem.config import load_settings
from graphmem.embedders.fake import FakeEmbedder
from graphmem.errors import InvalidInput, SchemaMismatch
from graphmem.ontology import Ontology
from graphmem.records import Constraint, Event, Goal, Observation, Preference
from graphmem.serve.cli import app
from graphmem.testing import FrozenClock
from graphmem.upgrading import upgrade_store
from tests.flows.world import START, day

OLD = "extends: core@1\nname: shop\nversion: '1.0'\ntypes:\n  Ticket:\n    about: a complaint\n    half_life: never\n    slots:\n      mood: {kind: text}\n"
NEW = OLD.replace("'1.0'", "'1.1'") + "predicates:\n  shelf_of: {kind: text, functional: true, en: 'is on shelf'}\n"
SETTINGS = load_settings(extraction=False)


def opened(path: Path, ontology: str) -> Memory:
    return Memory.open(path, ontology=Ontology.load(ontology), settings=SETTINGS, embedder=FakeEmbedder(), clock=FrozenClock(START))


def carried(path: Path, ontology: str, *, dry_run: bool = False) -> dict[str, object]:
    done = asyncio.run(upgrade_store(path, Ontology.load(ontology), settings=SETTINGS, embedder=FakeEmbedder(), dry_run=dry_run))
    return {"read": done.read, "rewritten": done.rewritten, "rekeyed": done.rekeyed, "refused": done.refused.total()}


def fill(memory: Memory) -> None:
    memory.remember("a turn", speaker="Ann", said_at=day(0))
    memory.add([Goal("Sort the shelves", deadline="2026-04-01"), Observation("dusty", about="the shelf"), Event("Sale", time="2026-03-10")])
    memory.add([Preference(subject="Ann", object="tea", polarity="like"), Constraint(attribute="budget", operator="lte", value="50 EUR")])
    memory.add({"type": "Ticket", "text": "torn box", "properties": {"mood": "cross"}})
    memory.add_triple("Ann", "lives_in", "Leeds", valid_from=day(-2))
    for number, place in enumerate(("A1", "B2")):
        memory.add_triple("the tea", "is on shelf", place, valid_from=day(-9 + number))


def test_the_same_ontology_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", OLD) as memory:
        fill(memory)
        memory.export(tmp_path / "a")
    assert carried(tmp_path / "m.db", OLD) == {"read": 10, "rewritten": 0, "rekeyed": 0, "refused": 0}
    with opened(tmp_path / "m.db", OLD) as memory:
        memory.export(tmp_path / "b")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_a_predicate_that_becomes_functional_rekeys_and_settles(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path, OLD) as memory:
        fill(memory)
        assert len(memory.list({"relation": "is_on_shelf"})) == 2
    with pytest.raises(SchemaMismatch):
        opened(path, NEW)
    assert carried(path, NEW, dry_run=True)["refused"] == 0
    with pytest.raises(SchemaMismatch):
        opened(path, NEW)
    carried(path, NEW)
    with opened(path, NEW) as memory:
        assert sorted(str(one.properties["object"]) for one in memory.list({"type": "Fact"})) == ["B2", "Leeds"]
        memory.add_triple("the tea", "is on shelf", "C3", valid_from=day(-1))
        assert sorted(str(one.properties["object"]) for one in memory.list({"type": "Fact"})) == ["C3", "Leeds"]
        assert memory.count() == 9


def test_what_does_not_fit_is_counted_and_nothing_is_done(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db", OLD) as memory:
        fill(memory)
    assert carried(tmp_path / "m.db", "extends: core@1\nname: shop\nversion: '2.0'\n", dry_run=True)["refused"] == 1
    with pytest.raises(InvalidInput, match="1 memories do not fit"):
        carried(tmp_path / "m.db", "extends: core@1\nname: shop\nversion: '2.0'\n")
    with opened(tmp_path / "m.db", OLD) as memory:
        assert memory.count({"type": "Ticket"}) == 1


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EXTRACTION", "EMBEDDER"):
        monkeypatch.setenv(f"GRAPHMEM_{name}", {"EXTRACTION": "false", "EMBEDDER": "none"}[name])
    old, new, store = tmp_path / "old.yaml", tmp_path / "new.yaml", str(tmp_path / "m.db")
    old.write_text(OLD, encoding="utf-8")
    new.write_text(NEW, encoding="utf-8")
    run = CliRunner()
    assert "Ticket — a complaint" in run.invoke(app, ["ontology", "show", str(old)]).output
    assert "Goal" in json.loads(run.invoke(app, ["ontology", "show", "--json"]).output)["types"]
    assert run.invoke(app, ["ontology", "check", str(old)]).exit_code == 0
    (tmp_path / "bad.yaml").write_text("extends: core@9\n", encoding="utf-8")
    assert run.invoke(app, ["ontology", "check", str(tmp_path / "bad.yaml")]).exit_code == 1
    assert "rekey" in run.invoke(app, ["ontology", "diff", str(old), str(new)]).output
    assert "changes" not in run.invoke(app, ["ontology", "diff", str(old), str(new), "--json"]).output
    with Memory.open(store, settings=load_settings(), clock=FrozenClock(START)) as memory:
        memory.add({"type": "EmotionalState", "text": "cross", "properties": {"emotion": "anger"}})
    dry = run.invoke(app, ["consolidate", "--dry-run", "--store", store]).output
    assert "1 actions would be done: 1 archive" in dry
    done = json.loads(run.invoke(app, ["consolidate", "--store", store, "--json"]).output)
    assert "1 memories are as they were" in run.invoke(app, ["undo", done["actions"][0]["id"], "--store", store]).output
    assert "Unresolved: 1" in run.invoke(app, ["report", "--store", store]).output
    assert json.loads(run.invoke(app, ["report", "--store", store, "--json", "--since", "2026-01-01"]).output)["user_id"] == "default"
    assert "nothing to do" in run.invoke(app, ["consolidate", "--store", store, "--report"]).output
    assert isinstance(run.invoke(app, ["consolidate", "--every", "soon", "--store", store]).exception, InvalidInput)
    assert "1 memories read" in run.invoke(app, ["ontology", "upgrade", str(new), "--store", store, "--dry-run"]).output
    assert json.loads(run.invoke(app, ["ontology", "upgrade", str(new), "--store", store, "--json"]).output)["read"] == 1
