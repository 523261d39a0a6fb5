"""One running shop: its books, its keys, and the switches that its control routes turn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from petstore_desktop.demo.books.catalogue import make_catalogue
from petstore_desktop.demo.books.database import TABLES, ShopDatabase
from petstore_desktop.demo.books.headers import HeaderStyle
from petstore_desktop.demo.books.loading import OwnRules
from petstore_desktop.demo.books.quota import KeyQuota, Rules


@dataclass(slots=True)
class KeyAccount:
    """A key's ledger, and whether the key was revoked."""

    ledger: KeyQuota
    revoked: bool = False

    def revoke(self) -> None:
        """Answer 401 to this key from now on."""
        self.revoked = True


@dataclass(slots=True)
class WriteRefusal:
    """What the shop answers to every write while it refuses them."""

    status: int = 403
    code: str = "writes_refused"
    message: str = "this shop takes no changes at the moment"


@dataclass(slots=True)
class Canned:
    """An answer given `left` times in place of the shop's own; `writes`: to requests that change something alone."""

    left: int
    status: int
    body: str
    headers: dict[str, str]
    writes: bool = False


@dataclass(slots=True)
class ShopSwitches:
    """What the control routes have turned on."""

    offline: bool = False
    refuse_writes: WriteRefusal | None = None
    lose_answers: int = 0
    delay: float = 0.0
    etags: bool = True
    canned: Canned | None = None


@dataclass(slots=True)
class Shop:
    """The state behind every route. `now` gives epoch seconds."""

    service: str
    database: ShopDatabase
    rules: Rules
    now: Callable[[], float]
    accounts: dict[str, KeyAccount] = field(default_factory=dict[str, KeyAccount])
    own: OwnRules = field(default_factory=OwnRules)
    switches: ShopSwitches = field(default_factory=ShopSwitches)
    voice: HeaderStyle = field(default_factory=HeaderStyle)

    @property
    def statuses(self) -> tuple[str, ...]:
        """The states that a pet can be in."""
        return self.own.statuses

    @property
    def full(self) -> bool:
        """Whether the shop offers more than the nine operations."""
        return self.service == "full"

    @property
    def tags(self) -> bool:
        """Whether the shop gives validators, and heeds those that it is given."""
        return self.full and self.switches.etags and self.own.etags

    def add_key(self, key: str) -> KeyAccount:
        """Let a key in (again); its windows stay as they were."""
        account = self.accounts.setdefault(key, KeyAccount(KeyQuota(self.rules)))
        account.revoked = False
        return account


def key_id(key: str | None) -> str | None:
    """A short name of a key for the log, from which the key cannot be learned."""
    return None if key is None else hashlib.sha256(key.encode()).hexdigest()[:8]


def seed(database: ShopDatabase, pets: int, today: date) -> None:
    """Fill an empty shop."""
    catalogue = make_catalogue(pets, today)
    with database.transaction():
        database.clear()
        for name, table in TABLES.items():
            database.fill(table, getattr(catalogue, name))
        database.set_meta("seeded", f"{pets} pets, {today.isoformat()}")
