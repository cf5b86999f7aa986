"""The ontology's predicates as what people write: spellings in English and Chinese, with the kind of their objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphmem.text import CJK, simplified

BE = frozenset(["be", "is", "are", "am", "was", "were", "been", "being", "'s", "'re", "'m"])
PREPOSITIONS = frozenset(
    ["at", "in", "on", "of", "to", "from", "for", "with", "by", "as", "into", "under", "about", "near", "off", "over", "between", "through"]
)
COMPOUND = frozenset({"out of", "away from", "up to"})
IRREGULAR = dict(
    pair.split(":")
    for pair in [
        "built:build",
        "written:write",
        "wrote:write",
        "led:lead",
        "sold:sell",
        "made:make",
        "taken:take",
        "took:take",
        "held:hold",
        "bought:buy",
        "left:leave",
        "taught:teach",
        "went:go",
        "got:get",
        "gotten:get",
        "spoke:speak",
        "spoken:speak",
        "ran:run",
        "won:win",
        "chosen:choose",
        "known:know",
        "given:give",
        "grew:grow",
        "grown:grow",
        "sat:sit",
        "stood:stand",
        "lay:lie",
        "lies:lie",
        "flew:fly",
        "drove:drive",
        "met:meet",
        "born:bear",
        "paid:pay",
        "spent:spend",
        "kept:keep",
        "sent:send",
        "drawn:draw",
        "drew:draw",
        "worn:wear",
        "wore:wear",
        "wed:wed",
        "broke:break",
        "fell:fall",
        "came:come",
    ]
)
"""Past forms in which predicates are spelled; regular ones share their stem with the verb."""
_LATIN = re.compile(r"[a-z]+(?:[-'][a-z]+)*")


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer  # noqa: PLC0415 — not needed until something is read

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    return str(_stemmer().stemWord(word.casefold()))


@dataclass(frozen=True, slots=True)
class Sense:
    """What a spelling means: the relation, and whether it says that the relation holds, begins or ends; `inverse` swaps subject and object."""

    relation: str
    effect: str = "="
    inverse: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Spellings of all predicates: English frames by (head stem, preposition), noun phrases, Chinese cues; kinds of objects by relation."""

    frames: Mapping[tuple[str, str], tuple[Sense, ...]]
    nouns: Mapping[str, Sense]
    cues: tuple[tuple[str, tuple[Sense, ...]], ...]
    kinds: Mapping[str, str]

    def knows(self, relation: str) -> bool:
        return relation in self.kinds


def frame_of(spelling: str) -> tuple[str, str]:
    """The (head, preposition) under which an English spelling is looked up: "is allergic to" → ("allerg", "to")."""
    every = [word for word in _LATIN.findall(spelling.casefold()) if word not in {"the", "a", "an"}]
    words = [word for word in every if word not in BE]
    if len(words) > 2 and " ".join(words[-2:]) in COMPOUND:
        return " ".join(stem(IRREGULAR.get(word, word)) for word in words[:-2]), " ".join(words[-2:])
    preposition = words.pop() if words and words[-1] in PREPOSITIONS and len(every) > 1 else ""
    return " ".join(stem(IRREGULAR.get(word, word)) for word in words) or ("be" if preposition else ""), preposition


def build_lexicon(
    predicates: Iterable[tuple[str, str, Iterable[str]]], grammar: Mapping[str, Iterable[str]], chinese: Mapping[str, Iterable[str]]
) -> Lexicon:
    """Compile (name, object kind, spellings) of each predicate; `grammar` and `chinese` add verbs that begin (+) or end (-) a known relation."""
    frames: dict[tuple[str, str], tuple[Sense, ...]] = {}
    nouns: dict[str, Sense] = {}
    cues: dict[str, tuple[Sense, ...]] = {}
    kinds: dict[str, str] = {}
    for name, kind, spellings in predicates:
        kinds[name] = kind
        for spelling in (*grammar.get(name, ()), *chinese.get(name, ()), name.replace("_", " "), *spellings):
            sense, plain = _sense(name, spelling)
            if CJK.search(plain):
                known = cues.get(simplified(plain), ())
                if all(other.relation != sense.relation for other in known):
                    cues[simplified(plain)] = (*known, sense)
                continue
            head, preposition = frame_of(plain)
            if head and (head, preposition) != ("be", ""):
                frames[head, preposition] = (*frames.get((head, preposition), ()), sense)
                nouns.setdefault(head, sense)
    for cue, senses in list(cues.items()):
        begun = {sense.relation for sense in cues.get(cue.removesuffix("了"), ()) if sense.effect == "+"} if cue.endswith("了") else set()
        cues[cue] = tuple(Sense(sense.relation, "+", sense.inverse) if sense.relation in begun else sense for sense in senses)
    return Lexicon(frames, nouns, tuple(sorted(cues.items(), key=lambda cue: -len(cue[0]))), kinds)


def _sense(name: str, spelling: str) -> tuple[Sense, str]:
    effect = spelling[0] if spelling[:1] in "+-<" else "="
    plain = spelling.lstrip("+-<").strip()
    return Sense(name, "=" if effect == "<" else effect, effect == "<"), plain
