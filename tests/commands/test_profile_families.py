"""Profiles that come with the program through the commands, over a socket: connected by its name, read, edited one
by one and in a batch, with a colleague in between, a pause and a restart; the service's own books judge."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from petstore_desktop.domain.records import Resource
from tests.program.running import command
from tests.support.services.families import FAMILIES
from tests.support.services.service import Service

PETS, CATEGORIES, ORDERS, STOCK = Resource
SAMPLED = ("django", "spring")
"""One that is written otherwise than it is read, and one that is not; all of them do all that they offer in
tests/sync/test_profiles.py, in virtual time."""


class Desk:
    """One data folder at one service."""

    def __init__(self, service: Service, data: Path) -> None:
        self.service, self.data, self.folder = service, data, data.parent

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return command("--data-dir", str(self.data), *arguments, key=self.service.key)

    def done(self, *arguments: str) -> str:
        said = self.run(*arguments)
        assert said.returncode == 0, said.stderr
        return said.stdout

    def imported(self, resource: Resource, *rows: str) -> None:
        file = self.folder / f"{resource.value}.csv"
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
        said = json.loads(self.done("import", "Shop", resource.value, str(file), "--yes", "--json"))
        assert said["changes"]["sent"] == len(rows) - 1, said

    def value(self, resource: Resource, key: int, field: str) -> object:
        return self.service.value(resource, key, field)


@pytest.mark.parametrize("name", SAMPLED)
def test_a_days_work_at_a_family_by_its_profile(name: str, tmp_path: Path) -> None:
    with Service(FAMILIES[name]).served() as service:
        desk = Desk(service, tmp_path / "data")
        desk.done("connect", "Shop", "--url", service.url, "--profile", name)
        said = desk.done("doctor", "Shop")
        assert "It offers" in said
        written_apart = name == "django"
        assert ("Category of pets is read as category.id, and written as category_id." in said) is written_apart
        assert "Stock is changed by the key that each of its entries has of its own: id." in said
        desk.done("sync", "Shop")
        _edits(desk)
        _new_ones(desk)
        _stock(desk)
        if written_apart:  # it is waited for alike whatever the profile says
            _a_pause(desk)
        assert service.complaints == []
        names = {desk.value(PETS, key, "name") for key in service.kept[PETS]}
        assert {"Rex II", "Mia II", "Bun", "Newt"} <= names
        assert len(service.kept[PETS]) == 8


def test_what_goes_with_new_records_because_the_service_demands_it_is_said_before_and_after(tmp_path: Path) -> None:
    with Service(FAMILIES["petstore-3"]).served() as service:
        desk = Desk(service, tmp_path / "data")
        desk.done("connect", "Shop", "--url", service.url, "--profile", "petstore-3")
        desk.done("sync", "Shop")
        file = tmp_path / "pets.csv"
        file.write_text("name,category,status\nNewt,Dogs,available\n", encoding="utf-8")
        for options in ((), ("--yes",)):
            said = desk.done("import", "Shop", "pets", str(file), *options)
            assert "The service also demands photoUrls; it gets []." in said
        file.write_text("id,name\n1,Rex II\n", encoding="utf-8")
        assert "demands" not in desk.done("import", "Shop", "pets", str(file))
        said = json.loads(desk.done("import", "Shop", "pets", str(file), "--json"))
        assert said["demands"] == {}


def _edits(desk: Desk) -> None:
    desk.imported(PETS, "id,name,status", "1,Rex II,pending", "2,Mia II,sold", "4,Leo II,sold")
    assert [desk.value(PETS, key, "status") for key in (1, 2, 3, 4)] == ["pending", "sold", "available", "sold"]
    desk.imported(PETS, "id,category", "3,Dogs", "5,Cats")
    assert [desk.value(PETS, key, "category_id") for key in (2, 3, 5)] == [2, 1, 2]
    desk.imported(ORDERS, "id,complete", "2,yes")
    assert [desk.value(ORDERS, key, "complete") for key in (1, 2, 3)] == [True, True, False]


def _new_ones(desk: Desk) -> None:
    desk.imported(CATEGORIES, "name,description", "Newts,wet & small")
    (made,) = (key for key in desk.service.kept[CATEGORIES] if desk.value(CATEGORIES, int(key), "name") == "Newts")
    desk.imported(PETS, "name,category,status", "Newt,Newts,available")
    (pet,) = (key for key in desk.service.kept[PETS] if desk.value(PETS, int(key), "name") == "Newt")
    assert desk.value(PETS, int(pet), "category_id") == made


def _stock(desk: Desk) -> None:
    desk.done("stock", "Shop", "3", "+5")
    desk.done("stock", "Shop", "5", "=1")
    assert [desk.value(STOCK, key, "quantity") for key in (2, 3, 4, 5, 6)] == [6, 14, 12, 1, 18]
    desk.service.records.put(STOCK, 3, "quantity", 90)  # a colleague
    desk.done("stock", "Shop", "3", "-2")
    assert desk.value(STOCK, 3, "quantity") == 88
    desk.service.records.put(STOCK, 5, "quantity", 50)
    assert desk.run("stock", "Shop", "5", "=2").returncode == 1
    assert desk.value(STOCK, 5, "quantity") == 50


def _a_pause(desk: Desk) -> None:
    """A 429 in the midst: nothing comes before the second is over, and the change arrives once."""
    written = len(desk.service.written)
    desk.service.refuse(1)
    desk.imported(PETS, "id,name", "6,Tom II")
    assert desk.value(PETS, 6, "name") == "Tom II"
    assert [one.status for one in desk.service.written[written:] if one.status < 300] != []
    desk.done("sync", "Shop")
