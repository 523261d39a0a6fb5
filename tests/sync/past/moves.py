"""What can happen to what a history tells: readings, edits of here and elsewhere, kills, clocks, files."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from petstore_desktop.contract.operations import Verb, put_at
from petstore_desktop.domain.changes import Create, Delete, NewChange
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import ALL_SPECS, FIELD_SPECS, LocalId, Ref, Resource
from tests.api.gate_machine.machine import Game
from tests.api.gate_machine.moves import Row
from tests.api.gate_machine.words import Chance
from tests.support.services.drawn import drawn
from tests.support.services.seat import as_read
from tests.support.virtual_desk import NAME
from tests.sync.past.world import World

PETS, CATEGORIES, ORDERS, STOCK = Resource
DAY = 86_400.0
LARGEST = 400
EPISODE = 60
FILES = ("history.db", "mirror.db", "journal.db")


def begin(chance: Chance) -> World:
    """A desk at one of many services that has read everything once."""
    while True:
        scenario = drawn(chance.choice(list(range(LARGEST))))
        if Verb.CHANGE in scenario.kinds[PETS].verbs:
            return World(scenario)


# ---------------------------------------------------------------- readings


def all_is_read(world: World, chance: Chance) -> None:
    world.read_all()


def a_reading_begins(world: World, chance: Chance) -> None:
    world.desk.submit(Refresh((chance.choice(list(Resource)),)))
    world.loop.run_for(chance.choice([0.01, 0.05, 0.1, 0.3]))


def a_reading_breaks_off(world: World, chance: Chance) -> None:
    world.service.broken = chance.choice([1, 2])
    world.desk.submit(Refresh(tuple(Resource)))
    world.loop.run_for(chance.choice([0.2, 1.0]))
    world.service.broken = 0


# ---------------------------------------------------------------- here


def _editable(world: World) -> list[tuple[Resource, str]]:
    found: list[tuple[Resource, str]] = []
    for resource, kind in world.service.scenario.kinds.items():
        change = world.seat.contract.find(resource, Verb.CHANGE)
        if change is None or not world.seat.contract.offers(resource, Verb.LIST):
            continue
        names = [spec.name for spec in FIELD_SPECS[resource] if spec.editable and spec.name in kind.fields]
        found += [(resource, name) for name in names if change.takes(name)]
    return found


def _shown(world: World, resource: Resource) -> list[Any]:
    keys = world.seat.keys(resource) if resource in world.service.kept else []
    return [key for key in keys if as_read(key) in world.desk.rows[resource]][:3]


def _value(world: World, chance: Chance, resource: Resource, key: Any, name: str) -> Any:
    kind = {spec.name: spec.kind.value for spec in FIELD_SPECS[resource]}[name]
    if name in ("name", "description"):
        return f"{name} {chance.choice(list(range(100_000)))}"
    if name == "quantity":
        return chance.choice(list(range(1, 60)))
    return world.seat.next_value(resource, key, name) if kind else None


def somebody_edits(world: World, chance: Chance) -> None:
    """A field of a record; what becomes of the request is chance."""
    choices = [(one, name, key) for one, name in _editable(world) for key in _shown(world, one)]
    if not choices:
        return
    resource, name, key = chance.choice(choices)
    world.service.fates.append(chance.choice(["", "", "lost", "undone", "failed", "refused"]))
    value = _value(world, chance, resource, key, name)
    tried = len(world.service.tried)
    world.desk.apply(world.seat.change(resource, key, **{name: value}))
    overtaken = chance.choice([False, False, True])
    if overtaken:
        world.loop.run_for(0.05)
        if len(world.service.tried) > tried and key in world.service.kept[resource]:
            world.service.by_others(resource, key, name, _value(world, chance, resource, key, name))
            world.seen["overtaken"] += 1
    world.loop.run_for(chance.choice([0.0, 0.3, 5.0, 70.0]))


def somebody_makes_one(world: World, chance: Chance) -> None:
    resource = chance.choice([PETS, CATEGORIES, ORDERS])
    if not (world.seat.contract.offers(resource, Verb.CREATE) and _shown(world, PETS)):
        return
    create = world.seat.contract.find(resource, Verb.CREATE)
    fields = world.service.scenario.kinds[resource].fields
    key = _shown(world, PETS)[0]
    values: dict[str, Any] = {"pet_id": key, "quantity": 2, "name": f"made {world.loop.time()}", "description": "New"}
    values["status"] = world.service.scenario.statuses[0]
    names = [name for name in values if name in fields and create is not None and create.takes(name)]
    names = [name for name in names if not (name == "status" and resource is not PETS)]
    world.service.fates.append(chance.choice(["", "", "lost", "undone"]))
    world.seat.desk.apply(_creation(world, resource, {name: values[name] for name in names}))
    world.loop.run_for(chance.choice([0.3, 5.0]))


def _creation(world: World, resource: Resource, values: dict[str, Any]) -> NewChange:
    return NewChange(Ref(resource, LocalId.new()), Create({n: as_read(v) for n, v in values.items()}), {})


def somebody_deletes(world: World, chance: Chance) -> None:
    resource = chance.choice([PETS, CATEGORIES, ORDERS])
    keys = _shown(world, resource)
    if not (world.seat.contract.offers(resource, Verb.DELETE) and len(keys) > 1):
        return
    world.service.fates.append(chance.choice(["", "", "lost", "undone", "failed"]))
    world.desk.apply(NewChange(world.seat.ref(resource, keys[-1]), Delete(), {}))
    world.loop.run_for(chance.choice([0.0, 0.3, 5.0]))


# ---------------------------------------------------------------- elsewhere


def a_colleague_edits(world: World, chance: Chance) -> None:
    kinds = world.service.scenario.kinds
    resource = chance.choice([one for one in kinds if world.service.kept[one]])
    key = chance.choice(list(world.service.kept[resource])[:3])
    names = [spec.name for spec in ALL_SPECS[resource][1:] if spec.name in kinds[resource].fields]
    names = [name for name in names if name in ("name", "description", "quantity", "status", "complete")]
    if resource is ORDERS and "status" in names:
        names.remove("status")
    if names:
        name = chance.choice(names)
        world.service.by_others(resource, key, name, _value(world, chance, resource, key, name))


def a_colleague_deletes(world: World, chance: Chance) -> None:
    resource = chance.choice([one for one in world.service.kept if one is not CATEGORIES])
    keys = list(world.service.kept[resource])
    if len(keys) > 2:
        key = chance.choice(keys)
        world.graves.append((resource, key, world.service.taken(resource, key)))


def it_comes_again(world: World, chance: Chance) -> None:
    """A record that was deleted, as it was, or with another name."""
    resource, key, record = world.graves.pop(0)
    if key in world.service.kept[resource]:
        return
    record = deepcopy(record)
    fields = world.service.scenario.kinds[resource].fields
    if "name" in fields and chance.choice([True, False]):
        put_at(record, fields["name"], f"again {chance.choice(list(range(1000)))}")
    world.service.brought(resource, key, record)


# ---------------------------------------------------------------- time, ends, files


def time_passes(world: World, chance: Chance) -> None:
    world.loop.run_for(chance.choice([0.05, 1.0, 61.0, 400.0]))


def a_night_passes(world: World, chance: Chance) -> None:
    world.loop.suspend(chance.choice([0.5, 1.0, 3.0]) * DAY)
    world.loop.run_for(1.0)


def the_clock_is_set(world: World, chance: Chance) -> None:
    """Back or ahead; never so far that the history is bounded by it."""
    ahead = world.wall - world.loop.wall
    step = chance.choice([-3_600.0, -30.0, 30.0, 7_200.0, -2 * DAY, 20 * DAY, -ahead])
    if abs(ahead + step) < 100 * DAY:
        world.desk.clock.set_wall(world.wall + step)


def it_is_killed(world: World, chance: Chance) -> None:
    world.kill()
    if chance.choice([True, False]):
        a_colleague_edits(world, chance)
    world.start()


def it_is_killed_after_a_commit(world: World, chance: Chance) -> None:
    """Most gladly between that of the history and that of the mirror."""
    world.fuse = chance.choice([FILES[0], FILES[0], *FILES])
    a_colleague_edits(world, chance)
    world.read_all()
    world.fuse = ""


def the_mirror_is_lost(world: World, chance: Chance) -> None:
    """Its file is deleted, or damaged."""
    world.kill()
    path = world.places.mirror(NAME)
    world.model.is_rebuilt = True
    for part in path.parent.glob("mirror.db*"):
        part.unlink()
    if chance.choice([True, False]):
        path.write_bytes(random.Random(1).randbytes(4_096))
    if chance.choice([True, False]):
        a_colleague_deletes(world, chance)
    world.start()


def the_history_is_kept(world: World, chance: Chance) -> None:
    world.kill()
    world.keep_history()
    world.start()


def an_older_history_is_found(world: World, chance: Chance) -> None:
    """As after a power cut."""
    world.kill()
    world.bring_back_history()
    world.start()


def _always(world: World) -> bool:
    return True


TABLE = [
    Row(6, all_is_read, _always),
    Row(3, a_reading_begins, _always),
    Row(1, a_reading_breaks_off, _always),
    Row(8, somebody_edits, _always),
    Row(2, somebody_makes_one, _always),
    Row(2, somebody_deletes, _always),
    Row(6, a_colleague_edits, _always),
    Row(2, a_colleague_deletes, _always),
    Row(2, it_comes_again, lambda world: bool(world.graves)),
    Row(4, time_passes, _always),
    Row(1, a_night_passes, _always),
    Row(1, the_clock_is_set, _always),
    Row(1, it_is_killed, _always),
    Row(2, it_is_killed_after_a_commit, _always),
    Row(1, the_mirror_is_lost, _always),
    Row(1, the_history_is_kept, _always),
    Row(1, an_older_history_is_found, lambda world: world.has_older),
]
GAME = Game(begin, TABLE, EPISODE)
