from __future__ import annotations

import anyio
import numpy as np

from graphmem.embedders.fake import FakeEmbedder
from graphmem.ports import gives_tokens

TEXTS = ["Mia has a red bicycle.", "Mia's bicycle is red", "the invoice is late", "我住在上海。", ""]


def test_it_gives_tokens_and_unit_vectors() -> None:
    embedder = FakeEmbedder()
    vectors = anyio.run(embedder.embed_documents, TEXTS)
    assert gives_tokens(embedder)
    assert vectors.shape == (5, 64)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_shared_words_are_near_and_runs_agree() -> None:
    vectors = anyio.run(FakeEmbedder().embed_documents, TEXTS)
    again = anyio.run(FakeEmbedder().embed_queries, TEXTS)
    assert np.array_equal(vectors, again)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_tokens_name_their_characters() -> None:
    encoded = anyio.run(FakeEmbedder().encode_documents, TEXTS)
    for text, encoding in zip(TEXTS, encoded, strict=True):
        assert encoding.tokens is not None
        assert encoding.tokens.pieces == tuple(text[start:stop] for start, stop in encoding.tokens.spans)
        assert encoding.tokens.vectors.shape == (len(encoding.tokens.pieces), 64)


def test_no_texts_give_no_rows() -> None:
    assert anyio.run(FakeEmbedder().embed_documents, []).shape == (0, 64)


def test_sizes_and_names_are_told_apart() -> None:
    assert FakeEmbedder(32).model_id != FakeEmbedder().model_id
    assert FakeEmbedder(model_id="mine").model_id == "mine"
