"""What a sentence-embedding ONNX folder says about itself: model file, pooling, prefixes, longest text."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphmem.embedders.pieces import FolderTokenizer
from graphmem.errors import ConfigurationError
from graphmem.ports import Vector

Pooling = Literal["mean", "cls", "max"]
_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_PATTERNS = ["*.json", "1_Pooling/*", "onnx/model.onnx", "onnx/model.onnx_data", "model.onnx", "model.onnx_data"]


@dataclass(frozen=True, slots=True)
class Model:
    file: Path
    model_id: str
    max_tokens: int
    pooling: Pooling
    padding: int
    query_prefix: str
    document_prefix: str
    fused: bool = False
    """Written with onnxruntime's own operators: its further fusions would slow it (its SkipLayerNormalization is slower than its parts)."""


def need(module: str, extra: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise ConfigurationError(f"{module} is not installed: `pip install 'graphmem[{extra}]'`")


def neutral_texts() -> list[str]:
    """Everyday sentences of this project in English and Chinese, whose mean vector says what all texts share."""
    return (Path(__file__).parent / "neutral.txt").read_text(encoding="utf-8").splitlines()


def locate(path: str | Path) -> Path:
    """Find a folder on this machine, or fetch one from the hub (or its cache) by name."""
    if Path(path).is_dir():
        return Path(path)
    if isinstance(path, Path) or path.count("/") != 1 or path.startswith((".", "/", "~")):
        raise ConfigurationError(f"{path} is no folder; give one that holds an ONNX model and tokenizer.json, or the hub's owner/name")
    need("huggingface_hub", "hub")
    from huggingface_hub import snapshot_download  # noqa: PLC0415 — an extra, loaded when used
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    try:
        return Path(snapshot_download(path, allow_patterns=_PATTERNS))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ConfigurationError(f"{path} is neither a folder here nor to be had from the hub: {error}") from error


def read(path: Path, *, pooling: Pooling | None, query_prefix: str | None, document_prefix: str | None) -> Model:
    """Given values go before the folder's own files, and these before what sentence-transformers takes by default."""
    file = _model_file(path)
    if not (path / "tokenizer.json").is_file():
        raise ConfigurationError(f"{path} has no tokenizer.json; export it with the model")
    prompts = _json(path / "config_sentence_transformers.json").get("prompts") or {}
    plain = ("query: ", "passage: ") if "e5" in path.name.lower() and "instruct" not in path.name.lower() else ("", "")
    query = _first(query_prefix, prompts.get("query"), plain[0])
    document = _first(document_prefix, prompts.get("document"), prompts.get("passage"), plain[1])
    config, tokens = _json(path / "config.json"), _json(path / "tokenizer_config.json")
    told = [
        _json(path / "sentence_bert_config.json").get("max_seq_length"),
        tokens.get("model_max_length"),
        config.get("max_position_embeddings"),
    ]
    longest = min((int(value) for value in told if isinstance(value, int | float) and 0 < value < 1e6), default=512)
    with file.open("rb") as opened:
        stamp = hashlib.file_digest(opened, "sha256").hexdigest()[:12]
    name = str(config.get("_name_or_path") or path.name).rstrip("/").rsplit("/", 1)[-1]
    padding = config.get("pad_token_id")
    return Model(file, f"{name}@{stamp}", longest, pooling or _pooling(path), padding if isinstance(padding, int) else 0, query, document)


def tokenizer(model: Model) -> FolderTokenizer:
    home = model.file.parent if (model.file.parent / "tokenizer.json").is_file() else model.file.parent.parent
    return FolderTokenizer(str(home / "tokenizer.json"))


def outputs(session: Any, model: Model) -> tuple[str | None, str | None]:
    """Find the names of the pooled and of the token output, told apart by rank."""
    by_rank = {len(entry.shape): entry.name for entry in reversed(session.get_outputs())}
    if 3 not in by_rank and 2 not in by_rank:
        raise ConfigurationError(f"{model.file} gives neither sentence nor token vectors")
    named = {entry.name for entry in session.get_outputs()} & {"pooled", "sentence_embedding"}
    return next(iter(named), None) if 3 in by_rank else by_rank[2], by_rank.get(3)


def unit(vectors: Vector) -> Vector:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vector = np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)
    return scaled


def pool(last: Vector, mask: Any, pooling: Pooling) -> Vector:
    """(rows, length, dimensions) to unit vectors (rows, dimensions), over the tokens that the mask keeps."""
    match pooling:
        case "mean":
            return unit(np.einsum("bld,bl->bd", last, mask.astype(np.float32)))
        case "cls":
            return unit(last[:, 0])
        case "max":
            return unit(np.where(mask[:, :, None] == 1, last, -np.inf).max(axis=1))


def _model_file(path: Path) -> Path:
    known = [path / name for name in _FILES if (path / name).is_file()]
    found = known or sorted(path.glob("*.onnx")) or sorted(path.glob("onnx/*.onnx"))
    if not found:
        raise ConfigurationError(f"{path} has no ONNX model; export one, or give the model to the sentence-transformers adapter")
    return found[0]


def _pooling(path: Path) -> Pooling:
    told = _json(path / "1_Pooling" / "config.json")
    if told.get("pooling_mode_cls_token"):
        return "cls"
    return "max" if told.get("pooling_mode_max_tokens") else "mean"


def _first(*values: str | None) -> str:
    return next(value for value in values if value is not None)


def _json(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    try:
        loaded = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigurationError(f"{file} is no JSON: {error}") from error
    return loaded if isinstance(loaded, dict) else {}
