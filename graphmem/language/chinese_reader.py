"""All that Chinese sentences teach, reader after reader."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.language.chinese import Sentence
from graphmem.language.chinese_amounts import read_amounts
from graphmem.language.chinese_facts import read_facts
from graphmem.language.chinese_feelings import read_feelings
from graphmem.language.chinese_limits import read_limits
from graphmem.language.chinese_nouns import read_nouns
from graphmem.language.chinese_tasks import read_events, read_tasks
from graphmem.language.lexicon import Lexicon
from graphmem.language.plans import read_plan
from graphmem.language.scene import Scene


def read(sentences: Sequence[Sentence], scene: Scene, lexicon: Lexicon) -> None:
    plan = read_plan(scene, chinese=True)
    for sentence in sentences:
        if plan and plan[0] <= sentence.start < plan[1]:
            continue
        for clause in sentence.clauses:
            if clause.source:
                scene.meet(clause.source)
        told = read_limits(sentence, scene)
        told |= read_nouns(sentence, scene, lexicon)
        told |= read_amounts(sentence, scene, lexicon, told)
        told |= read_facts(sentence, scene, lexicon, set())
        scene.drop_nameless_pets()
        told |= read_feelings(sentence, scene, told)
        told |= read_tasks(sentence, scene, told)
        read_events(sentence, scene, told)
