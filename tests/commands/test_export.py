"""`export NAME RESOURCE`: what is kept here, as a file, without a request, also beside a running program."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from openpyxl import load_workbook

from petstore_desktop import cli
from petstore_desktop.contract import cache
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Resource, Row
from petstore_desktop.domain.sheets import Sheet, SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.session import service_address
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from tests.program.running import command_here, environment
from tests.support.shop import ROOT

NOWHERE = Path("/no/such/folder").absolute()  # with its drive on Windows

AS_OF = 1_763_726_400.0
PETS = [Row(number, Pet(number, f"Pet {number}", 1 + number % 2, "sold"), 0.0) for number in range(1, 1_201)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one connection, 1,200 pets and two categories in its copy."""
    places = Places(tmp_path / "data")
    PreferenceStore(places.preferences).save(
        Preferences(connections=(ShopConnection("Shop", "shop", "https://no.invalid"),))
    )
    places.connection("shop").mkdir(parents=True)
    mirror = Mirror(places.mirror("shop"))
    categories = [Row(1, Category(1, "Fish"), 0.0), Row(2, Category(2, "Birds"), 0.0)]
    for resource, rows in ((Resource.PETS, PETS), (Resource.CATEGORIES, categories)):
        walk = mirror.begin_walk(resource)
        mirror.put(resource, rows, mirror.begin_read(), Walk(walk, None))
        mirror.finish_walk(resource, walk, AS_OF)
    mirror.close()
    return places.data


def export(data: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return command_here("export", "Shop", *arguments, "--data-dir", str(data), environment=environment())


def read_sheet_of(content: bytes, path: Path) -> Sheet:
    path.write_bytes(content)
    return read_sheet(path, SheetOptions(), lambda _: None)


def test_every_row_comes_with_names_and_the_file_says_how_many(data: Path) -> None:
    done = export(data, "pets", "--format", "csv")
    rows = list(csv.reader(io.StringIO(done.stdout.decode("utf-8-sig"), newline="")))
    assert done.returncode == 0, done.stderr
    assert rows[1:-1] == [
        [str(n), f"Pet {n}", str(1 + n % 2), ("Fish", "Birds")[n % 2], "sold"] for n in range(1, 1_201)
    ]
    assert rows[-1] == ["# 1200 of 1200 pets"]
    assert b"1200 pets of Shop, as of 2025-11-21" in done.stderr


def test_fields_that_the_program_does_not_know_stand_in_a_last_column(data: Path) -> None:
    mirror = Mirror(Places(data).mirror("shop"))
    mirror.put(Resource.CATEGORIES, [Row(2, Category(2, "Birds", None, {"color": "red"}), 0.0)], mirror.begin_read())
    mirror.close()
    rows = list(csv.reader(io.StringIO(export(data, "categories", "--format", "csv").stdout.decode("utf-8-sig"))))
    assert rows[0] == ["id", "name", "description", "other_fields"]
    assert sorted(row[-1] for row in rows[1:-1]) == ["", '{"color":"red"}']
    found = json.loads(export(data, "categories", "--format", "json").stdout)["rows"]
    assert {row["id"]: row["other_fields"] for row in found} == {1: None, 2: '{"color":"red"}'}


def test_a_file_is_written_as_its_name_ends_unless_something_else_is_asked_for(data: Path, tmp_path: Path) -> None:
    begin = {"a.XLSX": b"PK", "a.json": b"{", "a.csv": b"\xef\xbb\xbf", "a": b"\xef\xbb\xbf"}
    for name, expected in begin.items():
        assert export(data, "pets", "--out", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_bytes().startswith(expected), name
    assert export(data, "pets", "--out", str(tmp_path / "b.xlsx"), "--format", "json").returncode == 0
    assert (tmp_path / "b.xlsx").read_bytes().startswith(b"{")


def test_a_running_program_is_no_hindrance(data: Path, tmp_path: Path) -> None:
    instance = Instance(data)
    try:
        out = tmp_path / "pets.json"
        assert cli.main(["export", "Shop", "pets", "--format", "json", "--out", str(out), "--data-dir", str(data)]) == 0
        assert json.loads(out.read_text("ascii"))["count"] == 1_200
    finally:
        instance.release()


def test_what_was_written_is_named_in_plain_words(data: Path) -> None:
    mirror = Mirror(Places(data).mirror("shop"))
    walk = mirror.begin_walk(Resource.INVENTORY)
    rows = [Row(pet, InventoryItem(pet, 3), 0.0) for pet in (1, 2)]
    mirror.put(Resource.INVENTORY, rows, mirror.begin_read(), Walk(walk, None))
    mirror.finish_walk(Resource.INVENTORY, walk, AS_OF)
    mirror.close()
    assert b"2 stock entries of Shop" in export(data, "inventory", "--format", "csv").stderr


def test_of_a_list_that_was_never_read_to_its_end_the_file_and_the_command_say_that_it_is_a_part(
    data: Path, tmp_path: Path
) -> None:
    """They said "2 of 2 inventory", and success."""
    mirror = Mirror(Places(data).mirror("shop"))
    walk = mirror.begin_walk(Resource.INVENTORY)
    rows = [Row(pet, InventoryItem(pet, 3, "sold"), 0.0) for pet in (1, 2)]
    mirror.put(Resource.INVENTORY, rows, mirror.begin_read(), Walk(walk, "page 2"))
    mirror.close()
    done = export(data, "inventory", "--format", "csv")
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[-1] == "# 2 of 2+ inventory"
    said = "2 stock entries of Shop, a part: this list was never read to its end; `petstore-desktop sync Shop` reads"
    assert said in done.stderr.decode()
    sheet = read_sheet_of(done.stdout, tmp_path / "part.csv")
    assert (sheet.own, sheet.count, len([row for row in sheet.rows if row])) == (Resource.INVENTORY, 2, 3)
    found = json.loads(export(data, "inventory", "--format", "json").stdout)
    assert (found["count"], found["of"], found["whole"]) == (2, 2, False)
    assert export(data, "inventory", "--out", str(tmp_path / "part.xlsx")).returncode == 1
    about = load_workbook(tmp_path / "part.xlsx")["about"]
    assert list(about.values) == [("resource", "inventory"), ("count", 2), ("of", "2+")]


def test_of_a_list_that_the_service_shows_in_part_it_is_said_that_there_may_be_more(data: Path) -> None:
    mirror = Mirror(Places(data).mirror("shop"))
    mirror.finish_walk(Resource.CATEGORIES, mirror.begin_walk(Resource.CATEGORIES), AS_OF, Gaps(2), sweep=False)
    mirror.close()
    done = export(data, "categories")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == b"# 2 of 2+ categories"
    assert b"; there may be more, because the service shows at most 2" in done.stderr
    assert json.loads(export(data, "pets", "--format", "json").stdout)["whole"] is True


def test_where_the_service_counts_more_than_it_shows_nothing_is_called_empty(data: Path) -> None:
    mirror = Mirror(Places(data).mirror("shop"))
    mirror.finish_walk(Resource.INVENTORY, mirror.begin_walk(Resource.INVENTORY), AS_OF, Gaps(0))
    mirror.close()
    done = export(data, "inventory")
    assert done.stdout.splitlines()[-1] == b"# 0 of 0+ inventory"
    assert b"; there may be more, because the service counts more than it shows" in done.stderr


@pytest.mark.parametrize(
    ("gaps", "of", "said"),
    [
        (
            Gaps(set_aside=1, reasons=("pets 7: name is missing",)),
            "2+",
            "; 1 record is set aside, and not in it (pets 7:",
        ),
        (Gaps(set_aside=3), "2+", "; 3 records are set aside, and not in it"),
        (Gaps(missing=1), "2", "; 1 of its records was not shown when the list was last read and may be gone"),
    ],
)
def test_records_that_could_not_be_read_or_may_be_gone_are_said(data: Path, gaps: Gaps, of: str, said: str) -> None:
    """It said "2 of 2", and that this was all."""
    mirror = Mirror(Places(data).mirror("shop"))
    mirror.finish_walk(Resource.CATEGORIES, mirror.begin_walk(Resource.CATEGORIES), AS_OF, gaps, sweep=False)
    mirror.close()
    done = export(data, "categories")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines()[-1] == f"# 2 of {of} categories"
    assert said in done.stderr.decode()
    assert json.loads(export(data, "categories", "--format", "json").stdout)["whole"] is (of == "2")


def test_a_list_that_the_service_does_not_offer_is_said_to_be_that(data: Path) -> None:
    places = Places(data)
    operations = {op: one for op, one in default().operations.items() if op is not Op.ORDERS_LIST}
    contract = replace(
        default(), operations=operations, address=service_address(ShopConnection("Shop", "shop", "https://no.invalid"))
    )
    places.contract("shop").parent.mkdir(parents=True, exist_ok=True)
    places.contract("shop").write_text(cache.to_json(contract), encoding="utf-8")
    assert "Shop has no list of orders: its service does not offer one" in export(data, "orders").stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["Shop", "orders"], 1, "nothing is kept here of the orders of Shop yet"),
        (["Nowhere", "pets"], 1, "there is no connection called Nowhere"),
        (["Demo shop", "pets"], 1, "the demo shop is in its window alone"),
        (["Shop", "cats"], 2, "invalid choice"),
        (
            ["Shop", "pets", "--out", "/no/such/folder/x.csv"],
            1,
            f"there is no such folder: {Path('/no/such/folder').absolute()}",
        ),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    arguments: list[str], code: int, said: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["export", *arguments, "--data-dir", str(data)]) == code
    out, error = capsys.readouterr()
    assert out == ""
    assert said in error
    assert error.count("\n") == 1


def test_a_dash_is_standard_output_and_no_file(data: Path) -> None:
    """`--out -` wrote a file of that name."""
    done = export(data, "categories", "--out", "-")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == b"# 2 of 2 categories"
    assert not (ROOT / "-").exists()


def test_ids_of_a_list_that_has_texts_are_all_texts_in_json(data: Path) -> None:
    mirror = Mirror(Places(data).mirror("shop"))
    mirror.put(Resource.CATEGORIES, [Row("bf94", Category("bf94", "Frogs"), 0.0)], mirror.begin_read())
    mirror.put(Resource.PETS, [Row(1, Pet(1, "Bo", "bf94", "sold"), 0.0)], mirror.begin_read())
    mirror.close()
    categories = json.loads(export(data, "categories", "--format", "json").stdout)["rows"]
    assert sorted(row["id"] for row in categories) == ["1", "2", "bf94"]
    first, second, *_ = json.loads(export(data, "pets", "--format", "json").stdout)["rows"]
    assert [(row["id"], row["category_id"]) for row in (first, second)] == [(1, "bf94"), (2, "1")]
