"""The whole program below its window, before a shop whose answers are spoilt on the way: what becomes of its mirror,
its journal and the shop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from petstore_desktop.domain.changes import OPERATION_STOPPED, Change, ChangeState, Create, NewChange, SetStock
from petstore_desktop.domain.commands import Discard, Refresh, Retry
from petstore_desktop.domain.records import Key, LocalId, Record, Ref, Resource
from tests.support.fault_proxy import FaultProxy, Passed
from tests.support.hostile_answers import FAULTS, Fault, Means
from tests.support.idle_answers import KINDS, Write
from tests.support.session import Watched
from tests.support.shop import Shop

Matches: TypeAlias = Callable[[Passed], bool]

ENDLESS = frozenset(name for name, fault in FAULTS.items() if fault.endless)
"""These take a request's whole deadline, and are tried where the clock can be put forward (hostile_service)."""
ON_ITS_WAY = (ChangeState.QUEUED, ChangeState.SENDING)
PLACES = {
    Resource.PETS: "/v1/pets",
    Resource.CATEGORIES: "/v1/categories",
    Resource.ORDERS: "/v1/store/orders",
    Resource.INVENTORY: "/v1/inventory",
}
PROBE = "?limit=1"
"""How the program asks whether anything answers."""


class Besieged:
    """One session whose shop is behind a proxy. Each method does one thing under one fault, and says what was wrong."""

    def __init__(self, session: Watched, proxy: FaultProxy, shop: Shop) -> None:
        self._session = session
        self._proxy = proxy
        self._shop = shop
        self._number = 1_000
        self._used: dict[Resource, set[Any]] = {}

    def read(self, name: str, *resources: Resource, fault: Fault | None = None) -> list[str]:
        """Read lists whose answers are spoilt, then once more. (A session asks for the same list once a second.)"""
        fault = fault or FAULTS[name]
        session = self._session
        before = {resource: dict(session.rows[resource]) for resource in resources}
        told = {resource: self._told(resource) for resource in resources}
        paths = {PLACES[resource] for resource in resources}
        spoilt = self._once(fault, lambda entry: _reads_list(entry) and entry.path.split("?")[0] in paths, len(paths))
        session.submit(Refresh(resources))
        session.wait(
            lambda: len(spoilt) == len(paths) and all(sum(self._told(one)) > sum(told[one]) for one in resources),
            f"lists under {name}",
        )
        wrong = [what for one in resources for what in self._harm(one, fault, before[one])]
        ends = {resource: self._told(resource)[0] for resource in resources}
        session.submit(Refresh(resources))
        session.wait(lambda: all(self._told(one)[0] > ends[one] for one in resources), f"lists after {name}")
        for one in resources:
            # Only now: what was told first may be of a walk that was on its way before.
            failed, now = self._told(one)[1] > told[one][1], session.rows[one]
            if failed != (fault.means in (Means.BROKEN, Means.USELESS)) and fault.means is not Means.CHANGED:
                wrong.append(f"{one} failed: {failed}")
            if any(now.get(key) != record for key, record in before[one].items()) or not self._is_whole(one):
                wrong.append(f"after it, the mirror has not what the shop has of {one}")
        return [f"{name}: {what}" for what in wrong]

    def _told(self, resource: Resource) -> tuple[int, int]:
        """How many walks of it have come to their end, and how many failed."""
        return len(self._session.ended(resource)), len(self._session.load_failures(resource))

    def _harm(self, resource: Resource, fault: Fault, before: dict[Key, Record]) -> list[str]:
        """What one spoilt answer did to the mirror that it must not have."""
        now = self._session.rows[resource]
        lost = before.keys() - now.keys()
        changed = {key for key in before if now.get(key) != before[key]}
        if lost or (changed and fault.means is not Means.CHANGED):
            return [f"the mirror lost {lost} and changed {changed} of {resource}"]
        return []

    def _is_whole(self, resource: Resource) -> bool:
        ((count,),) = self._shop.rows(f"SELECT count(*) FROM {resource.value}")
        return len(self._session.rows[resource]) == count

    def set_stock(self, name: str, fault: Fault | None = None) -> list[str]:
        """Set the stock of a pet; the shop does it, and its answer is spoilt."""
        self._number += 1
        ((pet, base),) = self._shop.rows("SELECT pet_id, quantity FROM inventory ORDER BY pet_id LIMIT 1")
        ref, value = Ref(Resource.INVENTORY, pet), self._number
        self._once(fault or FAULTS[name], lambda entry: entry.method in ("PATCH", "PUT"))
        state = self._settled(NewChange(ref, SetStock(value), {"quantity": base}), name)
        ((there,),) = self._shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)
        wrong = [] if there == value else [f"the shop has {there}, wanted was {value}"]
        if state is not ChangeState.DONE and FAULTS.get(name, FAULTS["204"]) not in _LIES:
            wrong.append(f"it is {state}")
        return [f"stock, {name}: {what}" for what in wrong]

    def create_pet(self, name: str, fault: Fault | None = None) -> list[str]:
        """Make a pet; the shop does it, and its answer is spoilt."""
        self._number += 1
        called = f"pet number {self._number}"
        (category,) = self._shop.rows("SELECT id FROM categories ORDER BY id LIMIT 1")[0]
        self._once(fault or FAULTS[name], lambda entry: entry.method == "POST")
        fields = {"name": called, "category_id": category}
        self._settled(NewChange(Ref(Resource.PETS, LocalId.new()), Create(fields), {}), name)
        ((count,),) = self._shop.rows("SELECT count(*) FROM pets WHERE name = ?", called)
        posts = [entry for entry in self._proxy.log if entry.method == "POST" and called.encode() in entry.body]
        wrong = [] if count == len(posts) == 1 else [f"the shop has it {count} times, asked {len(posts)} times"]
        return [f"new pet, {name}: {what}" for what in wrong]

    def do_nothing(self, kind: str, answer: str) -> list[str]:
        """The shop answers a write with a yes and does nothing. A person has sent again what waits for that."""
        write = Write(self._shop, KINDS[kind], self._used.setdefault(KINDS[kind].resource, set()))
        if answer not in (said := write.answers()):
            return []
        self._shop.control("answer-writes", **said[answer])
        session = self._session
        (number,) = session.apply(write.change)
        session.wait(lambda: _is_over(session.changes[number]), f"{kind} is settled after {answer}")
        self._shop.control("answer-writes", next=0)
        done = session.state(number) is ChangeState.DONE
        if not done:
            asked = session.changes[number]
            session.submit(Retry((number,)))
            session.wait(lambda: session.changes[number] != asked, "it waits to be sent again")  # refused until then
            session.wait(lambda: session.state(number) in (ChangeState.DONE, ChangeState.REFUSED), "it is sent again")
        wrong = done and not write.is_there
        return [f"{kind}, {answer}: it is done, and the shop has not done it"] if wrong else []

    def _settled(self, change: NewChange, name: str) -> ChangeState:
        """What becomes of it. Where an earlier answer showed something else than was meant, a person sends it again."""
        session = self._session
        (number,) = session.apply(change)
        creates = isinstance(change.intent, Create)
        pending = ON_ITS_WAY if creates else (*ON_ITS_WAY, ChangeState.UNCERTAIN)
        session.wait(lambda: session.state(number) not in pending, f"a write is settled under {name}")
        reason = session.changes[number].reason
        if reason is not None and reason.code == OPERATION_STOPPED:
            session.submit(Retry((number,)))
            session.wait(lambda: session.state(number) is not ChangeState.REFUSED, f"it is sent again under {name}")
            session.wait(lambda: session.state(number) not in pending, f"a write is settled under {name}")
        self._proxy.calm()
        state = session.state(number)
        if state not in (ChangeState.DONE, ChangeState.UNCERTAIN):
            session.submit(Discard((number,)))  # so that what comes next does not wait behind it
            session.wait(lambda: session.state(number) is ChangeState.DISCARDED, "it is discarded")
            ends = len(session.ended(change.ref.resource))
            session.submit(Refresh((change.ref.resource,)))  # nor builds on what is not known to have been done
            session.wait(lambda: len(session.ended(change.ref.resource)) > ends, f"a list after {name}")
        return state

    def _once(self, fault: Fault, when: Matches, most: int = 1) -> list[Passed]:
        """Spoil the next answers to such requests, one for each place; they are in the list that comes back."""
        spoilt: list[Passed] = []

        def spoil(entry: Passed) -> Fault | None:
            places = [other.path.split("?")[0] for other in spoilt]
            if len(spoilt) == most or not when(entry) or entry.path.split("?")[0] in places:
                return None
            spoilt.append(entry)
            return fault

        self._proxy.spoil = spoil
        return spoilt


def _reads_list(entry: Passed) -> bool:
    """Not the probe, which asks for one record once something was broken, perhaps before the list is asked for."""
    return entry.method == "GET" and not entry.path.endswith(PROBE)


def _is_over(change: Change) -> bool:
    return not change.state.is_open or change.needs_person


_LIES = tuple(FAULTS[name] for name in ("a redirect", "a redirect in a circle", "ids of another"))
"""The shop did it and says that it did not, or that it did something else: nobody can know."""
