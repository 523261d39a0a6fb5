"""The whole program below its window at every service that speaks in a way that people know, judged by the books of the
service: all that it offers is read; at three services all is done and undone once, at the others all that can be done
to a pet. What is seldom: test_services_seldom.py."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import httpx
import pytest

from petstore_desktop.contract.operations import OPS, Op, Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.records import Resource
from tests.support.services.named import SCENARIOS
from tests.support.services.play import judge_offered, judge_shown, play
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

ALL_ACTS = ("spring", "json-api", "petstore-3")
"""A PUT of the whole with versions, a PATCH of a part in objects of their own, and a PUT whose path has no id."""
UNSAID = ("rails-silent", "json-api-silent")
"""Services that publish no document, and want a body as nothing tells."""
NOT_OFFERED: dict[str, frozenset[Op]] = {
    "petclinic": frozenset({Op.PET_CREATE}),
    "posts": frozenset(OPS[resource, Verb.CHANGE] for resource in Resource),
}
"""What a service has and the program does not use: pets that are made below their owner, changes by POST."""


@pytest.mark.parametrize("scenario", [one for one in SCENARIOS.values() if one.name not in UNSAID], ids=str)
def test_all_that_a_service_offers_is_read_done_and_undone(scenario: Scenario, tmp_path: Path) -> None:
    acts_on = frozenset(Resource) if scenario.name in ALL_ACTS else frozenset({Resource.PETS})
    done = play(scenario, tmp_path / "desk", NOT_OFFERED.get(scenario.name, frozenset()), acts_on)
    assert done["records read"] > 0
    assert not [what for what in done if what.startswith("refused")]


@pytest.mark.parametrize("name", UNSAID)
def test_what_is_wanted_and_nothing_tells_is_refused_in_the_services_words(
    loop: VirtualTime, tmp_path: Path, name: str
) -> None:
    seat = Seat(loop, Service(SCENARIOS[name], loop), tmp_path / "desk")
    judge_offered(seat, Counter())
    judge_shown(seat, Counter())
    stock = seat.change(Resource.INVENTORY, seat.keys(Resource.INVENTORY)[1], quantity=41)
    pet = seat.keys(Resource.PETS)[0]
    like_it = {name: seat.next_value(Resource.PETS, pet, name) for name in ("name", "category_id", "status")}
    ids = (*seat.desk.apply(stock), *seat.create(Resource.PETS, **like_it))
    seat.over(ids)
    for id_ in ids:
        change = seat.desk.changes[id_]
        assert change.state is ChangeState.REFUSED
        assert change.reason is not None
        assert change.reason.status in (415, 422)
        assert "is wanted" in change.reason.message
    seat.judge()


def test_it_is_served_over_a_socket_too() -> None:
    with Service(SCENARIOS["rails"]).served() as service:
        answer = httpx.get(f"{service.url}/pets", headers={"Authorization": f"Bearer {service.key}"}).json()
        assert [len(answer["pets"]), answer["meta"]["total_pages"]] == [3, 3]
        service.broken = 1
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{service.url}/pets", headers={"Authorization": f"Bearer {service.key}"})
