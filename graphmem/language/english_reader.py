"""All that English sentences teach, reader after reader."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.language.english import Sentence
from graphmem.language.english_amounts import read_amounts
from graphmem.language.english_events import read_events
from graphmem.language.english_facts import read_facts
from graphmem.language.english_feelings import read_feelings
from graphmem.language.english_limits import read_limits
from graphmem.language.english_names import meet_all
from graphmem.language.english_nouns import read_nouns
from graphmem.language.english_tasks import read_tasks
from graphmem.language.lexicon import Lexicon
from graphmem.language.plans import read_plan
from graphmem.language.scene import Scene


def read(sentences: Sequence[Sentence], scene: Scene, lexicon: Lexicon) -> None:
    plan = read_plan(scene, chinese=False)
    for sentence in sentences:
        if plan and plan[0] <= sentence.start < plan[1]:
            continue
        told = read_limits(sentence, scene, lexicon)
        told |= read_nouns(sentence, scene, lexicon)
        told |= read_amounts(sentence, scene, lexicon)
        told |= read_facts(sentence, scene, lexicon)
        told |= read_feelings(sentence, scene, lexicon)
        told |= read_tasks(sentence, scene, told)
        read_events(sentence, scene, told)
        meet_all(sentence, scene)
