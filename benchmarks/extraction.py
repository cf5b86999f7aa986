"""How fast the rules read turns, and how many memories of each type they learn: `python benchmarks/extraction.py TURNS.txt [--chinese]`.

One turn a line. Prints turns per second over the whole file, batched as `remember` does it.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from graphmem.language.extractor import RuleExtractor
from graphmem.model import Message
from graphmem.ontology import Ontology
from graphmem.ports import Turn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("turns", type=Path, help="one turn a line")
    parser.add_argument("--speaker", default="Alice")
    args = parser.parse_args()
    said_at = datetime(2026, 3, 10, 9, tzinfo=UTC)
    lines = [line for line in args.turns.read_text(encoding="utf-8").splitlines() if line.strip()]
    turns = [Turn(Message(line, args.speaker), said_at, args.speaker) for line in lines]
    extractor = RuleExtractor(Ontology.core())
    started = time.perf_counter()
    extractor.extract_now(turns[:1])
    loaded = time.perf_counter()
    found = asyncio.run(extractor.extract(turns))
    seconds = time.perf_counter() - loaded
    kinds = Counter(draft.type for extraction in found for draft in extraction.drafts)
    print(f"load {loaded - started:.2f} s  {len(turns)} turns in {seconds:.1f} s  {len(turns) / seconds:.0f} turns/s")
    print("  ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main()
