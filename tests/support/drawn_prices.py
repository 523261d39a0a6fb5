"""Batches drawn at random, with what waits before them and what is known of their records: to be priced in two ways."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import INT64_MAX, Key, LocalId, Ref, Resource, Row
from petstore_desktop.sync.price.alike import Stands
from petstore_desktop.sync.price.price import Present
from tests.support.told_windows import told
from tests.sync.made import FULL, facts, pet_row, resource_of, stock_row, without, without_etags

PETS, STOCK, CATEGORIES = Resource.PETS, Resource.INVENTORY, Resource.CATEGORIES
NOW = 1_000_000.0
PLAIN = without_etags(FULL)
WHOLE = replace(
    FULL, operations={**FULL.operations, Op.PET_CHANGE: replace(FULL.operations[Op.PET_CHANGE], replaces=True)}
)
CONTRACTS = (
    FULL,
    PLAIN,
    without(PLAIN, Op.STOCK_READ),
    without(FULL, Op.STOCK_READ),
    WHOLE,
    without(FULL, Op.PET_CHANGE),
)
RECORDS = 40


class DrawnPrice(Struct):
    """A batch, and what its price rests on; `alike`: how records stand, as the program knows of many at once."""

    changes: list[NewChange]
    present: Present
    alike: Stands

    @property
    def counted(self) -> Present:
        """As the program prices it."""
        return replace(self.present, stands=self.alike)


def stands_of(rows: Sequence[Row], sequences: Mapping[Ref, int]) -> Stands:
    """How these rows stand, as the mirror has it."""
    known = {Ref(resource_of(row.record), row.key): row for row in rows}

    def stands(resource: Resource, keys: Sequence[Key], fields: Sequence[str]) -> dict[Key, tuple[object, ...]]:
        found: dict[Key, tuple[object, ...]] = {}
        for ref in (Ref(resource, key) for key in keys):
            if ref in known:
                row = known[ref]
                told_ = (getattr(row.record, name) for name in fields)
                found[ref.key] = (ref.key, row.etag is not None, sequences[ref], *told_)
        return found

    return stands


def drawn(chance: Random) -> DrawnPrice:
    """One of them."""
    contract = chance.choice(CONTRACTS)
    rows = [*_rows(chance, PETS), *_rows(chance, STOCK)]
    ages = {0: 0.0, 1: 1.0, 2: 4.0, 3: 4.75, 4: float("inf")}
    sequences = {Ref(resource_of(row.record), row.key): chance.randrange(5) for row in rows}
    proofs = chance.random() < 0.3
    old, *_ = made = [LocalId.new() for _ in range(4)]
    known = facts(*rows, contract=contract, local_ids={old: 7})  # it was made here, and has a number by now
    known = replace(
        known,
        age=lambda ref: ages[sequences.get(ref, 4)],
        whole=lambda ref: sequences.get(ref, 4) != 2,
        echoed=lambda ref: sequences.get(ref, 4) == 1,
        proof_cost=lambda _ref, _operation, _fields: 1 if proofs else 0,
        after_deletion=lambda _: 1 if proofs else 0,
        kept=lambda change: change.batch == "paused",
    )
    pages = chance.choice((None, 1, 3))
    by_list = {STOCK} if Op.STOCK_READ not in contract.operations else set[Resource]()
    by_list |= {PETS} if chance.random() < 0.1 else set()

    def list_cost(ref: Ref) -> int | None:
        return (pages or 1) if ref.resource in by_list else None

    waiting = [_waiting(chance, number, made) for number in range(chance.choice((0, 0, 3, 15)))]
    waiting = [one for one in waiting if not isinstance(one.intent, Create)]
    changes = list(itertools.chain.from_iterable(_acts(chance, made) for _ in range(chance.randrange(1, 12))))
    present = Present(
        waiting, known, list_cost, _quota(chance), _view(chance), NOW, chance.choice((0.0, 0.125, 0.25, 1.0))
    )
    return DrawnPrice(changes, present, stands_of(rows, sequences))


def _rows(chance: Random, resource: Resource) -> list[Row]:
    found: list[Row] = []
    guarded = chance.choice((0.0, 0.5, 1.0))
    for key in range(RECORDS):
        etag = "e" if chance.random() < guarded else None
        if chance.random() < 0.95:
            found.append(
                stock_row(3, etag, key) if resource is STOCK else pet_row("Koi", etag, key, status="available")
            )
    return found


def _acts(chance: Random, made: list[LocalId]) -> list[NewChange]:
    """What one act does: to one record, or to many of them the same."""
    first = chance.randrange(RECORDS)
    keys = [(first + number) % RECORDS for number in range(chance.choice((1, 1, 2, 30)))]
    seen: dict[str, Any] = chance.choice(({}, {"quantity": 3}, {"quantity": 3}, {"quantity": 4}))
    pets: list[tuple[Intent, dict[str, Any]]] = [
        (SetFields({"status": "sold"}), {"status": "available"}),
        (SetFields({"name": "Z"}), {"name": chance.choice(("Koi", "Koi", "Ada"))}),
    ]
    stock: list[Intent] = [AddStock(2), AddStock(1), AddStock(-1), SetStock(9), AddStock(INT64_MAX)]
    match chance.randrange(6):
        case 0 | 1:
            return [NewChange(Ref(STOCK, key), one, seen) for one in [chance.choice(stock)] for key in keys]
        case 2 | 3:
            return [NewChange(Ref(PETS, key), one, base) for one, base in [chance.choice(pets)] for key in keys]
        case 4:
            return _litter(chance, made, len(keys))
        case _:
            local = chance.choice((*made, *keys[:3]))
            wanted: list[Intent] = [SetFields({"name": "Y"}), AddStock(1), Delete(), Delete()]
            intent = chance.choice(wanted)
            return [NewChange(Ref(STOCK if isinstance(intent, AddStock) else PETS, local), intent)]


def _litter(chance: Random, made: list[LocalId], count: int) -> list[NewChange]:
    """New pets with their stock, one after the other or all pets first, sometimes of a new category."""
    category = LocalId.new()
    of = category if chance.random() < 0.5 else 1
    locals_ = [made.pop() if len(made) > 1 else LocalId.new() for _ in range(count)]
    pets = [NewChange(Ref(PETS, local), Create({"name": "New", "category_id": of})) for local in locals_]
    stock = [NewChange(Ref(STOCK, local), AddStock(4)) for local in locals_ if chance.random() < 0.8]
    made += locals_[:2]
    first = [NewChange(Ref(CATEGORIES, category), Create({"name": "Kind"}))] if of == category else []
    acts = [*pets, *stock]
    if chance.random() < 0.5:
        acts.sort(key=lambda one: locals_.index(one.ref.key) if isinstance(one.ref.key, LocalId) else -1)
    return [*acts, *first] if chance.random() < 0.2 else [*first, *acts]


def _waiting(chance: Random, number: int, made: list[LocalId]) -> Change:
    new = _acts(chance, made)[0]
    states = (ChangeState.QUEUED,) * 6 + (ChangeState.REFUSED, ChangeState.SENDING, ChangeState.UNCERTAIN)
    batch = chance.choice(("one", "one", "two", "paused"))
    return Change(number + 1, batch, NOW, new.ref, new.intent, new.base, chance.choice(states), NOW)


def _quota(chance: Random) -> Quota:
    minute = Window(60, chance.choice((60, 7, 8, 30)), NOW + 40.0)
    day = Window(1_000, chance.choice((1_000, 130, 104)), NOW + 7_200.0, own_count=chance.random() < 0.5)
    return chance.choice((Quota(), told(NOW, minute), told(NOW, minute, day), told(NOW, Window(), day)))


def _view(chance: Random) -> GateView | None:
    paused = GateView(GatePhase.PAUSED, until=NOW + 2.0)
    views: list[Any] = [GateView(), GateView(), paused, None]
    return chance.choice(views)
