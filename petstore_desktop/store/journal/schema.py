"""The tables of journal.db.

`change` is what people did and is never rewritten. `attempt` is each try to bring changes further, and also each
decision about them without a request (discarded, sent again, settled by looking: `request` is NULL then).
`attempt_change` says which changes an attempt is about. The state of a change is the outcome of its latest attempt:
none -> queued, NULL -> sending.

`open_change` holds nothing of its own: it lists the changes whose state is open, written in the same transaction as the
attempt that opens or closes them, so that a start reads what waits and not the 100,000 done ones beside it.

`batch` says of a batch what its changes do not: how it came to be, and how it is to be sent. A batch without a row is a
plain edit; `after` is the newest change that was there before it. `undone` names the changes that were taken back, the
batch that did it, and its change that does the opposite, if one goes out; `pending` those that were on their way when a
person took them back (`undo`) or cancelled their batch (`cancel`): that happens when they are answered.

`draft` has what is half filled, and, as `ended:` and the id of a batch, what the drafts were before it that it ended:
undo of the batch puts them back (with a table of its own the list of tables would leave the first page, and one damaged
byte of it could cost all changes).

`sum` is the checksum of the rest of a row (`journal_rows.row_sum`): SQLite does not notice a flipped bit in a text.
Rows of earlier versions have none.

`origin` names the address of the service that the journal was written for. `made` keeps each record that was created
here as the service first showed it, and each that was deleted here as it was last read before. The id of a created
record is in `result_key`, or in `result_text` where it is no number.
"""

from __future__ import annotations

from petstore_desktop.store.journal.audit import audit
from petstore_desktop.store.journal.rows import row_sum
from petstore_desktop.store.sqlite.database import Database, DatabaseKind

STEPS = (
    (
        """CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            batch TEXT NOT NULL,
            at REAL NOT NULL,
            resource TEXT NOT NULL,
            key TEXT NOT NULL,
            intent TEXT NOT NULL,
            base TEXT NOT NULL,
            before TEXT
        ) STRICT""",
        "CREATE INDEX change_of_batch ON change (batch)",
        "CREATE INDEX change_of_record ON change (resource, key)",
        """CREATE TABLE attempt (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at REAL NOT NULL,
            request TEXT,
            base TEXT,
            value TEXT,
            outcome TEXT,
            ended_at REAL,
            code TEXT,
            message TEXT,
            status INTEGER,
            raw TEXT,
            theirs TEXT,
            result_key INTEGER
        ) STRICT""",
        "CREATE INDEX attempt_sending ON attempt (id) WHERE outcome IS NULL",
        "CREATE INDEX attempt_created ON attempt (id) WHERE result_key IS NOT NULL",
        "CREATE INDEX attempt_ended ON attempt (ended_at)",
        """CREATE TABLE attempt_change (
            change_id INTEGER NOT NULL REFERENCES change (id),
            attempt_id INTEGER NOT NULL REFERENCES attempt (id),
            PRIMARY KEY (change_id, attempt_id)
        ) STRICT, WITHOUT ROWID""",
        "CREATE INDEX change_of_attempt ON attempt_change (attempt_id)",
        "CREATE TABLE open_change (change_id INTEGER PRIMARY KEY REFERENCES change (id)) STRICT",
    ),
    (
        """CREATE TABLE batch (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            at REAL NOT NULL,
            kind TEXT NOT NULL,
            undoes TEXT,
            redoes TEXT,
            paused INTEGER NOT NULL,
            priority INTEGER NOT NULL,
            after INTEGER NOT NULL
        ) STRICT""",
        "CREATE INDEX batch_undoes ON batch (undoes) WHERE undoes IS NOT NULL",
        "CREATE INDEX batch_redoes ON batch (redoes) WHERE redoes IS NOT NULL",
        """CREATE TABLE undone (
            change_id INTEGER PRIMARY KEY REFERENCES change (id),
            by TEXT NOT NULL,
            opposite INTEGER REFERENCES change (id)
        ) STRICT""",
        "CREATE INDEX undone_by ON undone (by)",
        """CREATE TABLE pending (
            change_id INTEGER PRIMARY KEY REFERENCES change (id),
            what TEXT NOT NULL,
            by TEXT NOT NULL
        ) STRICT""",
    ),
    (
        """CREATE TABLE decision (
            attempt_id INTEGER PRIMARY KEY REFERENCES attempt (id),
            decision TEXT NOT NULL,
            at REAL NOT NULL
        ) STRICT""",
        "CREATE INDEX attempt_of_decision ON decision (decision)",
        "CREATE TABLE draft (form TEXT PRIMARY KEY, at REAL NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT ROWID",
    ),
    ("ALTER TABLE change ADD COLUMN sum INTEGER", "ALTER TABLE attempt ADD COLUMN sum INTEGER"),
    (
        "CREATE TABLE origin (id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL, sum INTEGER) STRICT",
        "CREATE TABLE made (change_id INTEGER PRIMARY KEY REFERENCES change (id), record TEXT NOT NULL) STRICT",
    ),
    ("ALTER TABLE batch ADD COLUMN source TEXT NOT NULL DEFAULT ''",),
    (
        "ALTER TABLE attempt ADD COLUMN result_text TEXT",
        "CREATE INDEX attempt_named ON attempt (id) WHERE result_text IS NOT NULL",
    ),
)

KIND = DatabaseKind(application_id=0x5053444A, steps=STEPS, durable=True, exclusive=True, audit=audit)  # "PSDJ"


def kept_address(database: Database) -> str | None:
    """Read the service's address of a journal or archive; None if it has none yet. Raises StorageError."""
    row = database.row("SELECT address FROM origin")
    return None if row is None else str(row[0])


def keep_address(database: Database, address: str | None) -> None:
    """Store the service's address, unless there is one. Raises StorageError."""
    if address is not None and kept_address(database) is None:
        with database.transaction() as connection:
            connection.execute("INSERT INTO origin VALUES (1, ?, ?)", (address, row_sum((address,))))
