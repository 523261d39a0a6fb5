"""gates.db: what every gate must remember so that no request leaves too early after a kill or a reboot.

Keyed by origin and a salted HMAC of the key, never the key. Durable, but not exclusive: `sync NAME` in a script and the
window of another connection share the file.

What a damaged file still tells is taken over into the fresh one. Of every gate that it may have known a pause is in
doubt then, as where the file is gone: one careful request asks first. One that goes while it is in use is made anew.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apsw
from msgspec.structs import astuple, replace

from petstore_desktop.data_folder import replacing, storage_errors
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import GatePhase, GateSnapshot
from petstore_desktop.held_files import remove
from petstore_desktop.regular_files import copy_regular
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, connect

_STEPS = (
    (
        "CREATE TABLE salt (id INTEGER PRIMARY KEY CHECK (id = 1), value BLOB NOT NULL) STRICT",
        """CREATE TABLE gate (
            origin TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            phase TEXT NOT NULL,
            boot_id TEXT NOT NULL,
            until_steady REAL,
            until_wall REAL,
            length REAL NOT NULL,
            written_wall REAL NOT NULL,
            payload TEXT NOT NULL,
            PRIMARY KEY (origin, fingerprint)
        ) STRICT, WITHOUT ROWID""",
    ),
    tuple(  # one origin whatever it is called; of two gates that became one the latest that was written stays
        statement
        for name in ("localhost", "[::1]")
        for statement in (
            f"""DELETE FROM gate AS old WHERE origin LIKE 'http%://{name}:%' AND EXISTS (
                SELECT 1 FROM gate WHERE origin = replace(old.origin, '://{name}:', '://127.0.0.1:')
                AND fingerprint = old.fingerprint AND written_wall > old.written_wall)""",
            f"UPDATE OR REPLACE gate SET origin = replace(origin, '://{name}:', '://127.0.0.1:')",
        )
    ),
)
_KIND: Final = DatabaseKind(application_id=0x50534447, steps=_STEPS)  # "PSDG"
_COLUMNS: Final = "phase, boot_id, until_steady, until_wall, length, written_wall, payload"
_INHERITED: Final = (GatePhase.PAUSED, GatePhase.PROBING, GatePhase.BANNED)
"""Pauses and bans hold for this client under every key; a spent window or a rejected key holds for one key only."""
_DOUBT: Final = GateSnapshot(GatePhase.PROBING, "", 0.0, 0.0, 0.0, 0.0, "{}")
"""A pause whose end is unknown: one test request checks it."""
_MOST_SALVAGED: Final = 64 * 1024 * 1024
"""Bytes of a damaged file that something is taken over from; a whole one has some thousands."""
_ANYWHERE: Final = ("", "")
"""Origin and fingerprint of the row that marks an earlier file as lost; that file may have held pauses."""


class Gates:
    """The gates of one data directory. Used by one thread. Each method raises StorageError."""

    __slots__ = ("_database", "_file", "_salt", "trouble")

    def __init__(self, path: Path, *, used: bool = False) -> None:
        """Open or create the file. `used`: requests were sent from here before, so a missing file means a lost one."""
        self._database, self._file = _opened(path)
        self.trouble: StorageError | None = None
        """The error to show when a damaged file was set aside or an expected file is missing; else None."""
        if self._database.set_aside is not None:
            self.trouble = StorageError("gates-set-aside", path=str(self._database.set_aside))
        self._salt = self._read_salt(used=used)

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._database.path

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._database.close()

    def fingerprint(self, key: str) -> str:
        """HMAC-SHA256 of the key under this file's own salt, in hex: tells keys apart and gives none away."""
        return hmac.digest(self._salt, key.encode("utf-8", "surrogatepass"), "sha256").hex()

    def load(self, origin: str, fingerprint: str) -> tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]:
        """Load the stored state of this key's gate, and pauses stored for other keys of the same origin.

        The gate finds out which of them waits longest and whether one has run out: it alone compares clocks. Where a
        stored row cannot be read, a pause is in doubt.
        """
        marks, here = ", ".join("?" * len(_INHERITED)), f"SELECT {_COLUMNS} FROM gate WHERE origin = ? AND fingerprint"
        own = self._database.row(f"{here} = ?", (origin, fingerprint))
        others = self._database.rows(f"{here} <> ? AND phase IN ({marks})", (origin, fingerprint, *_INHERITED))
        lost = self._database.row("SELECT 1 FROM gate WHERE (origin, fingerprint) = (?, ?)", _ANYWHERE)
        mine = None if own is None else _snapshot(own)
        pauses = tuple(_snapshot(other) or _DOUBT for other in others)
        if mine is None and (own is not None or lost is not None):
            pauses = (*pauses, _DOUBT)
        if mine is not None and mine.phase is GatePhase.OPEN:  # it took over what it knew of, and that has ended
            pauses = tuple(pause for pause in pauses if pause.written_wall > mine.written_wall)
        return mine, pauses

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        """Store it; it is on the disk when this returns."""
        if _identity(self.path) != self._file:
            self._make_anew()
        with self._database.transaction() as connection:
            _insert(connection, origin, fingerprint, snapshot)

    def _read_salt(self, *, used: bool) -> bytes:
        with self._database.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO salt VALUES (1, ?)", (secrets.token_bytes(32),))
            if used and connection.changes() and self.trouble is None:
                self.trouble = StorageError("gates-gone", path=str(self.path))
                _insert(connection, *_ANYWHERE, _DOUBT)
            row = connection.execute("SELECT value FROM salt").fetchone()
        if row is None or not isinstance(row[0], bytes):
            raise StorageError("damaged", path=str(self.path), why="no salt")
        return row[0]

    def _make_anew(self) -> None:
        """Create the file again after it was removed or emptied; the state of other gates is lost."""
        self._database.abandon()
        with storage_errors(self.path), replacing(self.path):
            if _identity(self.path) is None:  # an empty one, and what is left beside it: others see that it is gone
                for ending in ("", "-wal", "-shm"):
                    with suppress(OSError):
                        remove(self.path.with_name(self.path.name + ending))
        self._database, self._file = _opened(self.path)
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO salt VALUES (1, ?)", (self._salt,))
            _insert(connection, *_ANYWHERE, _DOUBT)


def _opened(path: Path) -> tuple[Database, object]:
    database = Database(path, _KIND, _take_over)
    return database, _identity(path)


def _take_over(fresh: Connection, damaged: Path) -> None:
    """Write what a damaged file still tells into the fresh one, at once: who opens that finds no pause missing."""
    salt, rows = _salvaged(damaged)
    fresh.execute("BEGIN IMMEDIATE")
    known = isinstance(salt, bytes)  # without it no row can be matched with a key
    fresh.execute("INSERT OR REPLACE INTO salt VALUES (1, ?)", (salt if known else secrets.token_bytes(32),))
    for origin, fingerprint, *kept in rows if known else ():
        snapshot = _snapshot(tuple(kept))
        if snapshot is not None and snapshot.phase is GatePhase.OPEN:
            # As it was last, or not: see the log that is lost. When it was written tells how old its counts are.
            snapshot = replace(snapshot, phase=_DOUBT.phase, until_steady=0.0, until_wall=0.0, length=0.0)
        _insert(fresh, str(origin), str(fingerprint), snapshot or _DOUBT)
    _insert(fresh, *_ANYWHERE, _DOUBT)
    fresh.execute("COMMIT")


def _identity(path: Path) -> object:
    """Identify the file (device and inode); None if it is missing or empty."""
    with suppress(FileNotFoundError):
        found = path.stat()
        return (found.st_dev, found.st_ino) if found.st_size else None
    return None


def _insert(connection: Connection, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
    connection.execute(
        f"INSERT OR REPLACE INTO gate (origin, fingerprint, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (origin, fingerprint, *astuple(snapshot)),
    )


def _salvaged(damaged: Path) -> tuple[Value, Sequence[Values]]:
    """Read the salt and the readable rows of a damaged file's copy; (None, ()) if there are none."""
    salt: Value = None
    rows: list[Values] = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, suppress(apsw.Error, OSError):
        for suffix in ("", "-wal"):
            part = damaged.with_name(damaged.name + suffix)
            if part.exists():
                copy_regular(part, Path(folder) / f"gates.db{suffix}", _MOST_SALVAGED)
        with closing(connect(Path(folder) / "gates.db", apsw.SQLITE_OPEN_READWRITE)) as connection:
            salt = next(iter(connection.execute("SELECT value FROM salt")))[0]
            for row in connection.execute(f"SELECT origin, fingerprint, {_COLUMNS} FROM gate"):
                rows.append(row)  # noqa: PERF402 -- what was read before the damage is met is kept
    return salt, rows


def _snapshot(row: Values) -> GateSnapshot | None:
    """Decode a stored row; None if it is invalid."""
    phase, boot_id, until_steady, until_wall, length, written_wall, payload = row
    try:
        return GateSnapshot(
            phase=GatePhase(str(phase)),
            boot_id=str(boot_id),
            until_steady=_optional(until_steady),
            until_wall=_optional(until_wall),
            length=_optional(length) or 0.0,
            written_wall=_optional(written_wall) or 0.0,
            payload=str(payload),
        )
    except ValueError:
        return None


def _optional(value: Value) -> float | None:
    if value is None or isinstance(value, int | float):
        return value
    raise ValueError(f"not a number: {value!r}")
