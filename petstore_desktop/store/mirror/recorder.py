"""What the mirror tells of what changes in it, to one who keeps what it forgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

from msgspec import Struct

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import Key, Ref, Resource, Row
from petstore_desktop.store.mirror.rows import key_of
from petstore_desktop.store.sqlite.typed_apsw import Connection


class MirrorNews(Struct, frozen=True):
    """Which news of which mirror is told: its number, and the number of the news before it (equal: none is)."""

    mirror: str
    before: int
    told: int


class WholeReading(Struct, frozen=True):
    """A list was read to its end by this walk: when the first and the last of its rows were said (UTC epoch seconds),
    and whether what it did not show is gone, of those with these statuses, if any are named."""

    walk: int
    began: float
    ended: float
    sweeps: bool = True
    statuses: tuple[str, ...] = ()


class Recorder(Protocol):
    """Keeps what the mirror forgets. It is told inside the mirror's transaction, before that commits, and raises
    nothing; a kill has the same news told again."""

    def shown(
        self,
        resource: Resource,
        rows: Sequence[Row],
        said_before: Mapping[Key, float],
        news: MirrorNews,
        own: Fields | None = None,
        made: bool = False,
    ) -> None:
        """These rows are new or changed; `said_before`: when the old content of those that changed was last said.
        `own`: the values that a write of ours gave, `made`: it made the record."""
        ...

    def gone(
        self, resource: Resource, keys: Mapping[Key, float | None], news: MirrorNews, own: bool | None = False
    ) -> None:
        """These rows are gone; with when each was last said. `own`: a deletion of ours was answered; None: it found
        them gone before."""
        ...

    def assumed(self, ref: Ref, news: MirrorNews) -> None:
        """The last that was shown of this record is what we sent: the service has taken it, and did not show it."""
        ...

    def size(self) -> int:
        """The used bytes of what it keeps."""
        ...

    def settled(self, news: MirrorNews, mirror: Path) -> None:
        """Records that came alone were told; after the commit."""
        ...

    def read_whole(self, resource: Resource, reading: WholeReading, news: MirrorNews, mirror: Path) -> None:
        """A list was read to its end; after the commit."""
        ...


MOVED: Final = (
    "PRAGMA temp_store = 2",
    "CREATE TEMP TABLE moved (key ANY, seen REAL)",
    *(
        f"CREATE TEMP TRIGGER {resource.value}_said AFTER UPDATE OF changed ON main.{resource.value} "
        "WHEN old.changed IS NOT new.changed BEGIN INSERT INTO moved VALUES (old.key, old.seen_at); END"
        for resource in Resource
    ),
)
"""Of each row that changes, when its old content was last said: in memory, for the recorder alone."""

IDENTITY: Final = (
    "CREATE TABLE identity (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, told INTEGER NOT NULL) STRICT",
    "INSERT INTO identity VALUES (1, lower(hex(randomblob(16))), 0)",
)
NEW_IDENTITY: Final = "UPDATE identity SET name = lower(hex(randomblob(16))), told = 0"


def no_news(connection: Connection) -> MirrorNews:
    """All that has been told."""
    name, told = cast("tuple[str, int]", connection.execute("SELECT name, told FROM identity").fetchone())
    return MirrorNews(name, told, told)


def news(connection: Connection, number: int) -> MirrorNews:
    """Count one more news, with this number; committed with what it tells."""
    before = no_news(connection)
    connection.execute("UPDATE identity SET told = ?", (number,))
    return MirrorNews(before.mirror, before.told, number)


def said_before(connection: Connection) -> dict[Key, float]:
    """When the old contents of the rows that have just changed were last said (UTC epoch seconds)."""
    moved = cast("list[tuple[int | str, float]]", connection.execute("SELECT key, seen FROM moved").fetchall())
    connection.execute("DELETE FROM moved")
    return {key_of(key): seen for key, seen in moved}
