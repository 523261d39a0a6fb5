"""A whole session before a shop whose answers are spoilt: the mirror is unharmed, what was written is neither lost nor
doubled, and the next request works. A sample of the faults; `dev.py long hostile` tries all of them with all lists."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from petstore_desktop.domain.records import Resource
from tests.support.fault_proxy import FaultProxy
from tests.support.hostile_answers import FAULTS, Fault, Means, Spoilt, records
from tests.support.hostile_session import ENDLESS, Besieged
from tests.support.session import Watched
from tests.support.shop import Shop

TRIED = [name for name in FAULTS if name not in ENDLESS]


@pytest.fixture(scope="module")
def besieged(full_shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Besieged]:
    data = tmp_path_factory.mktemp("besieged")
    with FaultProxy(full_shop.url, random.Random(1)) as proxy, Watched(data, full_shop, url=proxy.url) as session:
        session.wait_loaded()
        yield Besieged(session, proxy, full_shop)


def test_no_spoilt_list_harms_the_mirror(besieged: Besieged) -> None:
    assert [wrong for name in TRIED[::24] for wrong in besieged.read(name, *Resource)] == []


def test_no_spoilt_answer_to_a_booking_loses_or_changes_it(besieged: Besieged) -> None:
    assert [wrong for name in TRIED[::12] for wrong in besieged.set_stock(name)] == []


def test_no_spoilt_answer_to_a_creation_doubles_it(besieged: Besieged) -> None:
    assert [wrong for name in TRIED[::16] for wrong in besieged.create_pet(name)] == []


def test_a_harm_to_the_mirror_is_noticed(besieged: Besieged) -> None:
    renamed = Fault(Means.HARMLESS, lambda good: Spoilt(good.said(records(good, lambda item: {**item, "name": "Rex"}))))
    assert besieged.read("planted", Resource.PETS, fault=renamed) != []
    with_fewer = Fault(Means.USELESS, lambda good: FAULTS["no content type"].spoil(type(good)(good.status, (), b"[]")))
    assert besieged.read("planted", Resource.CATEGORIES, fault=with_fewer) != []
