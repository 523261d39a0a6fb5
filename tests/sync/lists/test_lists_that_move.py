"""What is deleted, moved or made between two answers to one list: what still stands is never taken for gone, whatever
tells where the list goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.clock import unique
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Delete, NewChange
from petstore_desktop.domain.commands import Apply, Refresh
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.sync.send import absence
from petstore_desktop.sync.wire.events import LoadEnded, RowsChanged
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
IN_PAGES = ("demands", "tenant", "two-keys", "stripe", "spring", "json-api", "hal", "odata", "django")
"""By number, by offset, by a cursor that hides a place, and by addresses."""


def without_single_reads(scenario: Scenario) -> Scenario:
    """The same service, which shows no record by itself."""
    made = {one: replace(kind, verbs=tuple(set(kind.verbs) - {Verb.READ})) for one, kind in scenario.kinds.items()}
    return replace(scenario, name=f"{scenario.name}-lists-alone", kinds=made)


def at(*scenarios: Scenario) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("scenario", scenarios, ids=str)


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Resource, Key]]:
    """What the history was told to be gone."""
    told: list[tuple[Resource, Key]] = []
    real = ShopHistory.gone

    def spied(self: ShopHistory, resource: Resource, keys: Any, *rest: Any, **more: Any) -> None:
        told.extend((resource, key) for key in keys)
        real(self, resource, keys, *rest, **more)

    monkeypatch.setattr(ShopHistory, "gone", spied)
    return told


@pytest.fixture
def seat(loop: VirtualTime, scenario: Scenario, tmp_path: Path) -> Seat:
    return Seat(loop, Service(scenario, loop), tmp_path / "desk")


def read_again(seat: Seat, *resources: Resource, meanwhile: tuple[Callable[[], object], ...] = ()) -> int:
    """A person asks for lists, and things happen after their first answers; how many requests of these that took."""
    seat.loop.run_for(5.0)
    seat.service.meanwhile, before = list(meanwhile), len(seat.service.asked)
    for resource in resources:
        told = seat.desk.ended(resource)
        seat.desk.submit(Refresh((resource,)))
        seat.desk.wait(partial(has_ended, seat, resource, len(told)), f"{resource} is read")
        seat.loop.run_for(0.5)
        seat.desk.wait_idle()
    assert seat.service.meanwhile == []
    paths = [seat.scenario.kinds[one].path for one in resources]
    return sum(any(path in asked for path in paths) for asked in seat.service.asked[before:])


def has_ended(seat: Seat, resource: Resource, times: int) -> bool:
    """Whether a list was read to its end more often than so."""
    return len(seat.desk.ended(resource)) > times and seat.desk.idle


def colleague_deletes(seat: Seat, resource: Resource, *keys: Any) -> Callable[[], None]:
    def act() -> None:
        for key in keys:
            del seat.expected[resource][key]
            seat.service.kept[resource].pop(key)

    return act


def more(seat: Seat, resource: Resource, n: int) -> None:
    for _ in range(n):
        seat.service.records.another(resource, seat.keys(resource)[0])
    seat.expected = seat.service.records.whole()


def shown(seat: Seat, resource: Resource) -> set[Key]:
    return set(seat.desk.rows[resource])


def standing(seat: Seat, resource: Resource) -> set[Key]:
    return {as_read(key) for key in seat.keys(resource)}


def removed(seat: Seat, resource: Resource) -> set[Key]:
    """What the window was told to be gone."""
    return {key for one in seat.desk.of(RowsChanged) if one.resource is resource for key in one.removed}


@at(*(SCENARIOS[name] for name in IN_PAGES))
def test_what_a_deletion_moved_from_one_page_to_another_stays(seat: Seat, gone: list[tuple[Resource, Key]]) -> None:
    """Seven pets in pages of three: the first is deleted when its page was read, and the fourth is in no page."""
    first = seat.keys(PETS)[0]
    read_again(seat, PETS, meanwhile=(colleague_deletes(seat, PETS, first),))
    assert standing(seat, PETS) <= shown(seat, PETS)
    read_again(seat, PETS)
    assert shown(seat, PETS) == standing(seat, PETS)
    assert removed(seat, PETS) == {as_read(first)}
    assert gone == [(PETS, as_read(first))]
    assert seat.desk.ended(PETS)[-1].gaps.missing == 0
    seat.judge()


@at(*(without_single_reads(SCENARIOS[name]) for name in ("demands", "two-keys")))
def test_where_no_record_is_shown_by_itself_another_reading_tells(seat: Seat, gone: list[tuple[Resource, Key]]) -> None:
    first = seat.keys(PETS)[0]
    read_again(seat, PETS, meanwhile=(colleague_deletes(seat, PETS, first),))
    assert standing(seat, PETS) <= shown(seat, PETS)
    read_again(seat, PETS)
    assert (removed(seat, PETS), gone) == ({as_read(first)}, [(PETS, as_read(first))])
    assert shown(seat, PETS) == standing(seat, PETS)


@at(SCENARIOS["demands"], without_single_reads(SCENARIOS["demands"]))
def test_a_deletion_that_moves_nothing_is_seen_by_one_reading(seat: Seat) -> None:
    first = seat.keys(PETS)[0]
    colleague_deletes(seat, PETS, first)()
    pages = 2
    asked = read_again(seat, PETS)
    assert shown(seat, PETS) == standing(seat, PETS)
    assert asked <= 2 * pages + 2, "a reading, and what tells of the one that is missing"
    assert read_again(seat, PETS) == pages, "nothing is asked for twice where nothing is missing"


@at(without_single_reads(SCENARIOS["two-keys"]))
def test_while_records_go_in_each_reading_none_that_stands_is_taken_for_gone(
    seat: Seat, gone: list[tuple[Resource, Key]]
) -> None:
    """One goes at each page, for long: no reading shows all that the one before it showed."""
    more(seat, ORDERS, 20)
    read_again(seat, ORDERS)
    for _ in range(4):
        acts = tuple(colleague_deletes(seat, ORDERS, key) for key in seat.keys(ORDERS)[:2])
        read_again(seat, ORDERS, meanwhile=acts)
        assert standing(seat, ORDERS) <= shown(seat, ORDERS)
        assert not removed(seat, ORDERS) & standing(seat, ORDERS)
        assert not {key for _, key in gone} & standing(seat, ORDERS)
    read_again(seat, ORDERS)
    read_again(seat, ORDERS)
    assert shown(seat, ORDERS) == standing(seat, ORDERS)


@at(SCENARIOS["tenant"])
def test_own_deletions_move_a_list_too(seat: Seat, gone: list[tuple[Resource, Key]]) -> None:
    """The pages are read while the person's own deletions go out: what they move up stays."""
    more(seat, ORDERS, 24)
    read_again(seat, ORDERS)
    own = list[Key]()

    def act() -> None:
        key = seat.keys(ORDERS)[0]
        own.append(as_read(key))
        seat.desk.submit(Apply(unique(), (NewChange(seat.ref(ORDERS, key), Delete(), {}),)))

    for _ in range(3):
        read_again(seat, ORDERS, meanwhile=(act,))
        assert standing(seat, ORDERS) <= shown(seat, ORDERS)
    read_again(seat, ORDERS)
    assert shown(seat, ORDERS) == standing(seat, ORDERS)
    assert not standing(seat, ORDERS) & set(own)
    assert {key for _, key in gone} == set(own)


@at(SCENARIOS["demands"], SCENARIOS["two-keys"], SCENARIOS["hal"])
def test_what_is_made_meanwhile_is_shown_once(seat: Seat) -> None:
    def made_at_the_front() -> None:
        key = seat.service.records.another(PETS, seat.keys(PETS)[0], first=True)
        seat.expected[PETS][key] = dict(seat.service.kept[PETS][key])

    read_again(seat, PETS, meanwhile=(made_at_the_front,))
    read_again(seat, PETS)
    assert shown(seat, PETS) == standing(seat, PETS)
    assert removed(seat, PETS) == set()


@at(SCENARIOS["spring"], SCENARIOS["django"])
def test_a_list_whose_total_moves_while_it_is_read_is_read_once_more(seat: Seat) -> None:
    """A colleague's new pet stands in a page that was read already."""

    def made_at_the_front() -> None:
        key = seat.service.records.another(PETS, seat.keys(PETS)[0], first=True)
        seat.expected[PETS][key] = dict(seat.service.kept[PETS][key])

    pages = read_again(seat, PETS)
    asked = read_again(seat, PETS, meanwhile=(made_at_the_front,))
    assert shown(seat, PETS) == standing(seat, PETS)
    assert pages < asked <= 2 * pages + 2


@at(SCENARIOS["petstore-3"])
def test_a_pet_that_changes_its_status_between_two_lists_stays(seat: Seat) -> None:
    """One list for each status: what was pending is available when pending ones are asked for."""
    word = seat.scenario.statuses
    moving = next(key for key in seat.keys(PETS) if seat.service.value(PETS, key, "status") == word[1])

    def act() -> None:
        seat.service.records.put(PETS, moving, "status", word[0])
        seat.expect(PETS, moving, "status", word[0])

    read_again(seat, PETS, meanwhile=(act,))
    assert as_read(moving) in shown(seat, PETS)
    assert removed(seat, PETS) == set()


@at(SCENARIOS["demands"])
def test_of_many_that_are_missing_few_are_asked_for_alone(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stay, and are told to be missing, until another reading shows the same, and three by themselves."""
    monkeypatch.setattr(absence, "MOST_REQUESTS", 3)
    more(seat, ORDERS, 30)
    read_again(seat, ORDERS)
    keys = seat.keys(ORDERS)[:12]
    colleague_deletes(seat, ORDERS, *keys)()
    asked = read_again(seat, ORDERS)
    last: LoadEnded = seat.desk.ended(ORDERS)[-1]
    assert (last.gaps.missing, asked) == (12, 7)
    assert shown(seat, ORDERS) == standing(seat, ORDERS) | {as_read(key) for key in keys}
    assert read_again(seat, ORDERS) == 7 + absence.SAMPLE + 1
    assert shown(seat, ORDERS) == standing(seat, ORDERS)
    assert seat.desk.ended(ORDERS)[-1].gaps.missing == 0


def touched(seat: Seat, resource: Resource, keys: list[Any]) -> Callable[[], None]:
    """Somebody changes these records in a list whose newest change comes first."""

    def act() -> None:
        kept = seat.service.kept[resource]
        first = {key: kept.pop(key) for key in keys}
        rest = {**kept}
        kept.clear()
        kept.update(first | rest)

    return act


@at(SCENARIOS["demands"])
def test_many_that_move_to_the_front_while_they_are_read_stay(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two readings agree, and each record stands: as an attacker found."""
    monkeypatch.setattr(absence, "MOST_REQUESTS", 2)
    more(seat, ORDERS, 30)
    read_again(seat, ORDERS)
    *others, one, two = seat.keys(ORDERS)
    for _ in range(3):
        touched(seat, ORDERS, others)()
        read_again(seat, ORDERS, meanwhile=(touched(seat, ORDERS, [one, two]),))
        assert standing(seat, ORDERS) == shown(seat, ORDERS)
    assert removed(seat, ORDERS) == set()


@at(SCENARIOS["jsend"], SCENARIOS["gitbook"])
def test_what_one_answer_does_not_show_is_gone_at_once(seat: Seat) -> None:
    key = seat.keys(PETS)[0]
    colleague_deletes(seat, PETS, key)()
    assert read_again(seat, PETS) == 1
    assert shown(seat, PETS) == standing(seat, PETS)
