"""SQLite connections of one store: a pool of readers, one write queue with group commit, reopening after a fork, errors in plain words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, Generic, TypeVar, cast

from graphmem.errors import GraphMemError, InvalidInput, SchemaMismatch, StoreError, StoreUnavailable
from graphmem.stores.embedded_queries import schema_scripts

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

MEMORY = ":memory:"
APPLICATION_ID = 1735224173
_BUSY_SECONDS = 60.0
_IDLE_READERS = 8
_GROUP = 64
"""Change sets at most that one fsync makes durable together."""


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    work: Work[T]
    lazy: bool
    """Not worth an fsync of its own."""
    done: bool = False
    result: T | None = None
    error: BaseException | None = None


@dataclass(slots=True, eq=False)
class _Process:
    """What belongs to one process: SQLite handles do not survive a fork."""

    pid: int = field(default_factory=os.getpid)
    lock: RLock = field(default_factory=RLock)
    pending: deque[_Job[Any]] = field(default_factory=deque)
    readers: deque[sqlite3.Connection] = field(default_factory=deque)
    writer: sqlite3.Connection | None = None


class Connections:
    """Runs work on connections to one file; blocking, to be called in worker threads, from any number of them."""

    def __init__(self, location: str) -> None:
        self.location = location
        self._mine = _Process()
        self._abandoned: list[_Process] = []
        self._open = False

    @property
    def in_memory(self) -> bool:
        return self.location == MEMORY

    def open(self) -> int:
        """Connects, creates or migrates the file; returns the schema number."""
        if not self.in_memory:
            _prepare_folder(Path(self.location))
        mine = self._process()
        with mine.lock, translated(self.location):
            if mine.writer is None:
                _look(self.location)
                mine.writer = self._connect()
                self._open = True
                try:
                    return _migrate(mine.writer, self.location)
                except BaseException:
                    self._open = False
                    mine.writer.close()
                    mine.writer = None
                    raise
            return int(mine.writer.execute("PRAGMA user_version").fetchone()[0])

    def close(self) -> None:
        self._open = False
        mine = self._process()
        with mine.lock:
            while mine.readers:
                mine.readers.pop().close()
            if mine.writer is not None:
                mine.writer.close()
                mine.writer = None

    def read(self, work: Work[T]) -> T:
        """Runs work in one snapshot."""
        mine = self._process()
        with translated(self.location):
            if self.in_memory:
                with mine.lock:
                    return self._read_on(self._writer(mine), work)
            connection = mine.readers.pop() if mine.readers else self._reader()
            try:
                found = self._read_on(connection, work)
            except BaseException:
                connection.close()
                raise
            if self._open and len(mine.readers) < _IDLE_READERS:
                mine.readers.append(connection)
            else:
                connection.close()
            return found

    def write(self, work: Work[T], *, lazy: bool = False) -> T:
        """Runs work in a write transaction; returned means durable (lazy: durable with the next write that is not).

        Whoever gets the lock commits what all have queued, so that writers who come together share one fsync.
        """
        mine = self._process()
        job = _Job(work, lazy)
        mine.pending.append(job)
        with mine.lock:
            while not job.done:
                self._run_group(mine)
        if job.error is not None:
            raise job.error
        return cast("T", job.result)

    def alone(self, work: Work[T]) -> T:
        """Runs work on the writer outside a transaction, with no other write of this process beside it."""
        mine = self._process()
        with mine.lock, translated(self.location):
            return work(self._writer(mine))

    def _read_on(self, connection: sqlite3.Connection, work: Work[T]) -> T:
        connection.execute("BEGIN")
        try:
            return work(connection)
        finally:
            if connection.in_transaction:
                connection.execute("COMMIT")

    def _run_group(self, mine: _Process) -> None:
        jobs = [mine.pending.popleft() for _ in range(min(_GROUP, len(mine.pending)))]
        committed = False
        try:
            with translated(self.location):
                connection = self._writer(mine)
                lazy = all(job.lazy for job in jobs)
                connection.execute(f"PRAGMA synchronous = {'NORMAL' if lazy else 'FULL'}")
                _commit_group(connection, jobs)
            committed = True
        except GraphMemError as exc:
            for job in jobs:
                job.error = job.error or exc
        finally:
            for job in jobs:
                job.done = True
                if not committed and job.error is None:
                    job.error = StoreUnavailable("the write was rolled back with another one that failed; try again")

    def _process(self) -> _Process:
        if self._mine.pid != os.getpid():
            # Closing inherited handles would drop the parent's locks; they are kept, unused, as long as this process lives.
            self._abandoned.append(self._mine)
            kept = self._mine.writer if self.in_memory else None
            self._mine = _Process(writer=kept)
        return self._mine

    def _writer(self, mine: _Process) -> sqlite3.Connection:
        if not self._open:
            raise StoreUnavailable(f"the store {self.location} is not open; call open() first")
        if mine.writer is None:
            mine.writer = self._connect()
        return mine.writer

    def _reader(self) -> sqlite3.Connection:
        if not self._open:
            raise StoreUnavailable(f"the store {self.location} is not open; call open() first")
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.location, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("PRAGMA cache_size = -32768")
            if not self.in_memory:
                _use_wal(connection)
                connection.execute("PRAGMA wal_autocheckpoint = 4000")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        return connection


def _commit_group(connection: sqlite3.Connection, jobs: list[_Job[Any]]) -> None:
    """All jobs in one transaction; one that fails takes only its own changes back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for job in jobs:
            connection.execute("SAVEPOINT one")
            try:
                job.result = job.work(connection)
            except GraphMemError as exc:
                job.error = exc
                connection.execute("ROLLBACK TO one")
            except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError) as exc:
                job.error = StoreError(f"the change set does not fit what is stored ({exc}); nothing of it was written")
                job.error.__cause__ = exc
                connection.execute("ROLLBACK TO one")
            except (UnicodeEncodeError, OverflowError) as exc:
                job.error = _unstorable(exc)
                connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switches the journal; several processes that create one file at a time get in each other's way without the busy handler."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as exc:
            if not _is(exc, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > until:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreUnavailable("the file's folder does not allow write-ahead logging (a network drive?); put the store on a local disk")
        return


def _look(location: str) -> None:
    """Refuses a file that is not ours before anything in it is changed."""
    connection = sqlite3.connect(location, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        _version(connection, location, schema_scripts()[-1][0])
    finally:
        connection.close()


def _migrate(connection: sqlite3.Connection, location: str) -> int:
    scripts = schema_scripts()
    newest = scripts[-1][0]
    if _version(connection, location, newest) == newest:
        return newest
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, location, newest)
        for number, script in scripts:
            if number > version:
                for statement in statements_of(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number:d}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return newest


def _version(connection: sqlite3.Connection, location: str, newest: int) -> int:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if application != APPLICATION_ID:
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() or application or version:
            raise StoreError(f"{location} is a SQLite file of another program, not a graphmem store; give another path")
        return 0
    if version > newest:
        raise SchemaMismatch(f"{location} has schema {version}, this graphmem reads up to {newest}; upgrade graphmem to open it")
    return version


def statements_of(script: str) -> Iterator[str]:
    """The single statements of a script; a trigger's inner ones stay in it."""
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(part):
            yield part
            part = ""


def _prepare_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise StoreUnavailable(f"the folder {path.parent} cannot be made ({exc.strerror}); give a path that can be written") from exc
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a folder; give the path of a file")
    if not os.access(path if path.exists() else path.parent, os.W_OK) or not os.access(path.parent, os.W_OK):
        raise StoreUnavailable(f"{path} is read-only, and so is no store; make the file and its folder writable, or copy it elsewhere")


def _is(exc: sqlite3.Error, *codes: int) -> bool:
    return (getattr(exc, "sqlite_errorcode", None) or 0) & 0xFF in codes


def _unstorable(exc: Exception) -> InvalidInput:
    error = InvalidInput(f"a value cannot be stored or looked for ({exc}); give text without lone surrogates, and whole numbers of 64 bits")
    error.__cause__ = exc
    return error


@contextmanager
def translated(location: str) -> Iterator[None]:
    """The one place where SQLite's errors become ours."""
    try:
        yield
    except (UnicodeEncodeError, OverflowError) as exc:
        raise _unstorable(exc) from exc
    except sqlite3.Error as exc:
        if _is(exc, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise StoreError(f"{location} is damaged or no SQLite file ({exc}); restore a backup, or give another path") from exc
        if _is(exc, sqlite3.SQLITE_READONLY):
            raise StoreUnavailable(f"{location} is read-only ({exc}); make the file and its folder writable") from exc
        if _is(exc, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
            raise StoreUnavailable(f"{location} cannot be opened ({exc}); check the path and its permissions") from exc
        if _is(exc, sqlite3.SQLITE_FULL):
            raise StoreUnavailable(f"no room left on the disk of {location}; nothing of this write was stored") from exc
        if _is(exc, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreUnavailable(f"another program has held {location} for {_BUSY_SECONDS:.0f} seconds ({exc}); try again") from exc
        if "fts5" in str(exc):
            raise StoreUnavailable("this Python's SQLite has no FTS5; use a Python with SQLite ≥ 3.35 and FTS5") from exc
        raise StoreError(f"{location}: {exc}") from exc
