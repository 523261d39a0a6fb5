"""One running shop: its books, its keys, and the switches that its control routes turn."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from petstore_desktop.demo.books.catalogue import make_catalogue
from petstore_desktop.demo.books.database import CATEGORIES, INVENTORY, ORDERS, PETS, Database
from petstore_desktop.demo.books.headers import Voice
from petstore_desktop.demo.books.quota import Ledger, Rules


@dataclass(slots=True)
class Account:
    """A key's ledger, and whether the key was revoked."""

    ledger: Ledger
    revoked: bool = False


@dataclass(slots=True)
class Refused:
    """What the shop answers to every write while it refuses them."""

    status: int = 403
    code: str = "writes_refused"
    message: str = "this shop takes no changes at the moment"


@dataclass(slots=True)
class Canned:
    """An answer given `left` times in place of the shop's own."""

    left: int
    status: int
    body: str
    headers: dict[str, str]
    method: str = ""
    """Only requests of this one; empty: of all."""


@dataclass(slots=True)
class Switches:
    """What the control routes have turned on."""

    offline: bool = False
    refuse_writes: Refused | None = None
    lose_answers: int = 0
    delay: float = 0.0
    etags: bool = True
    canned: Canned | None = None


@dataclass(slots=True)
class Shop:
    """The state behind every route. `now` gives epoch seconds."""

    service: str
    database: Database
    rules: Rules
    now: Callable[[], float]
    accounts: dict[str, Account] = field(default_factory=dict[str, Account])
    switches: Switches = field(default_factory=Switches)
    voice: Voice = field(default_factory=Voice)

    @property
    def full(self) -> bool:
        """Whether the shop offers more than the nine operations."""
        return self.service == "full"

    @property
    def tags(self) -> bool:
        """Whether the shop gives validators, and heeds those that it is given."""
        return self.full and self.switches.etags

    def add_key(self, key: str) -> Account:
        """Let a key in (again); its windows stay as they were."""
        account = self.accounts.setdefault(key, Account(Ledger(self.rules)))
        account.revoked = False
        return account


def key_id(key: str | None) -> str | None:
    """A short name of a key for the log, from which the key cannot be learned."""
    return None if key is None else hashlib.sha256(key.encode()).hexdigest()[:8]


def seed(database: Database, pets: int, today: date) -> None:
    """Fill an empty shop."""
    catalogue = make_catalogue(pets, today)
    with database.transaction():
        database.clear()
        database.fill(CATEGORIES, catalogue.categories)
        database.fill(PETS, catalogue.pets)
        database.fill(ORDERS, catalogue.orders)
        database.fill(INVENTORY, catalogue.inventory)
        database.set_meta("seeded", f"{pets} pets, {today.isoformat()}")


def wall_clock() -> float:
    """Epoch seconds of this machine."""
    return time.time()
