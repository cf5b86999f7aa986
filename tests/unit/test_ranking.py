"""The score of candidates: each rule on a small dialogue, and what holds for any input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.core.bm25 import bm25
from graphmem.core.candidates import Candidate, asks, ends_asking
from graphmem.core.late import centred, late_query, pack
from graphmem.core.named_days import NamedDay, date_scores, named_days
from graphmem.core.question import Question, first_person, prepare
from graphmem.core.ranking import DEFAULT, rank, shortlist, vector_scores, z
from graphmem.core.tokens import search_tokens
from graphmem.ports import TokenVectors, Vector

START = datetime(2026, 3, 10, 9, tzinfo=UTC)
TALK = (
    ("omar", "How was the trip, did you see the glacier?"),
    ("lena", "Yes, we hiked for two days and it was stunning"),
    ("omar", "My sourdough finally rose this morning"),
    ("lena", "Lovely, mine never does"),
    ("omar", "I will bring you a loaf"),
)


def unit(*values: float) -> Vector:
    vector = np.array(values, dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def talk(vectors: Sequence[Vector] = (), late: Sequence[bytes] = ()) -> list[Candidate]:
    names = [f"t{i}" for i in range(len(TALK))]
    return [
        Candidate(
            id=names[i],
            text=text,
            tokens=search_tokens(text),
            vectors=(vectors[i],) if vectors else (),
            late=(late[i],) if late else (),
            speaker=speaker,
            session="s",
            said_at=START + timedelta(minutes=i),
            previous=names[i - 1] if i else None,
            next=names[i + 1] if i + 1 < len(names) else None,
        )
        for i, (speaker, text) in enumerate(TALK)
    ]


def first(question: str, candidates: Sequence[Candidate], vector: Vector | None = None) -> str:
    return rank(prepare(question, ("Omar", "Lena")), candidates, vector)[0].id


QUESTIONS = [("What did Lena say about the glacier?", "t1"), ("What did Omar bake: sourdough?", "t2"), ("Who brings a loaf?", "t4")]


@pytest.mark.parametrize(("question", "turn"), QUESTIONS)
def test_words_speaker_and_answers_lead(question: str, turn: str) -> None:
    assert first(question, talk()) == turn


def test_vectors_decide_where_words_do_not() -> None:
    vectors = [unit(1, 0), unit(1, 0.2), unit(0, 1), unit(1, 0.5), unit(-1, 0.1)]
    assert first("bread?", talk(vectors), unit(0, 1)) == "t2"


def test_token_vectors_decide_where_they_are() -> None:
    rng = np.random.default_rng(3)
    mean, word = np.zeros(16, dtype=np.float32), rng.normal(size=(1, 16)).astype(np.float32)
    other = rng.normal(size=(5, 16)).astype(np.float32)
    texts = [
        TokenVectors(("a", "b"), (0, 1), ((0, 1), (2, 3)), np.concatenate([other[i : i + 1], word if i == 3 else -word])) for i in range(5)
    ]
    blobs = [blob for text in texts if (blob := pack(text, mean, "int8")) is not None]
    late = late_query("glaze", TokenVectors(("glaze",), (0,), ((0, 5),), word), mean)
    question, vectors = prepare("glaze", ()), [unit(1, 0)] * 5
    found = rank(question, talk(vectors, blobs), unit(1, 0), late)
    assert found[0].id == "t3"
    assert "tokens" in found[0].reasons
    assert "tokens" not in rank(question, talk(vectors), unit(1, 0), late)[0].reasons


def test_the_parts_add_up_to_the_score() -> None:
    for ranked in rank(prepare("What did Lena hike?", ("Lena",)), talk([unit(1, i) for i in range(5)]), unit(1, 1)):
        assert ranked.score == pytest.approx(sum(ranked.reasons.values()))
        assert "asked speaker" in ranked.reasons


def test_a_named_day_lifts_its_turns() -> None:
    far = [replace(c, said_at=datetime(2026, 5, 2, tzinfo=UTC)) if c.id == "t3" else c for c in talk()]
    assert first("anything on 2 May 2026", far) == "t3"


def test_a_typed_memory_speaks_for_its_turn() -> None:
    plain = talk()
    fact = Candidate(id="fact", text="Omar bakes sourdough", tokens=["omar", "bake", "sourdough"], type="Fact", turn="t3", importance=0.9)
    question = prepare("sourdough", ())
    found = {ranked.id: ranked for ranked in rank(question, [*plain, fact], None)}
    assert found["t3"].reasons["votes"] > 0
    assert found["t2"].reasons["votes"] == 0
    assert found["fact"].reasons["importance"] > 0


def test_nothing_in_nothing_out() -> None:
    assert rank(prepare("x", ()), [], None) == []
    assert shortlist(prepare("x", ()), [], None) == []
    assert bm25(["x"], []).tolist() == []
    assert z(np.ones(3)).tolist() == [0.0, 0.0, 0.0]


def test_the_shortlist_brings_neighbours_and_keeps_the_order() -> None:
    assert shortlist(prepare("sourdough", ()), talk(), None, size=1) == ["t1", "t2", "t3"]


def test_a_candidate_without_a_vector_counts_as_the_farthest() -> None:
    one, two, *_ = talk([unit(1, 0), unit(0, 1), *[unit(1, 1)] * 3])
    bare = replace(one, id="bare", vectors=())
    assert vector_scores([one, two, bare], unit(1, 0)) == pytest.approx([1.0, 0.0, 0.0])
    several = replace(one, vectors=(unit(0, 1), unit(1, 0)))
    assert vector_scores([several, two], unit(1, 0)) == pytest.approx([1.0, 0.0])


@given(st.permutations(range(5)), st.sampled_from([question for question, _ in QUESTIONS]))
def test_the_order_of_candidates_changes_nothing(order: list[int], question: str) -> None:
    plain, ready = talk(), prepare(question, ("Omar", "Lena"))
    here = {ranked.id: ranked.score for ranked in rank(ready, plain, None)}
    there = {ranked.id: ranked.score for ranked in rank(ready, [plain[i] for i in order], None)}
    assert here == pytest.approx(there)


PERSONS = [
    ("What did Lena paint?", "What did I paint?", ("Lena",)),
    ("Where is Lena's cat?", "Where is my cat?", ("Lena",)),
    ("Did Lena Vogt call?", "Did I call?", ("Lena Vogt",)),
    ("Was Lena with Omar?", "Was I with I?", ("Lena", "Omar")),
    ("Is Lenart here?", "Is Lenart here?", ()),
    ("小明的猫叫什么？", "我的猫叫什么？", ("小明",)),
]


@pytest.mark.parametrize(("question", "embedded", "met"), PERSONS)
def test_a_question_is_asked_in_the_first_person(question: str, embedded: str, met: tuple[str, ...]) -> None:
    names = ("Lena Vogt", "Omar") if "Vogt" in question else ("Lena", "Omar", "小明")
    assert first_person(question, names) == (embedded, met)


def test_one_participant_named_is_the_asked_speaker() -> None:
    assert prepare("What did Lena paint?", ("Lena", "Omar", " ")).asked == "lena"
    assert prepare("What did Lena and Omar paint?", ("Lena", "Omar")).asked is None
    assert prepare("What was painted?", ("Lena",)) == Question("What was painted?", "What was painted?", ("paint",))


DAYS = [
    ("on 7 May, 2023", [NamedDay(5, 7, 2023)]),
    ("on May 7th", [NamedDay(5, 7)]),
    ("in May", [NamedDay(5)]),
    ("in March 2024 and on 2024-04-09", [NamedDay(3, None, 2024), NamedDay(4, 9, 2024)]),
    ("the 3rd of Sept. 2022", [NamedDay(9, 3, 2022)]),
    ("What may I march to?", []),
    ("2023年5月7日去了哪里", [NamedDay(5, 7, 2023)]),
    ("5月做了什么", [NamedDay(5)]),
    ("on 35 May", []),
    ("2024-19-01", []),
]


@pytest.mark.parametrize(("question", "days"), DAYS)
def test_months_and_days_written_out_are_read(question: str, days: list[NamedDay]) -> None:
    assert list(named_days(question)) == days


FITS = [
    (NamedDay(3), 1.0), (NamedDay(3, None, 2026), 1.0), (NamedDay(3, None, 2025), 0.0), (NamedDay(4), 0.0), (NamedDay(3, 10), 2.0),
    (NamedDay(3, 11, 2026), 2.0), (NamedDay(3, 20), 1.0), (NamedDay(2, 30), 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("day", "fit"), FITS)
def test_how_a_moment_fits_a_named_day(day: NamedDay, fit: float) -> None:
    assert date_scores((day,), [START, None]).tolist() == [fit, 0.0]
    assert date_scores((), [START]).tolist() == [0.0]


def test_a_turn_asks_with_either_mark() -> None:
    assert ends_asking("Did it snow? [shares a photo: a hill]")
    assert ends_asking("下雪了吗？")
    assert not ends_asking("Snow? Yes.")
    assert asks("Snow? Yes.")
    assert not asks("Yes.")


def test_centred_vectors_have_unit_length() -> None:
    found = centred(np.array([[3.0, 4.0], [1.0, 1.0]], dtype=np.float32), np.array([1.0, 1.0], dtype=np.float32))
    assert np.linalg.norm(found, axis=1) == pytest.approx([1.0, 0.0])


def test_weights_can_be_changed_one_by_one() -> None:
    silent = replace(DEFAULT, speaker=0.0)
    assert rank(prepare("Lena glacier", ("Lena",)), talk(), None, weights=silent)[0].reasons["asked speaker"] == 0.0
