"""The tables of history.db.

`origin` names the service's address, and all fields that the program knew when it last wrote here.

`shown` holds the records as they were last shown: the history's own copy, so that it can tell what changed even after a
new mirror. `fields` is a JSON object of the known fields (flags as 0 and 1). `list` says of each list when it was first
read whole, and when the first and the last rows of its latest whole reading were said; `stale` until it is compared
with the mirror again. `mark` says up to which news of which mirror all this is.

`change` holds one row for each field that changed, or record that came or went, in the order in which they were
recorded; `fields` of one that came or went. `attempt` names the attempt made here that explains it, if any: none
explains more than one change of a field. `along` lists what comes or goes with a record that was made or deleted here,
until the next whole reading of its list, and records that are assumed to be as they were sent. `day` holds the totals
of each local day. `trimmed` says until when changes were deleted to keep bounds.

Times are UTC epoch seconds. Keys are as in mirror.db.
"""

from __future__ import annotations

from typing import Final

from petstore_desktop.store.sqlite.database import DatabaseKind

_STEPS: Final = (
    (
        """CREATE TABLE origin (
            id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL, fields TEXT NOT NULL
        ) STRICT""",
        "CREATE TABLE mark (id INTEGER PRIMARY KEY CHECK (id = 1), mirror TEXT NOT NULL, told INTEGER NOT NULL) STRICT",
        """CREATE TABLE list (
            resource TEXT PRIMARY KEY, first REAL, began REAL, ended REAL, stale INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE shown (
            resource TEXT NOT NULL, key ANY NOT NULL, fields TEXT NOT NULL, seen_at REAL NOT NULL,
            PRIMARY KEY (resource, key)
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            resource TEXT NOT NULL,
            key ANY NOT NULL,
            what TEXT NOT NULL,
            field TEXT NOT NULL,
            before ANY,
            after ANY,
            seen_after REAL NOT NULL,
            seen_by REAL NOT NULL,
            who TEXT NOT NULL,
            fields TEXT,
            attempt TEXT
        ) STRICT""",
        "CREATE INDEX change_of ON change (resource, key)",
        "CREATE INDEX change_by ON change (attempt) WHERE attempt NOT NULL",
        """CREATE TABLE along (
            resource TEXT NOT NULL, key ANY NOT NULL, what TEXT NOT NULL, since INTEGER NOT NULL,
            PRIMARY KEY (resource, key, what)
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE day (
            day TEXT PRIMARY KEY, pets TEXT, stock TEXT, open_orders INTEGER, overdue INTEGER, low INTEGER,
            none_left INTEGER
        ) STRICT, WITHOUT ROWID""",
        "CREATE TABLE trimmed (id INTEGER PRIMARY KEY CHECK (id = 1), until REAL NOT NULL) STRICT",
    ),
)

SCHEMA_VERSION: Final = len(_STEPS)
"""The version of history.db that reader and writer know."""

KIND: Final = DatabaseKind(application_id=0x50534448, steps=_STEPS, durable=False, busy_ms=200, checked=False)  # "PSDH"
"""Not durable: what a power cut takes of it is told by the mirror, or else by the next readings."""
