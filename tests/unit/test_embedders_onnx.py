"""The real default model: built once per machine into the cache that the tests share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import anyio
import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from graphmem.config import cache_folder
from graphmem.embedders import e5_weights, folder
from graphmem.embedders.onnx import DEFAULT_DIMENSIONS, DEFAULT_MAX_TOKENS, DEFAULT_MODEL_ID, REMEMBERED_QUERIES, OnnxEmbedder
from graphmem.errors import ConfigurationError
from graphmem.ports import Encoding, gives_tokens

pytestmark = pytest.mark.skipif(e5_weights.packaged_weights() is None, reason="the packaged weights do not exist for this platform")
TURNS = [
    "Hi Nora, did the plumber fix the sink in the end?",
    "Yes! It took him two hours, and he charged eighty euros.",
    "我下个月搬到杭州，正在找房子。",
    "Ok.",
    "My daughter has a nut allergy, so no almond cake for us, please — the doctor was quite clear about it last week.",
]


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder.default(cache_folder())


def encode(embedder: OnnxEmbedder, texts: Sequence[str]) -> list[Encoding]:
    return anyio.run(embedder.encode_documents, texts)


def test_it_says_what_it_is(embedder: OnnxEmbedder) -> None:
    assert gives_tokens(embedder)
    assert (embedder.model_id, embedder.dimensions, embedder.max_tokens) == (DEFAULT_MODEL_ID, DEFAULT_DIMENSIONS, DEFAULT_MAX_TOKENS)
    assert embedder.mean.shape == embedder.token_mean.shape == (DEFAULT_DIMENSIONS,)


def test_vectors_are_unit_and_in_the_order_of_the_texts(embedder: OnnxEmbedder) -> None:
    vectors = anyio.run(embedder.embed_documents, TURNS)
    alone = np.concatenate([anyio.run(embedder.embed_documents, [turn]) for turn in TURNS])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert (np.argmax(vectors @ alone.T, axis=1) == np.arange(len(TURNS))).all()
    assert ((vectors * alone).sum(axis=1) > 0.99).all()


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("How much was the repair?", 1),
        ("What can her child not eat?", 4),
        ("他要搬去哪里？", 2),
        ("Who is looking for a flat in Hangzhou?", 2),
    ],
)
def test_questions_find_their_turns(embedder: OnnxEmbedder, query: str, answer: int) -> None:
    vectors = anyio.run(embedder.embed_documents, TURNS) - embedder.mean
    asked = anyio.run(embedder.embed_queries, [query])[0] - embedder.mean
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert int(np.argmax(vectors @ asked)) == answer


def test_tokens_come_with_their_words_and_the_pooled_vector(embedder: OnnxEmbedder) -> None:
    encoded = encode(embedder, TURNS)
    pooled = anyio.run(embedder.embed_documents, TURNS)
    for text, encoding, vector in zip(TURNS, encoded, pooled, strict=True):
        tokens = encoding.tokens
        assert tokens is not None
        assert np.allclose(encoding.vector, vector, atol=1e-5)
        assert tokens.vectors.shape == (len(tokens.pieces), DEFAULT_DIMENSIONS)
        assert len(tokens.words) == len(tokens.spans) == len(tokens.pieces) == embedder.count_tokens(text)
        assert "".join(text[start:stop] for start, stop in tokens.spans) == text.replace(" ", "")


def test_a_word_in_pieces_is_one_word(embedder: OnnxEmbedder) -> None:
    text = "The ophthalmologist smiled."
    tokens = encode(embedder, [text])[0].tokens
    assert tokens is not None
    ends: dict[int, tuple[int, int]] = {}
    for word, (start, stop) in zip(tokens.words, tokens.spans, strict=True):
        ends[word] = (min(start, ends.get(word, (start, stop))[0]), stop)
    assert [text[start:stop] for start, stop in ends.values()] == ["The", "ophthalmologist", "smiled", "."]


def test_queries_are_remembered_and_cannot_be_changed(embedder: OnnxEmbedder) -> None:
    first = anyio.run(embedder.encode_queries, ["Who called?", "Who called?"])
    again = anyio.run(embedder.encode_queries, ["Who called?"])
    assert first[0] is first[1] is again[0]
    with pytest.raises(ValueError, match="read-only"):
        again[0].vector[0] = 2.0
    assert anyio.run(embedder.embed_queries, ["Who called?"]).flags.writeable


def test_the_memory_of_queries_is_bounded(embedder: OnnxEmbedder) -> None:
    anyio.run(embedder.embed_queries, [f"number {number}" for number in range(REMEMBERED_QUERIES + 20)])
    assert len(embedder._queries) == REMEMBERED_QUERIES


def test_long_and_odd_texts(embedder: OnnxEmbedder) -> None:
    texts = ["word " * 3000, "", " \n", "\x00\x07", "<s> </s> <mask>", "😀" * 40, "\ud800"]
    encoded = encode(embedder, texts)
    assert all(np.isfinite(encoding.vector).all() for encoding in encoded)
    assert encoded[0].tokens is not None
    assert len(encoded[0].tokens.pieces) < DEFAULT_MAX_TOKENS
    assert anyio.run(embedder.embed_documents, []).shape == (0, DEFAULT_DIMENSIONS)


def test_split_loses_nothing_and_fits(embedder: OnnxEmbedder) -> None:
    text = "A rather long note about the garden, the shed and the fence. 院子里的篱笆坏了。 " * 40
    parts = embedder.split(text, 50)
    assert "".join(parts) == text
    assert len(parts) > 10
    assert max(map(embedder.count_tokens, parts)) <= 51  # a cut may leave the mark of a word's start alone
    assert embedder.split("short") == ["short"]
    assert embedder.split("") == [""]


def test_many_tasks_share_one_session(embedder: OnnxEmbedder) -> None:
    found: dict[int, np.ndarray] = {}

    async def ask(number: int) -> None:
        found[number] = (await embedder.embed_documents([TURNS[number % len(TURNS)]]))[0]

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(ask, number)

    anyio.run(all_at_once)
    assert all(np.allclose(found[number], found[number % len(TURNS)], atol=1e-5) for number in found)


def test_the_same_pieces_as_the_reference_tokenizer(embedder: OnnxEmbedder, tmp_path: Path) -> None:
    built = cache_folder() / e5_weights.FOLDER
    pieces = (built / "pieces.txt").read_text(encoding="utf-8").split("\n")
    reference = Tokenizer(models.Unigram(list(zip(pieces, np.load(built / "scores.npy").tolist(), strict=True)), unk_id=3))
    reference.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    reference.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    odd = [
        "naïve café ﬁ ½ …",
        "ｆｕｌｌ",
        "e\u0301te\u0301",
        "ок, ещё",
        "日本語のテスト",
        "한국어",
        "x" * 200,
        "$99.50 10:30am",
        "zero\u200bwidth",
        "👩‍👧",
    ]
    for text in [*folder.neutral_texts(), *odd]:
        assert list(embedder._tokenizer.encode(text).ids) == reference.encode(text, add_special_tokens=False).ids, text


# ── building ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def built(embedder: OnnxEmbedder) -> Path:
    return cache_folder() / e5_weights.FOLDER


def test_the_built_folder_holds_what_its_manifest_says(built: Path) -> None:
    manifest = e5_weights.read_manifest(built)
    assert manifest is not None
    assert manifest["weights"]["sha256"] == e5_weights.SHA256
    assert e5_weights.verify(built)


class NoProbe:
    def ranges(self, _folder: Path, _names: Sequence[str]) -> dict[str, np.ndarray]:
        raise AssertionError("nothing is to be built")

    means: Callable[[Path], e5_weights.Means] = ranges  # type: ignore[assignment]  # neither is reached


def damaged(built: Path, into: Path) -> Path:
    target = into / e5_weights.FOLDER
    target.mkdir()
    (target / "manifest.json").write_bytes((built / "manifest.json").read_bytes())
    (target / "model.onnx").write_bytes(b"cut off")
    return target


def test_a_damaged_folder_is_not_taken_for_complete(built: Path, tmp_path: Path) -> None:
    target = damaged(built, tmp_path)
    assert not e5_weights.is_complete(target)
    assert not e5_weights.verify(target)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"model_id": "another", "files": {}}'])
def test_a_strange_manifest_is_no_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    assert e5_weights.read_manifest(tmp_path) is None


def test_without_the_wheel_the_error_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5_weights, "PACKAGE", "a-package-that-is-not-installed")
    with pytest.raises(ConfigurationError, match=r"graphmem\[hub\]"):
        e5_weights.ensure(tmp_path, NoProbe())


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "weights.bin"
    other.write_bytes(b"E5S1 and then something else")
    monkeypatch.setattr(e5_weights, "packaged_weights", lambda: other)
    with pytest.raises(ConfigurationError, match="not the one expected"):
        e5_weights.ensure(tmp_path / "cache", NoProbe())
    assert list((tmp_path / "cache").iterdir()) == []


def test_an_unusable_cache_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigurationError, match="GRAPHMEM_CACHE"):
        e5_weights.ensure(tmp_path / "file" / "cache", NoProbe())


@pytest.mark.slow
def test_two_builds_at_once_leave_one_folder(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []

    async def both() -> None:
        async with anyio.create_task_group() as group:
            for progress in (lambda done, of: steps.append((done, of)), None):
                group.start_soon(anyio.to_thread.run_sync, partial(OnnxEmbedder.default, tmp_path, progress=progress))

    anyio.run(both)
    assert [path.name for path in tmp_path.iterdir()] == [e5_weights.FOLDER]
    assert e5_weights.verify(tmp_path / e5_weights.FOLDER)
    assert steps[-1] == (e5_weights.STEPS, e5_weights.STEPS)
    assert [done for done, _ in steps] == list(range(1, e5_weights.STEPS + 1))


# ── any folder ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of our own: a table of vectors, one per word of a closed vocabulary."""
    path = tmp_path_factory.mktemp("small") / "tiny-table"
    path.mkdir()
    words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "tea", "coffee", "bread", "the", "question", ":"]
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 1), ("[SEP]", 2)])
    tokenizer.save(str(path / "tokenizer.json"))
    table = numpy_helper.from_array(np.random.default_rng(5).standard_normal((len(words), 8)).astype(np.float32), "table")
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "l"]) for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    made = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "l", 8])]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(nodes, "tiny", given, made, [table])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (path / "model.onnx").write_bytes(model.SerializeToString())
    (path / "config.json").write_text(json.dumps({"max_position_embeddings": 8, "pad_token_id": 0}))
    (path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "question: ", "document": ""}}))
    return path


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_a_folder_is_read_with_its_prefixes_and_pooling(small_folder: Path, pooling: folder.Pooling) -> None:
    embedder = OnnxEmbedder.from_directory(small_folder, pooling=pooling)
    tokens = anyio.run(embedder.encode_queries, ["the tea"])[0].tokens
    assert tokens is not None
    assert (tokens.pieces, tokens.spans, tokens.words) == (("the", "tea"), ((0, 3), (4, 7)), (0, 1))
    assert (embedder.dimensions, embedder.max_tokens) == (8, 8)
    assert embedder.model_id.startswith("tiny-table@")
    assert np.isclose(np.linalg.norm(anyio.run(embedder.embed_documents, ["bread"])[0]), 1, atol=1e-5)


def test_prefixes_given_go_before_those_of_the_folder(small_folder: Path) -> None:
    plain = OnnxEmbedder.from_directory(small_folder, query_prefix="")
    prefixed = OnnxEmbedder.from_directory(small_folder)
    first, second = (anyio.run(embedder.embed_queries, ["tea"])[0] for embedder in (plain, prefixed))
    assert not np.allclose(first, second)
    assert np.allclose(first, anyio.run(plain.embed_documents, ["tea"])[0], atol=1e-6)


def test_a_text_too_long_is_cut_by_the_tokenizer(small_folder: Path) -> None:
    embedder = OnnxEmbedder.from_directory(small_folder)
    tokens = anyio.run(embedder.encode_documents, ["tea coffee bread " * 5])[0].tokens
    assert tokens is not None
    assert len(tokens.pieces) == 6


def test_the_folder_says_its_pooling(small_folder: Path, tmp_path: Path) -> None:
    for file in small_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    told, given = OnnxEmbedder.from_directory(tmp_path), OnnxEmbedder.from_directory(small_folder, pooling="cls")
    first, second = (anyio.run(embedder.embed_documents, ["tea bread"])[0] for embedder in (told, given))
    assert np.allclose(first, second)


def test_folders_that_cannot_be_used(small_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no folder"):
        OnnxEmbedder.from_directory(tmp_path / "absent")
    with pytest.raises(ConfigurationError, match="no ONNX model"):
        OnnxEmbedder.from_directory(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(ConfigurationError, match=r"tokenizer\.json"):
        OnnxEmbedder.from_directory(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((small_folder / "tokenizer.json").read_bytes())
    with pytest.raises(ConfigurationError, match="cannot be loaded"):
        OnnxEmbedder.from_directory(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ConfigurationError, match="no JSON"):
        OnnxEmbedder.from_directory(tmp_path)
