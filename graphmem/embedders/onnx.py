"""Sentence vectors by onnxruntime: the local default model, or any sentence-embedding ONNX folder."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread
import numpy as np

from graphmem.embedders import e5_weights, folder
from graphmem.embedders.pieces import Pieces, Tokenizer, UnigramTokenizer, Vocabulary, word_numbers
from graphmem.errors import ConfigurationError
from graphmem.ports import Encoding, TokenVectors, Vector

DEFAULT_MODEL_ID, DEFAULT_DIMENSIONS, DEFAULT_MAX_TOKENS = e5_weights.MODEL_ID, e5_weights.DIMENSIONS, e5_weights.MAX_TOKENS
BATCH_TOKENS = 224
"""Tokens of one run, padding included: beyond it the activations leave the processor's cache and the speed falls."""
CHUNK = 512
"""Texts that one visit to the worker thread takes: sorted by length within, cancellable between."""
REMEMBERED_QUERIES = 256


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    pieces: Pieces
    ids: list[int]
    skip: int
    """Ids before the text's own: the opening mark and the prefix."""


class OnnxEmbedder:
    """A TokenEmbedder over one ONNX session; safe to share between threads and tasks."""

    def __init__(
        self, model: folder.Model, tokenizer: Tokenizer, *, threads: int | None = None, means: e5_weights.Means | None = None
    ) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._session = _session(model, threads)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._outputs = folder.outputs(self._session, model)
        self._dimensions = int(self._run([tokenizer.wrap([])], tokens=False)[0].shape[-1])
        self._prefixes = {prefix: tokenizer.encode(prefix).ids for prefix in (model.query_prefix, model.document_prefix)}
        self._queries: OrderedDict[str, Encoding] = OrderedDict()
        self._lock = threading.Lock()
        self._mean, self._token_mean = means if means is not None else self.measure(folder.neutral_texts())

    @classmethod
    def default(cls, cache: Path, *, progress: e5_weights.Progress | None = None, threads: int | None = None) -> OnnxEmbedder:
        """multilingual-e5-small in int8; built into the cache at the first use (some seconds, no network), with `progress(done, steps)`."""
        folder.need("onnxruntime", "local")
        if not e5_weights.is_complete(cache / e5_weights.FOLDER):
            folder.need("onnx", "local")

        path = e5_weights.ensure(cache, _Probe(threads), progress)
        return cls(_default_model(path), _default_tokenizer(path), threads=threads, means=tuple(np.load(path / "means.npy")))

    @classmethod
    def from_directory(
        cls,
        path: str | Path,
        *,
        pooling: folder.Pooling | None = None,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        threads: int | None = None,
    ) -> OnnxEmbedder:
        """Open a folder with an ONNX file and its tokenizer.json, or the hub's name of one; what is not given is read from its config files."""
        folder.need("onnxruntime", "local")
        folder.need("tokenizers", "local")
        model = folder.read(folder.locate(path), pooling=pooling, query_prefix=query_prefix, document_prefix=document_prefix)
        return cls(model, folder.tokenizer(model), threads=threads)

    @property
    def model_id(self) -> str:
        return self._model.model_id

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return self._model.max_tokens

    @property
    def mean(self) -> Vector:
        return self._mean

    @property
    def token_mean(self) -> Vector:
        return self._token_mean

    async def embed_documents(self, texts: Sequence[str]) -> Vector:
        return self._stack([encoding async for encoding in self._documents(texts, tokens=False)])

    async def encode_documents(self, texts: Sequence[str]) -> list[Encoding]:
        return [encoding async for encoding in self._documents(texts, tokens=True)]

    async def embed_queries(self, texts: Sequence[str]) -> Vector:
        return self._stack(await self._ask(texts, tokens=False))

    async def encode_queries(self, texts: Sequence[str]) -> list[Encoding]:
        return await self._ask(texts, tokens=True)

    def count_tokens(self, text: str) -> int:
        """Count the text's own pieces; prefix and special tokens not counted."""
        return len(self._tokenizer.encode(text).ids)

    def split(self, text: str, max_tokens: int | None = None) -> list[str]:
        """Cut the text at word bounds into parts that fit the model (or `max_tokens`), nothing lost."""
        most = max(1, min(max_tokens or self.max_tokens, self.max_tokens - self._overhead()))
        pieces = self._tokenizer.encode(text)
        words = word_numbers(text, pieces.spans)
        starts, first = [0], 0
        while first + most < len(pieces.ids):
            cut = first + most
            bound = next((at for at in range(cut, first, -1) if words[at] != words[at - 1]), cut)
            starts.append(pieces.spans[bound][0])
            first = bound
        return [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]

    def measure(self, texts: Sequence[str]) -> tuple[Vector, Vector]:
        """Compute the mean vector and the mean token vector of these texts, taken as documents."""
        found = self._encode(texts, self._model.document_prefix, tokens=True)
        rows = [encoding.tokens.vectors for encoding in found if encoding.tokens is not None]
        mean: Vector = np.mean([encoding.vector for encoding in found], axis=0, dtype=np.float32)
        token_mean: Vector = np.concatenate(rows).mean(axis=0, dtype=np.float32)
        return mean, token_mean

    async def _documents(self, texts: Sequence[str], *, tokens: bool) -> AsyncIterator[Encoding]:
        prefix = self._model.document_prefix
        for start in range(0, len(texts), CHUNK):
            part = texts[start : start + CHUNK]
            for encoding in await anyio.to_thread.run_sync(partial(self._encode, part, prefix, tokens=tokens)):
                yield encoding

    async def _ask(self, texts: Sequence[str], *, tokens: bool) -> list[Encoding]:
        known = self._remembered(texts, tokens=tokens)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            fresh = await anyio.to_thread.run_sync(partial(self._encode, missing, self._model.query_prefix, tokens=tokens))
            known |= dict(zip(missing, fresh, strict=True))
            self._remember(dict(zip(missing, fresh, strict=True)))
        return [known[text] for text in texts]

    def ranges(self, texts: Sequence[str], names: Sequence[str]) -> dict[str, Vector]:
        """Find the greatest magnitude per channel that these outputs of the graph take over texts as documents."""
        found: dict[str, Vector] = {}
        for text in texts:
            ids = np.array([self._prepare(text, self._model.document_prefix).ids], np.int64)
            values = self._session.run(list(names), {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            for name, value in zip(names, values, strict=True):
                most = np.abs(value).max(axis=(0, 1))
                found[name] = np.maximum(found[name], most) if name in found else most
        return found

    def _remembered(self, texts: Sequence[str], *, tokens: bool) -> dict[str, Encoding]:
        with self._lock:
            found = {text: self._queries[text] for text in texts if text in self._queries}
            for text in found:
                self._queries.move_to_end(text)
        return {text: encoding for text, encoding in found.items() if encoding.tokens is not None or not tokens}

    def _remember(self, fresh: dict[str, Encoding]) -> None:
        with self._lock:
            self._queries |= fresh
            while len(self._queries) > REMEMBERED_QUERIES:
                self._queries.popitem(last=False)

    def _stack(self, found: Sequence[Encoding]) -> Vector:
        return np.stack([encoding.vector for encoding in found]) if found else np.zeros((0, self._dimensions), np.float32)

    def _overhead(self) -> int:
        return len(self._tokenizer.wrap([])) + max(map(len, self._prefixes.values()))

    def _prepare(self, text: str, prefix: str) -> _Text:
        before = self._prefixes[prefix]
        frame = self._tokenizer.wrap([])
        pieces = self._tokenizer.encode(text).cut(self.max_tokens - len(frame) - len(before))
        return _Text(text, pieces, self._tokenizer.wrap([*before, *pieces.ids]), (len(frame) + 1) // 2 + len(before))

    def _encode(self, texts: Sequence[str], prefix: str, *, tokens: bool) -> list[Encoding]:
        prepared = [self._prepare(text, prefix) for text in texts]
        found: dict[int, Encoding] = {}
        for batch in _batches(prepared):
            pooled, last = self._run([prepared[at].ids for at in batch], tokens=tokens)
            for row, at in enumerate(batch):
                found[at] = Encoding(_frozen(pooled[row]), self._tokens(prepared[at], last[row]) if last is not None else None)
        return [found[at] for at in range(len(texts))]

    def _tokens(self, prepared: _Text, last: Vector) -> TokenVectors:
        pieces = prepared.pieces
        vectors = _frozen(last[prepared.skip : prepared.skip + len(pieces.ids)])
        names = tuple(map(self._tokenizer.piece, pieces.ids))
        return TokenVectors(names, word_numbers(prepared.text, pieces.spans), pieces.spans, vectors)

    def _run(self, rows: Sequence[Sequence[int]], *, tokens: bool) -> tuple[Vector, Vector | None]:
        """One run of the model: unit vectors (rows, dimensions) and, if asked, last-layer tokens (rows, length, dimensions)."""
        ids = np.full((len(rows), max(map(len, rows))), self._model.padding, np.int64)
        mask = np.zeros_like(ids)
        for at, row in enumerate(rows):
            ids[at, : len(row)], mask[at, : len(row)] = row, 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        feed = {name: feed[name] for name in self._inputs}
        pooled_name, tokens_name = self._outputs
        if pooled_name is None:
            last = self._session.run([tokens_name], feed)[0]
            return folder.pool(last, mask, self._model.pooling), last if tokens else None
        if tokens and tokens_name is not None:
            pooled, last = self._session.run([pooled_name, tokens_name], feed)
            return folder.unit(pooled), last
        return folder.unit(self._session.run([pooled_name], feed)[0]), None


@dataclass(frozen=True, slots=True)
class _Probe:
    """Runs the default model while it is being built."""

    threads: int | None

    def ranges(self, path: Path, names: Sequence[str]) -> dict[str, Vector]:
        return self._open(path).ranges(folder.neutral_texts(), names)

    def means(self, path: Path) -> e5_weights.Means:
        return self._open(path).measure(folder.neutral_texts())

    def _open(self, path: Path) -> OnnxEmbedder:
        blank = np.zeros(DEFAULT_DIMENSIONS, np.float32)
        return OnnxEmbedder(_default_model(path), _default_tokenizer(path), threads=self.threads, means=(blank, blank))


def _batches(prepared: Sequence[_Text]) -> Iterator[list[int]]:
    """Yield indices in batches of about one length, so that little is padding."""
    batch: list[int] = []
    for at in sorted(range(len(prepared)), key=lambda at: len(prepared[at].ids)):
        if batch and len(prepared[at].ids) * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _frozen(values: Vector) -> Vector:
    """Make a copy of its own that nobody can change: what is remembered is shared."""
    copy = np.array(values, np.float32)
    copy.flags.writeable = False
    return copy


def _session(model: folder.Model, threads: int | None) -> Any:
    import onnxruntime  # noqa: PLC0415 — an extra, loaded when used

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.inter_op_num_threads = 1
    if model.fused:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    if threads is not None:
        options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(str(model.file), options, providers=["CPUExecutionProvider"])
    except _failures() as error:
        raise ConfigurationError(f"{model.file} cannot be loaded by onnxruntime: {error}") from error


def _failures() -> tuple[type[Exception], ...]:
    """Name what onnxruntime raises for a file that is no model, or one it cannot run; they have no base of their own."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state  # noqa: PLC0415

    return (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NoSuchFile,
        state.NotImplemented,
        RuntimeError,
    )


def _default_model(path: Path) -> folder.Model:
    return folder.Model(path / "model.onnx", DEFAULT_MODEL_ID, DEFAULT_MAX_TOKENS, "mean", 1, "query: ", "passage: ", fused=True)


def _default_tokenizer(path: Path) -> UnigramTokenizer:
    stored = json.loads((path / "vocabulary.json").read_text(encoding="utf-8"))
    pieces = (path / "pieces.txt").read_text(encoding="utf-8").split("\n")
    folding = {int(character): text for character, text in stored["folding"].items()}
    scores = tuple(np.load(path / "scores.npy").tolist())
    return UnigramTokenizer(Vocabulary(tuple(pieces), scores, folding, stored["begin"], stored["end"], stored["unknown"]))
