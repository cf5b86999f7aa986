"""RuleExtractor: turns to typed memories without a language model, English and Chinese, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import anyio

from graphmem.language import acts, chinese, chinese_reader, english, english_reader
from graphmem.language.chinese_grammar import CHINESE
from graphmem.language.corrections import Corrected, corrected
from graphmem.language.dimensions import cues_of, dimensions_in
from graphmem.language.english_grammar import GRAMMAR, NOUNS
from graphmem.language.english_names import meet_all
from graphmem.language.finishing import finished
from graphmem.language.lexicon import Lexicon, build_lexicon
from graphmem.language.scene import Named, Scene, Timed
from graphmem.language.times import find_times
from graphmem.ontology import Ontology
from graphmem.ports import Extraction, Turn
from graphmem.text import CJK

_LINE = re.compile(r"[^\n。！？!?；;]*[\n。！？!?；;]+[”’\"')）」』]*|[^\n。！？!?；;]+")
LONGEST = 20_000
"""Characters of a turn that are read; what lies beyond is kept in the episode alone."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one turn in one language."""

    start: int
    text: str
    chinese: bool


class RuleExtractor:
    """Reads turns by grammar: spaCy for English, LAC for Chinese, relations and their spellings from the ontology."""

    name = "rules"

    def __init__(self, ontology: Ontology, *, batch_size: int = 256) -> None:
        self._ontology = ontology
        self._batch = batch_size
        self._lexicon = lexicon_of(ontology)
        self._dimensions = cues_of(ontology)

    async def extract(self, turns: Sequence[Turn]) -> list[Extraction]:
        """One extraction a turn, in order; models load on the first call, in a thread."""
        found: list[Extraction] = []
        for start in range(0, len(turns), self._batch):
            found += await anyio.to_thread.run_sync(self.extract_now, turns[start : start + self._batch])
        return found

    def extract_now(self, turns: Sequence[Turn]) -> list[Extraction]:
        """The same, blocking."""
        meant = [
            corrected(turn.message.text[:LONGEST], turn.previous if turn.previous_speaker in {None, turn.speaker} else None, turn.said_at)
            for turn in turns
        ]
        pieces = [pieces_of(found.text if found else turn.message.text[:LONGEST]) for turn, found in zip(turns, meant, strict=True)]
        latin = iter(english.analyse([piece.text for parts in pieces for piece in parts if not piece.chinese]))
        han = iter(chinese.analyse([piece.text for parts in pieces for piece in parts if piece.chinese]))
        return [self._read(turn, parts, latin, han, found) for turn, parts, found in zip(turns, pieces, meant, strict=True)]

    def _read(
        self,
        turn: Turn,
        parts: Iterable[Piece],
        latin: Iterator[list[english.Sentence]],
        han: Iterator[list[chinese.Sentence]],
        meant: Corrected | None,
    ) -> Extraction:
        scene = Scene(turn, self._times(turn), self._lexicon.kinds, lambda: _people_before(turn))
        for piece in parts:
            scene.read_piece(piece.text, piece.start)
            if piece.chinese:
                chinese_reader.read(next(han), scene, self._lexicon)
            else:
                english_reader.read(next(latin), scene, self._lexicon)
        drafts = finished(scene, meant, dimensions_in(turn.message.text, self._dimensions))
        return Extraction(drafts=drafts, act=acts.act_of(turn.message.text), mentions=tuple(scene.mentioned.items()))

    @staticmethod
    def _times(turn: Turn) -> Callable[[str], list[Timed]]:
        return lambda text: [Timed(found.span[0], found.span[1], found.interval) for found in find_times(text, now=turn.said_at)]


def lexicon_of(ontology: Ontology) -> Lexicon:
    predicates = ((name, known.kind, (*known.en, *known.zh)) for name, known in ontology.predicates.items())
    return build_lexicon(predicates, {name: (*GRAMMAR.get(name, ()), *NOUNS.get(name, ())) for name in {*GRAMMAR, *NOUNS}}, CHINESE)


def _people_before(turn: Turn) -> list[Named]:
    """Who was named in the turn before, the one named last at the end."""
    found: list[Named] = []
    for piece in pieces_of((turn.previous or "")[:LONGEST]):
        if piece.chinese:
            found += chinese_reader.people_in(chinese.analyse([piece.text])[0])
        else:
            scene = Scene(turn, lambda _: ())
            for sentence in english.analyse([piece.text])[0]:
                meet_all(sentence, scene)
            found += scene.named
    return found


def pieces_of(text: str) -> list[Piece]:
    """The turn cut where the language changes between sentences; English stays whole for its parser."""
    if not CJK.search(text):
        return [Piece(0, text, chinese=False)] if text.strip() else []
    pieces: list[Piece] = []
    for match in _LINE.finditer(text):
        part = match[0]
        if not part.strip():
            continue
        chinese = bool(CJK.search(part))
        last = pieces[-1] if pieces else None
        if last and last.chinese == chinese and last.start + len(last.text) == match.start():
            pieces[-1] = replace(last, text=last.text + part)
        else:
            pieces.append(Piece(match.start(), part, chinese))
    return pieces
