"""Conversations with questions, encoded once: what `quality.py` measures on."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from graphmem.core import question as questions
from graphmem.core.tokens import search_tokens
from graphmem.embedders.onnx import OnnxEmbedder
from graphmem.ports import Encoding, TokenVectors, Vector
from graphmem.text import fold_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    id: str
    text: str
    tokens: tuple[str, ...]
    speaker: str
    session: str
    said_at: datetime
    encoding: Encoding
    previous: str | None = None
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`first` encodes the question in the first person, `third` as it was asked."""

    text: str
    category: int
    gold: frozenset[str]
    prepared: questions.Question
    first: Encoding
    third: Encoding


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def _save(path: Path, encodings: Sequence[Encoding]) -> None:
    tokens = [encoding.tokens for encoding in encodings if encoding.tokens is not None]
    shape = [{"pieces": one.pieces, "words": one.words, "spans": one.spans} for one in tokens]
    vectors = np.concatenate([one.vectors for one in tokens]).astype(np.float16)
    np.savez(path, pooled=np.stack([encoding.vector for encoding in encodings]), tokens=vectors, shape=np.array(json.dumps(shape)))


def _read(path: Path) -> list[Encoding]:
    with np.load(path) as stored:
        pooled, vectors, shape = stored["pooled"], stored["tokens"].astype(np.float32), json.loads(str(stored["shape"]))
    starts = np.cumsum([0, *(len(one["pieces"]) for one in shape)])
    return [
        Encoding(pooled[i], TokenVectors(tuple(one["pieces"]), tuple(one["words"]), tuple((a, b) for a, b in one["spans"]), vectors[starts[i] : starts[i + 1]]))
        for i, one in enumerate(shape)
    ]  # fmt: skip


def _encoded(path: Path, texts: Sequence[str], embedder: OnnxEmbedder, *, asked: bool) -> list[Encoding]:
    digest = hashlib.sha256("\n".join([embedder.model_id, *texts]).encode()).hexdigest()[:8]
    path = path.with_name(f"{path.stem}-{digest}.npz")
    if not path.exists():
        _save(path, asyncio.run(embedder.encode_queries(texts) if asked else embedder.encode_documents(texts)))
    return _read(path)


def _raw_turns(conversation: Mapping[str, Any]) -> list[tuple[str, str, str, str, datetime]]:
    """Id, text with its photo's caption, speaker, session, moment of every turn."""
    found = []
    for name in sorted((key for key in conversation if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])):
        start = datetime.strptime(conversation[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for i, turn in enumerate(conversation[name]):
            caption = f" [shares a photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = turn.get("text", "") + caption
            if text.strip():
                found.append((turn["dia_id"], text, turn["speaker"], name, start + timedelta(seconds=30 * i)))
    return found


def _gold(raw: Sequence[str], known: frozenset[str]) -> frozenset[str]:
    matches = re.findall(r"D:?(\d+):0*(\d+)", " ".join(raw))
    return frozenset(f"D{session}:{turn}" for session, turn in matches) & known


def _turns(sample: Mapping[str, Any], cache: Path, embedder: OnnxEmbedder) -> tuple[Turn, ...]:
    raw = _raw_turns(sample["conversation"])
    encodings = _encoded(cache / f"{sample['sample_id']}-turns.npz", [text for _, text, *_ in raw], embedder, asked=False)
    turns = [
        Turn(
            id=name,
            text=text,
            tokens=tuple(search_tokens(text)),
            speaker=fold_name(speaker),
            session=session,
            said_at=at,
            encoding=encoding,
        )
        for (name, text, speaker, session, at), encoding in zip(raw, encodings, strict=True)
    ]
    same = [one.session == other.session for one, other in pairwise(turns)]
    before = [None, *(turn.id if joined else None for turn, joined in zip(turns, same, strict=False))]
    after = [*(turn.id if joined else None for turn, joined in zip(turns[1:], same, strict=True)), None]
    return tuple(replace(turn, previous=a, next=b) for turn, a, b in zip(turns, before, after, strict=True))


def load(data: Path, cache: Path) -> tuple[list[Conversation], Vector, Vector]:
    """Read the conversations with their encodings, and the embedder's mean vector and mean token vector."""
    cache.mkdir(parents=True, exist_ok=True)
    embedder = OnnxEmbedder.default(cache / "model")
    found = []
    for sample in json.loads(data.read_text(encoding="utf-8")):
        turns = _turns(sample, cache, embedder)
        known = frozenset(turn.id for turn in turns)
        speakers = sorted({speaker for _, _, speaker, *_ in _raw_turns(sample["conversation"])})
        asked = [(qa["question"], qa["category"], gold) for qa in sample["qa"] if (gold := _gold(qa.get("evidence") or [], known))]
        prepared = [questions.prepare(text, speakers) for text, *_ in asked]
        first = _encoded(cache / f"{sample['sample_id']}-first.npz", [one.embedded for one in prepared], embedder, asked=True)
        third = _encoded(cache / f"{sample['sample_id']}-third.npz", [text for text, *_ in asked], embedder, asked=True)
        found.append(
            Conversation(
                sample["sample_id"],
                turns,
                tuple(
                    Question(text=text, category=category, gold=gold, prepared=ready, first=a, third=b)
                    for (text, category, gold), ready, a, b in zip(asked, prepared, first, third, strict=True)
                ),
            )
        )
    return found, embedder.mean, embedder.token_mean
