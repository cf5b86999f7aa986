"""One Neo4j driver: managed transactions with causal bookmarks, the server's version, and the driver's errors as graphmem's own."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version as installed_version
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncSession, NotificationMinimumSeverity, Record
from neo4j.api import AsyncBookmarkManager
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)
from neo4j.exceptions import (
    ConfigurationError as DriverConfiguration,
)

from graphmem.errors import ConfigurationError, InvalidInput, StoreError, StoreUnavailable

OLDEST = (5, 26)
IN_INDEX_FILTERS = (2026, 1)
"""The first version whose SEARCH clause filters inside the vector index."""

Transaction: TypeAlias = AsyncManagedTransaction
Work = Callable[[AsyncManagedTransaction], Awaitable["T"]]
T = TypeVar("T")

_EQUIVALENT = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_INDEX_THERE = "Neo.ClientError.Schema.IndexAlreadyExists"
_CONSTRAINT_THERE = "Neo.ClientError.Schema.ConstraintAlreadyExists"


@dataclass(frozen=True, slots=True)
class Server:
    """What answered: its version as numbers and text."""

    version: tuple[int, ...]
    text: str
    edition: str

    @property
    def filters_in_index(self) -> bool:
        return self.version >= IN_INDEX_FILTERS


@dataclass(slots=True)
class Neo4jConnection:
    """Opened by `open`; `timeout` seconds bound how long one transaction is tried again."""

    url: str
    auth: tuple[str, str] | None
    database: str | None
    pool_size: int
    timeout: float
    _driver: AsyncDriver | None = None
    _server: Server | None = None
    _bookmarks: AsyncBookmarkManager | None = field(default=None, repr=False)

    @property
    def server(self) -> Server:
        if self._server is None:
            raise StoreUnavailable("the store is not open; call open() first")
        return self._server

    async def open(self) -> Server:
        await self.close()
        if urlsplit_fails(self.url):
            raise ConfigurationError(f"{self.url!r} is no address of a server; write neo4j://HOST:7687")
        with translated(self.url):
            self._driver = AsyncGraphDatabase.driver(
                self.url,
                auth=self.auth,
                max_connection_pool_size=self.pool_size,
                max_transaction_retry_time=self.timeout,
                connection_acquisition_timeout=self.timeout,
                connection_timeout=min(self.timeout, 15.0),
                keep_alive=True,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                user_agent=f"graphmem/{installed_version('graphmem')}",
            )
            self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        try:
            self._server = await self._ask_version()
        except BaseException:
            await self.close()
            raise
        return self._server

    async def close(self) -> None:
        driver, self._driver, self._server = self._driver, None, None
        if driver is not None:
            await driver.close()

    async def _ask_version(self) -> Server:
        rows = await self.read(lambda tx: run(tx, "CALL dbms.components() YIELD name, versions, edition RETURN name, versions[0], edition"))
        found = next((row for row in rows if row[0] == "Neo4j Kernel"), rows[0])
        numbers = tuple(int(part) for part in re.findall(r"\d+", str(found[1]).split("-", maxsplit=1)[0]))
        if numbers < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            raise ConfigurationError(
                f"{self.url} runs Neo4j {found[1]}; graphmem needs {oldest} or newer (2026.01 filters in its vector index)"
            )
        return Server(numbers, str(found[1]), str(found[2]))

    async def read(self, work: Work[T]) -> T:
        """In a read transaction, which a cluster sends to a reader that has seen this process's writes."""
        with translated(self.url):
            async with self._session("READ") as session:
                return await session.execute_read(work)

    async def write(self, work: Work[T]) -> T:
        """In a write transaction; tried again as a whole on what passes, such as a deadlock or a restart of the server."""
        with translated(self.url):
            async with self._session("WRITE") as session:
                return await session.execute_write(work)

    async def define(self, statement: str) -> None:
        """One statement of the schema by itself; an equivalent rule that exists already is as good."""
        with translated(self.url):
            async with self._session("WRITE") as session:
                try:
                    await (await session.run(statement)).consume()
                except ClientError as exc:
                    if exc.code not in {_EQUIVALENT, _INDEX_THERE, _CONSTRAINT_THERE}:
                        raise

    def _session(self, mode: str) -> AsyncSession:
        if self._driver is None:
            raise StoreUnavailable("the store is not open; call open() first")
        return self._driver.session(
            database=self.database,
            bookmark_manager=self._bookmarks,
            default_access_mode=mode,
            initial_retry_delay=0.05,
            retry_delay_multiplier=1.6,
            fetch_size=5000,
        )


def urlsplit_fails(url: str) -> bool:
    """Whether the address cannot even be taken apart."""
    try:
        return not urlsplit(url).hostname
    except ValueError:
        return True


async def run(tx: Transaction, query: str, /, **parameters: Any) -> list[Record]:
    """Every row of one query."""
    result = await tx.run(query, parameters)
    return [record async for record in result]


async def run_batches(tx: Transaction, query: str, rows: Sequence[Any], /, *, size: int = 1000, **parameters: Any) -> int:
    """The query for `$rows` in groups; the sum of the first number that each returns."""
    total = 0
    for start in range(0, len(rows), size):
        found = await run(tx, query, rows=rows[start : start + size], **parameters)
        total += int(found[0][0]) if found else 0
    return total


# ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def translated(url: str) -> Iterator[None]:
    """What the driver raises as graphmem's errors, in one place."""
    try:
        yield
    except (Neo4jError, DriverError, DriverConfiguration) as exc:
        raise _translate(exc, url) from exc
    except UnicodeEncodeError as exc:
        raise InvalidInput(f"text with a lone surrogate cannot be stored: {exc.reason} at character {exc.start}") from exc
    except (OSError, TimeoutError) as exc:
        raise StoreUnavailable(f"{url} cannot be reached ({exc}); is the server running and the port open?") from exc
    except OverflowError as exc:
        raise InvalidInput(f"a number is too large for Neo4j, which keeps 64 bits ({exc})") from exc


def _translate(exc: Exception, url: str) -> Exception:
    match exc:
        case AuthError():
            return ConfigurationError(
                f"{url} refused the user or the password; set NEO4J_USERNAME and NEO4J_PASSWORD, or pass auth=(user, password) ({exc.code})"
            )
        case ServiceUnavailable() | SessionExpired() | TransientError():
            return StoreUnavailable(f"{url} cannot be used now: {exc}; is the server running, and is this its Bolt address?")
        case ConstraintError():
            return StoreError(f"another record has this id already: {exc.message}")
        case Neo4jError():
            return _by_code(exc, url)
        case DriverError():
            return StoreUnavailable(f"{url}: {exc}")
        case _:
            return ConfigurationError(f"{url}: {exc}")


_CODES: Mapping[str, str] = {
    "Neo.ClientError.Security.Forbidden": "the user has not the rights for this; it needs to read, write and define indexes in this database",
    "Neo.ClientError.Database.DatabaseNotFound": "there is no such database; Community has one, `neo4j`: leave `database` out",
    "Neo.ClientError.Statement.AccessMode": "this is for reading; it may not write",
}


def _by_code(exc: Neo4jError, url: str) -> Exception:
    code = exc.code or ""
    if code in _CODES:
        kind = ConfigurationError if "Database" in code else StoreError
        return kind(f"{url}: {_CODES[code]} ({exc.message})")
    if "TypeError" in code or "ArgumentError" in code or "PropertyTypeError" in code:
        return InvalidInput(f"Neo4j cannot hold this value: {exc.message}")
    if "key" in str(exc.message) and "index" in str(exc.message) and "size" in str(exc.message):
        return InvalidInput(f"an id or name is too long for an index: {exc.message}")
    return StoreError(f"{url}: {exc.message} ({code})")
