"""Opening a store in order to carry it over to another ontology."""

from __future__ import annotations

from pathlib import Path

from graphmem.config import Settings, load_settings
from graphmem.engine import Parts, assemble, choose_embedder, choose_store
from graphmem.lifecycle_ontology import Upgrade, Upgrader
from graphmem.ontology import Ontology
from graphmem.ports import Embedder


async def upgrade_store(
    location: str | Path | None,
    ontology: Ontology,
    *,
    dry_run: bool = False,
    settings: Settings | None = None,
    embedder: Embedder | None = None,
) -> Upgrade:
    """Every user's memories under the new ontology, and the store's stamp; InvalidInput with the counts where some do not fit."""
    settings = settings or load_settings()
    where = str(location) if location is not None else settings.location
    store = choose_store(where, settings, None)
    info = await store.open()
    try:
        engine = assemble(where, settings, Parts(ontology=ontology), (store, info), (ontology, embedder or choose_embedder(settings)))
        return await Upgrader(engine.store, engine.writer).upgrade(info, dry_run=dry_run)
    finally:
        await store.close()
