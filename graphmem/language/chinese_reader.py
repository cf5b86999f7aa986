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
from graphmem.language.chinese_words import THIRD
from graphmem.language.lexicon import Lexicon
from graphmem.language.plans import read_plan
from graphmem.language.scene import Named, Scene

_KINDS = {"PER": "Person", "LOC": "Place", "ORG": "Organization"}


def note_names(sentence: Sentence, scene: Scene) -> None:
    """Take note of the people, places and organisations that the tagger sees."""
    for clause in sentence.clauses:
        for word in clause.words:
            if word.tag == "PER" and clause is not sentence.clauses[-1] and not any(other.text in THIRD for other in clause.words):
                scene.meet(scene.text[word.start : word.end])
            if word.tag in _KINDS and len(word.text) > 1:
                scene.mentioned.setdefault(scene.text[word.start : word.end], _KINDS[word.tag])


def people_in(sentences: Sequence[Sentence]) -> list[Named]:
    return [Named(word.text) for sentence in sentences for clause in sentence.clauses for word in clause.words if word.tag == "PER"]


def read(sentences: Sequence[Sentence], scene: Scene, lexicon: Lexicon) -> None:
    plan = read_plan(scene, chinese=True)
    for sentence in sentences:
        if plan and plan[0] <= sentence.start < plan[1]:
            continue
        note_names(sentence, scene)
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
        for clause in sentence.clauses:
            for word in clause.words:
                if word.tag == "PER":
                    scene.meet(scene.text[word.start : word.end])
