"""history.db: what the service's answers showed to change, beside the mirror and not part of it.

The mirror tells it each difference inside its own transaction, before that commits; the history commits first. A kill
between the two has the same difference told again, which is equal then to what was last shown: nothing is recorded
twice, and nothing lost. Where it does not fit the mirror all the same (a power cut, another mirror, a full disk for a
while), each list is compared as a whole after its next whole reading.

Nothing that befalls it is anybody else's trouble: mirror and journal go on, and it begins anew, or is off until its
file works again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import FIELDS, Key, Ref, Resource, Row
from petstore_desktop.domain.seen_changes import SeenChange
from petstore_desktop.regular_files import Identity
from petstore_desktop.store.history.kept_files import delete_below, exchange, keep_last_aside, set_history_aside, size
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.history.recording import (
    ASSUMED,
    MIRROR,
    AskAttempts,
    Own,
    Recording,
    Shown,
    differing,
    fill,
    missing,
)
from petstore_desktop.store.history.rows import plain_fields
from petstore_desktop.store.history.schema import KIND
from petstore_desktop.store.history.totals import LocalRules, day_row
from petstore_desktop.store.mirror.recorder import MirrorNews, WholeReading
from petstore_desktop.store.mirror.rows import key_value
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection, name_of, number

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from datetime import date

    from petstore_desktop.domain.changes import Fields
    from petstore_desktop.store.mirror.mirror import Mirror

KEPT_DAYS: Final = 400
"""Days for which single changes are kept; only those count on which something was read."""
KEPT_S: Final = KEPT_DAYS * 86_400.0
MOST_BYTES: Final = 200 * 1024 * 1024
"""Bytes beyond which the oldest single changes are deleted."""
TOTALS_AFTER_S: Final = 60.0
"""Seconds between two totals while single records change; each whole reading makes them anew."""
_TRIMMED_AT_ONCE: Final = 5_000
_TABLES: Final = ("mark", "list", "shown", "change", "along", "day", "trimmed")
_ALL_FIELDS: Final = "; ".join(f"{resource.value}: {', '.join(FIELDS[resource])}" for resource in Resource)
T = TypeVar("T")


class ShopHistory:
    """The writer of one connection's history, the mirror's Recorder; used by one thread. It raises nothing: troubles
    are told.

    `ask` finds attempts of unknown fate; `tell` hears of each trouble once.
    """

    def __init__(self, path: Path, address: str, now: Callable[[], float], rules: LocalRules | None = None) -> None:
        """Open or create it for the service at this address; `now`: UTC epoch seconds."""
        self.path, self._address, self._now, self._rules = path, address, now, rules or LocalRules()
        self._totalled: tuple[date, MirrorNews, float] | None = None
        """The day and the news of the last totals, and when they were made."""
        self._whole = set[Resource]()
        """The lists read to their end in this run: what is counted in one is known from then on."""
        self.ask: AskAttempts = lambda _resource, _keys: ()
        self.troubles: list[StorageError] = []
        self.tell: Callable[[StorageError], object] = self.troubles.append
        self._database: Database | None = None
        self._looked_at: Identity | None = None
        """Which file was opened last."""
        self._told_code = ""
        self._learned = False
        self._guard(self._open)

    def listen(self, ask: AskAttempts, tell: Callable[[StorageError], object]) -> None:
        """Ask and tell these from now on."""
        self.ask, self.tell = ask, tell

    # -- the mirror's Recorder

    def shown(
        self,
        resource: Resource,
        rows: Sequence[Row],
        said_before: Mapping[Key, float],
        news: MirrorNews,
        own: Fields | None = None,
        made: bool = False,
    ) -> None:
        """Answers showed these new or changed rows; `own`: the values that a write of ours gave, `made`: it made the
        record."""
        answer = None if own is None else Own(own, made)

        def work(connection: Connection) -> None:
            found = (
                Shown(row.key, plain_fields(resource, row.record), row.seen_at, said_before.get(row.key))
                for row in rows
            )
            Recording(connection, resource, news.told, self.ask, answer).take(found)

        self._write(news, work)

    def gone(
        self, resource: Resource, keys: Mapping[Key, float | None], news: MirrorNews, own: bool | None = False
    ) -> None:
        """The service says that these are gone, with when it last said each. `own`: a deletion of ours was answered;
        None: it found them gone before."""
        answer = Own({}) if own else None
        ask: AskAttempts = (lambda _resource, _keys: ()) if own is None else self.ask
        self._write(news, lambda within: Recording(within, resource, news.told, ask, answer).drop(keys, self._now()))

    def read_whole(self, resource: Resource, reading: WholeReading, news: MirrorNews, mirror: Path) -> None:
        """A list was read to its end, and the mirror has it."""
        if self._database is not None and not self.path.exists():
            self._guard(self._database.abandon)
            self._database = None
            self.tell(StorageError("history-gone", path=str(self.path)))
        if self._database is None:
            self._guard(self._open)

        def work(connection: Connection) -> bool:
            """Whether the mirror is to be looked at: some news was missed, or this is the first whole reading."""
            behind = _is_stale(connection, resource) or not _has_begun(connection, resource)
            if not behind:
                _end_reading(connection, resource, reading, stale=False)
            return behind

        if self._write(news, work):
            self._guard(lambda: self._compare(resource, reading, news, mirror))
        self._guard(self._trim)
        if resource not in self._whole:
            self._whole.add(resource)
            self._totalled = None
        self._guard(lambda: self._total(news, mirror))

    def size(self) -> int:
        """The used bytes of the file."""
        database = self._database
        return 0 if database is None else self._guard(lambda: size(database)) or 0

    def assumed(self, ref: Ref, news: MirrorNews) -> None:
        """The last that was shown of this record is what we sent: the service has taken it, and did not show it."""
        values = (ref.resource.value, key_value(ref.key), ASSUMED, news.told)
        self._write(news, lambda within: within.execute("INSERT OR REPLACE INTO along VALUES (?, ?, ?, ?)", values))

    def settled(self, news: MirrorNews, mirror: Path) -> None:
        """A record was written or removed alone, and the mirror has it: the totals follow, now and then."""
        done = self._totalled
        if done is not None and not 0.0 <= self._now() - done[2] < TOTALS_AFTER_S:
            self._guard(lambda: self._total(news, mirror))

    # -- beside it

    def catch_up(self, mirror: Mirror) -> None:
        """After the start: where the same mirror is further, or the program has learned a field since, compare every
        list with it. A history with unreadable keys, or without one of its tables, is damaged."""
        self._guard(self._check)
        with suppress(StorageError):  # it tells that itself
            self._catch_up(mirror.news, mirror.path)

    def _check(self) -> None:
        if self._database is None:
            return
        tables = ", ".join(f"'{table}'" for table in _TABLES)
        if self._database.number(f"SELECT count(*) FROM sqlite_master WHERE name IN ({tables})") < len(_TABLES):
            raise ValueError("a table is missing")
        if self._database.number("SELECT EXISTS (SELECT 1 FROM change WHERE typeof(key) NOT IN ('integer', 'text'))"):
            raise ValueError("an odd key")

    def _catch_up(self, news: MirrorNews, mirror: Path) -> None:
        def behind() -> bool:
            mark = None if self._database is None else _mark(self._database.connection)
            if mark is None or mark[0] != news.mirror:
                return False
            return mark[1] < news.told or (self._learned and mark[1] == news.told)

        if self._guard(behind):
            self._write(news, lambda _: None)
            for resource in Resource:
                self._guard(partial(self._compare, resource, None, news, mirror))
            self._write(news, lambda within: within.execute("UPDATE origin SET fields = ?", (_ALL_FIELDS,)))
            self._learned = False

    def changes_of(self, ref: Ref) -> list[SeenChange]:
        """Each single change of one record (a pet with its stock), newest first. Raises StorageError."""
        with closing(PastReader(self.path, self._address)) as reader:
            return reader.changes_of(ref)

    def close(self) -> None:
        """Close the file."""
        if self._database is not None:
            self._guard(self._database.close)
            self._database = None

    # -- its file

    def _open(self) -> None:
        database = self._opened()
        said = database.row("SELECT address, fields FROM origin")
        if said is not None and said[0] != self._address:
            database.close()
            exchange(self.path, str(said[0]), self._address)
            database = self._opened()
            said = database.row("SELECT address, fields FROM origin")
        if said is None or said[0] != self._address:
            with database.transaction() as connection:
                for table in _TABLES if said is not None else ():
                    connection.execute(f"DELETE FROM {table}")
                connection.execute("INSERT OR REPLACE INTO origin VALUES (1, ?, ?)", (self._address, _ALL_FIELDS))
        self._learned = said is not None and said[1] != _ALL_FIELDS
        self._database = database

    def _opened(self) -> Database:
        database = Database(self.path, KIND)
        self._looked_at = database.looked_at
        if database.set_aside is not None:
            keep_last_aside(self.path)
            self.tell(StorageError("history-set-aside", path=str(database.set_aside)))
        return database

    def _guard(self, work: Callable[[], T]) -> T | None:
        """What goes wrong in it costs the history alone."""
        try:
            return work()
        except StorageError as error:
            self._failed(error)
        except ValueError as error:
            self._failed(StorageError("damaged", path=str(self.path), why=str(error)))
        except Exception as error:
            logging.getLogger(__name__).exception("history")
            self._failed(StorageError("damaged", path=str(self.path), why=str(error)))
        return None

    def _write(self, news: MirrorNews, work: Callable[[Connection], T]) -> T | None:
        """Do it in a transaction that has moved on to this news; None where the history is off."""
        database = self._database
        if database is None:
            return None

        def written() -> T:
            with database.transaction() as connection:
                _move_on(connection, news)
                result = work(connection)
            self._told_code = ""
            return result

        return self._guard(written)

    def _failed(self, error: StorageError) -> None:
        if error.code == "damaged" and self._begin_anew():
            return
        if error.code != self._told_code:
            self._told_code = error.code
            self.tell(StorageError("history-off", path=str(self.path), why=error.code))

    def _begin_anew(self) -> bool:
        """Set a damaged file aside; whether there is a new one."""
        try:
            if self._database is not None:
                self._database.abandon()
                self._database = None
            if (aside := set_history_aside(self.path, self._looked_at)) is not None:
                self.tell(StorageError("history-set-aside", path=str(aside)))
            self._open()
        except StorageError:
            return False
        return True

    # -- totals

    def _total(self, news: MirrorNews, mirror: Path) -> None:
        """Bring the line of this day up to date, if anything has changed since."""
        database, now = self._database, self._now()
        today = self._rules.day(now)
        if database is None or (self._totalled is not None and self._totalled[:2] == (today, news)):
            return
        with self._attached(database, mirror) as connection:
            row = day_row(connection, today, self._rules)
        with database.transaction() as connection:
            connection.execute(f"INSERT OR REPLACE INTO day VALUES ({', '.join('?' * len(row))})", row)
        self._totalled = today, news, now

    # -- comparing, and keeping bounds

    @contextmanager
    def _attached(self, database: Database, mirror: Path) -> Generator[Connection]:
        """The connection with the mirror beside it, for reading."""
        with database.reading() as connection:
            connection.execute(f"ATTACH ? AS {MIRROR}", (name_of(mirror),))
            try:
                yield connection
            finally:
                connection.execute(f"DETACH {MIRROR}")

    def _compare(self, resource: Resource, reading: WholeReading | None, news: MirrorNews, mirror: Path) -> None:
        """Record what is other in the mirror; `reading`: it has just been read to its end."""
        database = self._database
        if database is None:
            return
        if not _has_begun(database.connection, resource):
            self._begin(database, resource, reading, mirror)
            return
        sweeps = reading is None or reading.sweeps
        with self._attached(database, mirror) as connection:
            rows = differing(connection, resource)
            gone = missing(connection, resource, () if reading is None else reading.statuses) if sweeps else []
        with database.transaction() as connection:
            recording = Recording(connection, resource, news.told, self.ask)
            recording.take(rows)
            recording.drop(dict.fromkeys(gone), self._now())
            if reading is not None:
                _end_reading(connection, resource, reading, stale=not sweeps)
            else:
                connection.execute("UPDATE list SET stale = 0 WHERE resource = ?", (resource.value,))

    def _begin(self, database: Database, resource: Resource, reading: WholeReading | None, mirror: Path) -> None:
        """Take over a list of a mirror that is older than this history."""
        with self._attached(database, mirror), database.transaction() as connection:
            fill(connection, resource)
            if reading is not None:
                _end_reading(connection, resource, reading, stale=False)

    def _trim(self) -> None:
        """Delete single changes that are too old, and the oldest where the file is too large; totals stay."""
        database = self._database
        if database is None:
            return
        # Only days on which something was read count: a clock may be years ahead for once.
        row = database.row("SELECT day FROM day ORDER BY day DESC LIMIT 1 OFFSET ?", (KEPT_DAYS - 1,))
        if row is not None:
            oldest = min(self._now() - KEPT_S, datetime.fromisoformat(str(row[0])).timestamp())
            delete_below(
                database,
                database.number("SELECT id FROM change WHERE seen_by >= ? ORDER BY id LIMIT 1", (oldest,))
                or database.number("SELECT max(id) FROM change") + 1,
            )
        while size(database) > MOST_BYTES and (first := database.number("SELECT min(id) FROM change")):
            delete_below(database, first + _TRIMMED_AT_ONCE)


def _mark(connection: Connection) -> tuple[str, int] | None:
    row = connection.execute("SELECT mirror, told FROM mark").fetchone()
    return None if row is None else cast("tuple[str, int]", row)


def _move_on(connection: Connection, news: MirrorNews) -> None:
    """Note up to which news of which mirror all is recorded; where some were missed, every list is compared again."""
    mark = _mark(connection)
    fits = news.before == 0 if mark is None else mark == (news.mirror, news.before)
    if mark is None or not fits:
        connection.executemany(
            "INSERT INTO list (resource, stale) VALUES (?, ?) ON CONFLICT (resource) DO UPDATE SET stale = 1",
            [(resource.value, int(not fits)) for resource in Resource],
        )
    if mark != (news.mirror, news.told):
        connection.execute("INSERT OR REPLACE INTO mark VALUES (1, ?, ?)", (news.mirror, news.told))


def _is_stale(connection: Connection, resource: Resource) -> bool:
    return number(connection, "SELECT stale FROM list WHERE resource = ?", (resource.value,)) == 1


def _has_begun(connection: Connection, resource: Resource) -> bool:
    query = "SELECT EXISTS (SELECT 1 FROM list WHERE resource = ? AND first NOT NULL)"
    return number(connection, query, (resource.value,)) == 1


def _end_reading(connection: Connection, resource: Resource, reading: WholeReading, *, stale: bool) -> None:
    connection.execute(
        # Of what a reading does not sweep it does not say that it is as it was.
        "UPDATE list SET first = min(coalesce(first, ?2), ?2), began = iif(?5 OR began IS NULL, ?1, began), "
        "ended = ?2, stale = ?3 WHERE resource = ?4",
        (reading.began, reading.ended, int(stale), resource.value, int(reading.sweeps)),
    )
    if reading.sweeps:  # one that does not tell what went leaves open what goes with a deletion
        connection.execute("DELETE FROM along WHERE resource = ? AND since < ?", (resource.value, reading.walk))
