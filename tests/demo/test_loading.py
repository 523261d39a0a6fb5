"""A shop that is filled from a file of records, under rules of its own."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from petstore_desktop.demo.child import DemoChild
from tests.demo.conftest import ShopFactory
from tests.support.shop import Shop

RULES = {
    "statuses": ["IN_STOCK", "SOLD"],
    "text_ids": True,
    "etags": True,
    "tag": "abc123",
    "offers": ["GET /pets", "GET /pets/{petId}", "PATCH /pets/{petId}", "POST /pets", "GET /inventory"],
}
RECORDS = [
    ["pets", {"id": "ord_7", "name": "Koi", "categoryId": "cat_1", "status": "IN_STOCK", "tags": ["a", 1.5]}],
    ["pets", {"id": "007", "name": "", "status": None}],
    ["pets", {"id": 7, "name": "Rex", "status": "odd"}],
    ["categories", {"id": "cat_1", "name": "Pond"}],
    ["orders", {"petId": "ord_7", "quantity": -2}],
    ["orders", {"petId": 99, "quantity": 1}],
    ["inventory", {"petId": "ord_7", "quantity": 3, "status": "IN_STOCK"}],
]


def written(path: Path, *records: object) -> Path:
    path.write_text("\n".join(json.dumps(one) for one in (RULES, *records)), encoding="utf-8")
    return path


@pytest.fixture
def shop(demo_shop: ShopFactory, tmp_path: Path) -> Shop:
    return demo_shop(plan="unlimited", records=written(tmp_path / "records.jsonl", *RECORDS))


def test_the_records_are_served_as_they_were_with_text_ids_and_odd_values(shop: Shop) -> None:
    with httpx.Client(base_url=shop.url, headers=shop.auth) as client:
        pets = client.get("/pets").json()
        assert [{name: value for name, value in pet.items() if not name.startswith("@")} for pet in pets] == [
            record for name, record in RECORDS if name == "pets"
        ]
        for key in ("ord_7", "007", "7"):
            assert str(client.get(f"/pets/{key}").json()["id"]) == key
        assert client.get("/pets/ord_8").status_code == 404
        assert client.get("/pets/ord_7").headers["ETag"] == '"abc123-p1"'


def test_changes_are_judged_by_the_own_statuses_and_operations(shop: Shop) -> None:
    with httpx.Client(base_url=shop.url, headers=shop.auth) as client:
        changed = client.patch("/pets/ord_7", json={"status": "SOLD", "categoryId": "cat_1"})
        assert (changed.status_code, changed.json()["status"], changed.json()["tags"]) == (200, "SOLD", ["a", 1.5])
        assert client.patch("/pets/ord_7", json={"status": "available"}).status_code == 400
        assert client.patch("/pets/ord_7", json={"categoryId": "cat_9"}).status_code == 400
        assert client.post("/pets", json={"name": "New", "categoryId": "cat_1"}).json()["status"] == "IN_STOCK"
        assert client.delete("/pets/ord_7").status_code == 405
        assert client.get("/categories").status_code == 404
        document = client.get("/openapi.json").json()
        assert set(document["paths"]) == {"/pets", "/pets/{petId}", "/inventory"}
        assert set(document["paths"]["/pets/{petId}"]) & {"get", "patch", "put", "delete"} == {"get", "patch"}
        assert document["components"]["schemas"]["PetStatus"]["enum"] == ["IN_STOCK", "SOLD"]


def test_a_colleague_changes_records_and_none_of_them_is_lost(shop: Shop) -> None:
    before = shop.rows("SELECT id, version FROM pets UNION ALL SELECT pet_id, version FROM inventory")
    shop.control("colleague", edits=40)
    after = shop.rows("SELECT id, version FROM pets UNION ALL SELECT pet_id, version FROM inventory")
    assert {key for key, _ in after} == {key for key, _ in before}
    assert sum(version for _, version in after) > sum(version for _, version in before)


@pytest.mark.parametrize(
    "records", [(RECORDS[0], RECORDS[0]), (["snakes", {}],), ("no pair",)], ids=["one id twice", "a table", "a line"]
)
def test_a_file_that_is_none_is_refused(
    tmp_path: Path, records: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "records.jsonl", *records)
    child = DemoChild(tmp_path / "shop.db", ("--records", str(file)))
    with pytest.raises(OSError, match="exit code 1"):
        child.ready()
    child.stop()
    assert "is no file of records" in capfd.readouterr().err
