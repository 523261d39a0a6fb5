"""The stock of a pet that has gone is looked at, whether the pet was deleted here or by a colleague: a service may
remove it with the pet, or keep it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Delete, NewChange
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.lists.stock_of_gone import StockOfGone
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
SOON_S = 3.0


def by_list(name: str) -> Scenario:
    """The same service, which shows no stock entry by itself."""
    scenario = SCENARIOS[name]
    kinds = {**scenario.kinds, STOCK: replace(scenario.kinds[STOCK], verbs=(Verb.LIST, Verb.CHANGE))}
    return replace(scenario, name=f"{name}-stock-by-list", kinds=kinds)


ALONE = [SCENARIOS["demands"], SCENARIOS["jsend"], SCENARIOS["spring"]]
BY_LIST = [by_list("demands"), by_list("jsend")]
everywhere = pytest.mark.parametrize("scenario", [*ALONE, *BY_LIST], ids=str)
in_both_ways = pytest.mark.parametrize("scenario", [ALONE[0], BY_LIST[-1]], ids=str)
"""Where a record is looked at by itself, and where its list is."""


@pytest.fixture
def seat(loop: VirtualTime, scenario: Scenario, tmp_path: Path) -> Seat:
    return Seat(loop, Service(scenario, loop), tmp_path / "desk")


def shown(seat: Seat) -> set[Any]:
    return set(seat.desk.rows[STOCK])


def standing(seat: Seat) -> set[Any]:
    return {as_read(key) for key in seat.keys(STOCK)}


def of_stock(seat: Seat, before: int) -> list[str]:
    """What was asked of the stock since."""
    path = seat.scenario.kinds[STOCK].path
    return [one for one in seat.service.asked[before:] if path in one]


@everywhere
def test_the_stock_of_a_pet_that_is_deleted_here_goes_with_it(seat: Seat) -> None:
    pet = seat.keys(PETS)[0]
    seat.done(seat.delete(PETS, pet))
    before = len(seat.service.asked)
    seat.loop.run_for(SOON_S)
    assert as_read(pet) not in shown(seat)
    assert shown(seat) == standing(seat)
    assert 1 <= len(of_stock(seat, before)) <= 4
    seat.judge()


@in_both_ways
def test_where_the_service_keeps_it_it_stays_as_it_is_there(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    pet = seat.keys(PETS)[0]
    monkeypatch.setattr(seat.service.records, "delete", lambda resource, key: seat.service.kept[resource].pop(key))
    seat.done(seat.delete(PETS, pet))
    seat.service.records.put(STOCK, pet, "quantity", 77)
    seat.loop.run_for(SOON_S)
    assert getattr(seat.desk.rows[STOCK][as_read(pet)], "quantity", None) == 77


@in_both_ways
def test_the_stock_of_a_pet_that_a_colleague_deleted_goes_when_that_is_known(seat: Seat) -> None:
    pet = seat.keys(PETS)[0]
    seat.service.records.delete(PETS, pet)
    ended = len(seat.desk.ended(PETS))
    seat.desk.submit(Refresh((PETS,)))
    seat.desk.wait(lambda: len(seat.desk.ended(PETS)) > ended, "the pets are read")
    seat.loop.run_for(SOON_S)
    assert as_read(pet) not in shown(seat)
    assert shown(seat) == standing(seat)


@in_both_ways
def test_of_a_batch_the_stock_is_looked_at_once(seat: Seat) -> None:
    pets = seat.keys(PETS)[:5]
    for pet in pets:
        del seat.expected[PETS][pet]
        seat.expected[STOCK].pop(pet, None)
    ids = seat.desk.apply(*(NewChange(seat.ref(PETS, pet), Delete(), {}) for pet in pets))
    seat.done(ids)
    before = len(seat.service.asked)
    seat.loop.run_for(SOON_S)
    assert shown(seat) == standing(seat)
    one_reading = -(-7 // seat.scenario.page) if seat.scenario.paging != "none" else 1
    assert len(of_stock(seat, before)) <= 2 * one_reading, "a list in several answers is read once more"
    seat.judge()


@pytest.mark.parametrize("scenario", [ALONE[1]], ids=str)
def test_a_pet_without_stock_costs_nothing(seat: Seat) -> None:
    pet = seat.keys(PETS)[0]
    seat.service.kept[STOCK].pop(pet)
    del seat.expected[STOCK][pet]
    seat.desk.submit(Refresh((STOCK,)))
    seat.loop.run_for(SOON_S)
    seat.done(seat.delete(PETS, pet))
    before = len(seat.service.asked)
    seat.loop.run_for(SOON_S)
    assert of_stock(seat, before) == []


@pytest.mark.parametrize("scenario", ALONE[:1], ids=str)
def test_a_disk_that_cannot_be_read_is_not_asked_again_without_end(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def fails(_: object, pet: object, _at: float) -> bool:
        asked.append(pet)
        assert len(asked) < 100, "it never stops"
        raise StorageError("disk-full")

    monkeypatch.setattr(StockOfGone, "_may_be_gone", fails)
    pet = seat.keys(PETS)[0]
    seat.done(seat.delete(PETS, pet))
    seat.loop.run_for(SOON_S)
    assert len(asked) == 1
