"""Plays all that a service offers, and judges it in the service's own books: see `play`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import cast

from petstore_desktop.contract.model import FROM_PROFILE, Contract
from petstore_desktop.contract.operations import OPS, VERBS, Op, Verb
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import ALL_SPECS, FIELD_SPECS, Resource
from petstore_desktop.sync.wire.events import RowsChanged
from tests.support.learned_once import learned_once
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
_OF_NEW = {PETS: ("name", "category_id", "status"), CATEGORIES: ("name", "description"), ORDERS: ("pet_id", "quantity")}


def play(
    scenario: Scenario,
    folder: Path,
    unseen: AbstractSet[Op] = frozenset(),
    acts_on: AbstractSet[Resource] = frozenset(Resource),
    profile: str | None = None,
) -> Counter[str]:
    """Sit down at a service and do all that it offers, each act undone: its books hold what was asked for and nothing
    else, and what is not offered is refused in words. `unseen`: what it has where nobody looks for it; `acts_on`: what
    is changed, made and deleted, while all is read; `profile`: the file that is followed. How often what was done."""
    loop = VirtualTime()
    try:
        seat = Seat(loop, Service(scenario, loop), folder, profile)
        done = Counter({"services": 1})
        judge_offered(seat, done, unseen)
        judge_shown(seat, done)
        assert seat.service.written == []
        acted = [resource for resource in scenario.kinds if resource in acts_on]
        for resource in acted:
            change_each_field(seat, resource, done)
            make_one(seat, resource, done)
            delete_one(seat, resource, done)
        for resource in acted:
            read_while_it_moves(seat, resource, done)
        return done
    finally:
        loop.close()


def judge_offered(seat: Seat, done: Counter[str], unseen: AbstractSet[Op] = frozenset()) -> None:
    """Nothing is offered that the service does not have, and what it has and is not offered has a reason; without a
    document all that it has is offered."""
    scenario = seat.scenario
    there = {OPS[resource, verb] for resource, kind in scenario.kinds.items() for verb in kind.verbs}
    offered = {op for op, one in seat.contract.operations.items() if not one.gathered}
    assert offered <= there, offered - there
    assert unseen <= there - offered
    if scenario.document == "none" or seat.contract.source == FROM_PROFILE:
        assert offered == there - unseen
        return
    said = _bound(seat)
    assert said.survey is not None
    for op in there - offered - unseen:
        assert any(one.why for one in said.survey.of(op).near), f"{op} is not offered, and nothing says why"
        done[f"refused {op.resource} {VERBS[op]}"] += 1


def _bound(seat: Seat) -> Contract:
    service = seat.service
    data = json.dumps(service.document).encode()
    place = service.url.removesuffix(seat.scenario.root) + seat.scenario.document_path
    return learned_once(data, source="published", address=service.url, place=place, bindings=service.bindings)


def judge_shown(seat: Seat, done: Counter[str]) -> None:
    """Every field of every record of every list is shown as the service has it."""
    for resource, kind in seat.scenario.kinds.items():
        if seat.contract.find(resource, Verb.LIST) is None:
            continue
        names = [spec.name for spec in ALL_SPECS[resource] if spec.name in kind.fields]
        shown = {key: {name: getattr(row, name) for name in names} for key, row in seat.desk.rows[resource].items()}
        assert shown == {
            as_read(key): {name: as_read(seat.service.value(resource, key, name)) for name in names}
            for key in seat.keys(resource)
        }
        done["records read"] += len(shown)
    seat.judge()


def change_each_field(seat: Seat, resource: Resource, done: Counter[str]) -> None:
    """The fields that can be changed are changed, and undone."""
    change = seat.contract.find(resource, Verb.CHANGE)
    if change is None or seat.contract.find(resource, Verb.LIST) is None:
        return
    key, there = seat.keys(resource)[1], seat.scenario.kinds[resource].fields
    names = [spec.name for spec in FIELD_SPECS[resource] if spec.editable and spec.name in there]
    names = [name for name in names if change.takes(name)]
    if not names:
        return
    was = {name: seat.service.value(resource, key, name) for name in names}
    ids = seat.edit(resource, key, **{name: seat.next_value(resource, key, name) for name in names})
    seat.done(ids)
    seat.judge()
    for name in names:
        seat.expect(resource, key, name, was[name])
    seat.done(seat.undo(ids))
    seat.judge()
    done[f"{resource} changed"] += 1


def make_one(seat: Seat, resource: Resource, done: Counter[str]) -> None:
    """A record is made with what was said, and taken back."""
    create = seat.contract.find(resource, Verb.CREATE)
    if create is None or resource is STOCK:
        return
    pet = seat.keys(PETS)[0]
    values = {"pet_id": pet, "quantity": 2, "name": "Bo", "description": "New"}
    fields = seat.scenario.kinds[resource].fields
    names = [name for name in _OF_NEW[resource] if name in fields and create.takes(name)]
    given = {name: values[name] if name in values else seat.next_value(PETS, pet, name) for name in names}
    ids = seat.create(resource, **given)
    seat.done(ids)
    key = cast("int | str", seat.made(resource))
    assert {name: seat.service.value(resource, key, name) for name in given} == given
    seat.judge()
    done[f"{resource} made"] += 1
    if seat.contract.offers(resource, Verb.DELETE):
        seat.done(seat.undo(ids))
        del seat.expected[resource][key]
        seat.judge()
        done[f"{resource} taken back"] += 1


def delete_one(seat: Seat, resource: Resource, done: Counter[str]) -> None:
    """A record is deleted, and made again as it was."""
    if not (seat.contract.offers(resource, Verb.DELETE) and seat.contract.offers(resource, Verb.LIST)):
        return
    key = seat.keys(resource)[-1]
    was = dict(seat.expected[resource][key])
    ids = seat.delete(resource, key)
    seat.done(ids)
    seat.judge()
    done[f"{resource} deleted"] += 1
    if resource is ORDERS or seat.contract.find(resource, Verb.CREATE) is None:
        return
    seat.done(seat.undo(ids))
    back = seat.expected[resource][cast("int | str", seat.made(resource))]
    kind = seat.scenario.kinds[resource]
    # What the document does not name, a service that takes nothing else cannot be given again.
    gone = {kind.fields["id"][0], *(kind.hidden if seat.scenario.narrow else ())}
    assert back | dict.fromkeys(gone) == was | dict.fromkeys(gone)
    seat.judge()
    done[f"{resource} made again"] += 1


def read_while_it_moves(seat: Seat, resource: Resource, done: Counter[str]) -> None:
    """A colleague deletes the first record after the first of several answers: what still stands is never told to be
    gone, and after another reading all is shown as it is."""
    service, shown = seat.service, seat.desk.rows[resource]
    if resource is STOCK or not seat.contract.offers(resource, Verb.LIST) or len(service.kept[resource]) < 2:
        return
    key, told = seat.keys(resource)[0], len(seat.desk.events)
    service.meanwhile.append(lambda: service.records.delete(resource, key))
    for _ in range(3):
        seat.loop.run_for(60.0)
        ended = len(seat.desk.ended(resource))
        seat.desk.submit(Refresh((resource,)))
        seat.desk.wait(lambda ended=ended: len(seat.desk.ended(resource)) > ended, f"{resource} is read")
        seat.desk.wait_idle()
        if service.meanwhile:
            service.meanwhile.clear()
            return  # all came in one answer
        assert {as_read(one) for one in seat.keys(resource)} <= shown.keys(), "what stands is shown"
    changed = [event for event in seat.desk.events[told:] if isinstance(event, RowsChanged)]
    gone = {one for event in changed if event.resource is resource for one in event.removed}
    assert gone == {as_read(key)} and shown.keys() == {as_read(one) for one in seat.keys(resource)}
    assert service.complaints == []
    done[f"{resource} read while they moved"] += 1
