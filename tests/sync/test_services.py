"""The whole program below its window at services that speak in the ways that people know, judged by their own books."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import VERBS, Verb
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.records import ALL_SPECS, Resource
from petstore_desktop.sync.wire.events import ContractRead
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.service import Service
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

NOT_OFFERED = {
    "petclinic": {(Resource.PETS, Verb.CREATE)},
    "posts": {(resource, Verb.CHANGE) for resource in Resource},
}
"""What a service has and the program does not use: pets that are made below their owner, changes by POST."""


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


@pytest.fixture(params=SCENARIOS.values(), ids=str)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return request.param


@pytest.fixture
def service(loop: VirtualTime, scenario: Scenario) -> Service:
    return Service(scenario, loop)


@pytest.fixture
def desk(loop: VirtualTime, service: Service, tmp_path: Path) -> VirtualDesk:
    return sit_down(loop, service, tmp_path / "desk")


def sit_down(loop: VirtualTime, service: Service, data: Path) -> VirtualDesk:
    """A desk that has read all that it can."""
    desk = VirtualDesk(loop, service, data, per_minute=60_000, per_day=6_000_000, bindings=service.bindings)
    if service.further:
        desk.submit(UseKey("", service.further))
    desk.wait_idle()
    return desk


def contract(desk: VirtualDesk) -> Contract:
    """What the program knows of the service."""
    return desk.of(ContractRead)[-1].contract


def listed(scenario: Scenario) -> list[Resource]:
    """What the service has lists of."""
    return [resource for resource, kind in scenario.kinds.items() if Verb.LIST in kind.verbs]


def test_every_field_of_every_record_is_read(service: Service, desk: VirtualDesk) -> None:
    for resource in listed(service.scenario):
        kind, rows = service.scenario.kinds[resource], desk.rows[resource]
        shown = {
            row_key: {spec.name: getattr(row, spec.name) for spec in ALL_SPECS[resource] if spec.name in kind.fields}
            for row_key, row in rows.items()
        }
        there = {
            _as_read(key): {name: _as_read(service.value(resource, key, name)) for name in shown[_as_read(key)]}
            for key in service.kept[resource]
            if _as_read(key) in shown
        }
        assert shown == there
        assert len(rows) == len(service.kept[resource])
    assert service.written == []
    assert service.complaints == []


def _as_read(value: object) -> object:
    """Digits in a text are the number of a record."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


def test_what_is_offered_is_what_there_is(service: Service, desk: VirtualDesk) -> None:
    there = {(resource, verb) for resource, kind in service.scenario.kinds.items() for verb in kind.verbs}
    offered = {(op.resource, VERBS[op]) for op, one in contract(desk).operations.items() if not one.gathered}
    gone = NOT_OFFERED.get(service.scenario.name, set())
    assert offered == there - gone
    assert gone <= there


def test_it_is_served_over_a_socket_too() -> None:
    with Service(SCENARIOS["rails"]).served() as service:
        answer = httpx.get(f"{service.url}/pets", headers={"Authorization": f"Bearer {service.key}"}).json()
        assert [len(answer["pets"]), answer["meta"]["total_pages"]] == [3, 3]
        service.broken = 1
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{service.url}/pets", headers={"Authorization": f"Bearer {service.key}"})
