"""Each profile that comes with the program, at a service that speaks so: all that it offers is read, done and undone,
judged by the books of the service."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from petstore_desktop import resources
from petstore_desktop.contract.binding.load import default, shipped_profiles
from petstore_desktop.contract.model import FROM_PROFILE
from petstore_desktop.contract.profile.reading import contract_of
from petstore_desktop.contract.profile.writing import followed
from petstore_desktop.domain.changes import ChangeState, NewChange, SetStock
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.records import Ref, Resource
from tests.support.services.families import FAMILIES
from tests.support.services.play import play
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
LONGEST = 70
"""Lines of a profile; the longest says apart what a change and a creation have in their bodies."""
WHOLE = frozenset(
    {
        *(f"{one} {what}" for one in (PETS, CATEGORIES) for what in ("changed", "made", "deleted", "made again")),
        *(f"{one} taken back" for one in (PETS, CATEGORIES, ORDERS)),
        *("orders changed", "orders made", "orders deleted", "inventory changed"),
    }
)
OF_PETSTORES = {
    *(f"pets {what}" for what in ("changed", "made", "taken back", "deleted", "made again")),
    *("orders made", "orders taken back"),
}
IN_PART = {
    "specification": {"pets made", "categories made", "orders deleted", "inventory changed"},
    "petstore-2": OF_PETSTORES,
    "petstore-3": OF_PETSTORES,
    "petclinic": {"pets changed", "pets deleted", *(one for one in WHOLE if one.startswith("categories"))},
}
"""What is done at services that do not offer all."""


def small_pages(scenario: Scenario, folder: Path) -> tuple[Scenario, str]:
    """The same with three records on a page, and a profile that says so, so that lists have several; not where the rest
    could not be asked for."""
    words = shipped_profiles()[scenario.name].read_text(encoding="utf-8")
    size = f"page = {scenario.page} }}"
    file = folder / "profile.toml"
    file.write_text(words.replace(size, "page = 3 }"), encoding="utf-8")
    return (dataclasses.replace(scenario, page=3), str(file)) if size in words else (scenario, scenario.name)


def test_each_has_a_service_here_and_is_short() -> None:
    files = shipped_profiles()
    assert files.keys() == FAMILIES.keys()
    for file in files.values():
        words = file.read_text(encoding="utf-8")
        assert len(words.splitlines()) <= LONGEST, file
        assert contract_of(words.encode()).source == FROM_PROFILE
        assert f"`{file.stem}`" in resources.path("manual", "en", "profile.md").read_text(encoding="utf-8")


def test_that_of_the_specification_is_what_is_followed_without_a_document() -> None:
    said = contract_of(shipped_profiles()["specification"].read_bytes())
    assert said == replace(followed(default()), source=FROM_PROFILE)


@pytest.mark.parametrize("scenario", FAMILIES.values(), ids=str)
def test_all_that_a_family_offers_is_read_done_and_undone(scenario: Scenario, tmp_path: Path) -> None:
    small, profile = small_pages(scenario, tmp_path)
    done = play(small, tmp_path / "desk", profile=profile)
    acts = {what for what in done if "read" not in what and what != "services"}
    assert acts == IN_PART.get(scenario.name, WHOLE)


@pytest.mark.parametrize("family", ["json-server", "nest", "django"])
def test_links_to_ids_of_digits_that_are_texts_stay_texts(family: str, loop: VirtualTime, tmp_path: Path) -> None:
    service = Service(dataclasses.replace(FAMILIES[family], ids="digits"), loop)
    seat = Seat(loop, service, tmp_path / "desk", family)
    pet = seat.keys(PETS)[1]
    category = seat.next_value(PETS, pet, "category_id")
    seat.done(seat.edit(PETS, pet, category_id=category))
    assert isinstance(category, str)
    assert category in service.written[-1].body.values()


def test_stock_is_changed_by_its_own_key_and_two_entries_of_one_pet_are_not_written(
    loop: VirtualTime, tmp_path: Path
) -> None:
    """Which store is meant nobody knows: the stock of both is left alone, also after a restart."""
    service = Service(FAMILIES["django"], loop)
    seat = Seat(loop, service, tmp_path / "desk", "django")
    pet = seat.keys(STOCK)[2]
    seat.done(seat.edit(STOCK, pet, quantity=17))
    assert service.written[-1].path == f"/api/inventory/{service.kept[STOCK][pet]['id']}/"
    seat.judge()
    service.kept[STOCK]["another store"] = {**service.kept[STOCK][pet], "id": 900, "quantity": 4}
    seat.desk.submit(Refresh((STOCK,)))
    seat.desk.wait_idle()
    before = len(service.written)
    for _ in range(2):
        (id_,) = seat.desk.apply(NewChange(Ref(STOCK, pet), SetStock(3), {"quantity": 17}))
        seat.over((id_,))
        assert seat.desk.state(id_) is ChangeState.REFUSED, seat.told(id_)
        seat.desk.kill()
        loop.run_for(30)
        seat.desk.start()
        seat.desk.wait_idle()
    assert len(service.written) == before
