"""A process that holds an open memory ends by itself, and so does a child forked from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

OPEN = """
import os, sys
from graphmem import Memory
from graphmem.config import Settings
from graphmem.errors import StoreUnavailable
memory = Memory.open(sys.argv[1], user_id="ada", settings=Settings(embedder="none"))
memory.remember("The spare key hangs behind the clock.", speaker="Ada", extract=False)
"""
ENDINGS = {
    "left open": "",
    "used after close": """
memory.close()
try:
    memory.count()
except StoreUnavailable:
    pass
else:
    sys.exit("a closed memory answered")
""",
    "forked": """
child = os.fork()
memory.remember("Written by the child." if child == 0 else "Written by the parent.", speaker="Ada", extract=False)
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert memory.count({"type": "Episode"}) == 3
""",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_process_ends_whatever_it_left_open(ending: str, tmp_path: Path) -> None:
    script = [sys.executable, "-c", OPEN + ENDINGS[ending], str(tmp_path / "memory.db")]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
