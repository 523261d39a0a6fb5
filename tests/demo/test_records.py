"""What the full service does with records: validators, paging, rules of the shop."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.demo.conftest import ShopFactory
from tests.demo.judge import Judge

BEYOND_INT64 = 2**63


def walk(ask: Judge, path: str) -> list[dict[str, Any]]:
    """Every record of a list, page after page."""
    records: list[dict[str, Any]] = []
    answer = ask("GET", path)
    while True:
        records += answer.json()
        if "next" not in answer.links:
            assert answer.headers["x-total-count"] == str(len(records))
            return records
        answer = ask("GET", answer.links["next"]["url"].removeprefix(ask.shop.url))


@pytest.mark.parametrize(
    ("path", "table"), [("/pets", "pets"), ("/store/orders", "orders"), ("/inventory", "inventory")]
)
def test_a_walk_over_the_pages_gives_each_record_once(full_shop: Judge, path: str, table: str) -> None:
    records = walk(full_shop, f"{path}?limit=7")
    assert len(records) == full_shop.shop.rows(f"SELECT count(*) FROM {table}")[0][0]
    assert len({str(record) for record in records}) == len(records)


def test_a_walk_keeps_its_filter(full_shop: Judge) -> None:
    records = walk(full_shop, "/pets?limit=9&status=pending")
    assert len(records) == full_shop.shop.rows("SELECT count(*) FROM pets WHERE status = 'pending'")[0][0]


def test_a_page_is_100_records_unless_asked_and_at_most_500(demo_shop: ShopFactory) -> None:
    with Judge(demo_shop(plan="unlimited", pets=600), "full") as ask:
        assert len(ask("GET", "/pets").json()) == 100
        assert len(ask("GET", "/pets?limit=500").json()) == 500
        for limit in ("501", "0", "-1", "x", "1.5", "", "٣"):
            assert ask("GET", f"/pets?limit={limit}").status_code == 400


def test_a_foreign_cursor_is_refused(full_shop: Judge) -> None:
    cursor = full_shop("GET", "/inventory?limit=5").links["next"]["url"].partition("?")[2]
    assert full_shop("GET", f"/pets?{cursor}").json()["code"] == "bad_cursor"
    assert full_shop("GET", "/pets?cursor=nonsense").status_code == 400


def test_a_list_is_answered_304_until_one_of_its_records_changes(full_shop: Judge) -> None:
    tag = full_shop("GET", "/inventory?limit=3").headers["etag"]
    assert tag.startswith('W/"')
    known = {"If-None-Match": tag}
    assert full_shop("GET", "/inventory?limit=3", headers=known).status_code == 304
    assert full_shop("GET", "/inventory?limit=4", headers=known).status_code == 200
    pet_id = full_shop.shop.rows("SELECT max(pet_id) FROM inventory")[0][0]
    full_shop("PATCH", f"/inventory/{pet_id}", json={"quantity": 9})
    assert full_shop("GET", "/inventory?limit=3", headers=known).status_code == 200


def test_of_two_writers_with_the_same_etag_one_is_refused(full_shop: Judge) -> None:
    one = f"/inventory/{full_shop.shop.rows('SELECT pet_id FROM inventory')[0][0]}"
    tag = full_shop("GET", one).headers["etag"]
    first = full_shop("PATCH", one, json={"quantity": 5}, headers={"If-Match": tag})
    second = full_shop("PATCH", one, json={"quantity": 6}, headers={"If-Match": tag})
    assert (first.status_code, second.status_code) == (200, 412)
    third = full_shop("PATCH", one, json={"quantity": 7}, headers={"If-Match": first.headers["etag"]})
    assert (third.status_code, full_shop("GET", one).json()["quantity"]) == (200, 7)


@pytest.mark.parametrize("path", ["/pets", "/categories", "/store/orders", "/inventory"])
def test_a_list_names_the_etag_that_each_record_has_by_itself(full_shop: Judge, path: str) -> None:
    key = "petId" if path == "/inventory" else "id"
    listed = [record for record in full_shop("GET", f"{path}?limit=20").json() if key in record]
    assert len(listed) > 5
    for record in listed:
        alone = full_shop("GET", f"{path}/{record[key]}")
        assert (record.pop("@odata.etag"), record) == (alone.headers["etag"], alone.json())


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_record_may_be_sent_back_as_a_list_gave_it(full_shop: Judge, method: str) -> None:
    """Its ETag goes with the request, or the request is refused, and what was said of the record is not one of its
    fields."""
    record = full_shop("GET", "/inventory?limit=1").json()[0]
    tag, one = record["@odata.etag"], f"/inventory/{record['petId']}"
    wanted = {**record, "quantity": 5}
    answers = [full_shop(method, one, json=wanted, headers={"If-Match": tag}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 412], answers[0].text
    del wanted["@odata.etag"]
    assert answers[0].json() == full_shop("GET", one).json() == wanted


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_write_with_an_old_etag_changes_nothing(full_shop: Judge, method: str) -> None:
    tag = full_shop("GET", "/pets/1001").headers["etag"]
    full_shop("PATCH", "/pets/1001", json={"name": "Koi of another desk"})
    body = {"name": "Koi of this desk", "categoryId": 1}
    answer = (
        full_shop("DELETE", "/pets/1001", headers={"If-Match": tag})
        if method == "DELETE"
        else full_shop(method, "/pets/1001", json=body, headers={"If-Match": tag})
    )
    assert answer.status_code == 412
    assert full_shop("GET", "/pets/1001").json()["name"] == "Koi of another desk"


def test_the_answer_to_a_write_carries_the_etag_of_the_new_state(full_shop: Judge) -> None:
    made = full_shop("POST", "/pets", json={"name": "Koi", "categoryId": 1})
    one = made.headers["location"].removeprefix("/v1")
    assert full_shop("GET", one, headers={"If-None-Match": made.headers["etag"]}).status_code == 304
    changed = full_shop("PATCH", one, json={"status": "sold"}, headers={"If-Match": made.headers["etag"]})
    assert full_shop("GET", one).headers["etag"] == changed.headers["etag"] != made.headers["etag"]


def test_put_replaces_the_whole_and_keeps_fields_that_it_does_not_know(full_shop: Judge) -> None:
    full_shop.shop.control("rows", pets=[{"id": 9, "name": "Koi", "categoryId": 1, "status": "sold", "chip": "985 11"}])
    full_shop("PATCH", "/pets/9", json={"name": "Koi, kohaku"})
    read = full_shop("GET", "/pets/9").json()
    assert read == {"id": 9, "name": "Koi, kohaku", "categoryId": 1, "status": "sold", "chip": "985 11"}
    full_shop("PUT", "/pets/9", json={"name": "Koi", "categoryId": 2, "chip": "985 11"})
    assert full_shop("GET", "/pets/9").json() == {"id": 9, "name": "Koi", "categoryId": 2, "chip": "985 11"}


def test_a_new_pet_has_a_stock_entry_of_0_and_takes_it_along(full_shop: Judge) -> None:
    pet = full_shop("POST", "/pets", json={"name": "Koi", "categoryId": 1}).json()
    assert full_shop("GET", f"/inventory/{pet['id']}").json()["quantity"] == 0
    assert full_shop("DELETE", f"/pets/{pet['id']}").status_code == 204
    assert full_shop("GET", f"/inventory/{pet['id']}").status_code == 404


def test_an_id_is_never_given_twice(full_shop: Judge) -> None:
    orders = full_shop("GET", "/store/orders", params={"limit": 500}).json()
    last = max(order["id"] for order in orders if order["id"] < 10**9)  # that was there from the beginning
    assert full_shop("DELETE", f"/store/orders/{last}").status_code == 204
    made = full_shop("POST", "/store/orders", json={"petId": orders[0]["petId"], "quantity": 1})
    assert made.json()["id"] > last
    given = []
    for _ in range(3):
        given.append(full_shop("POST", "/categories", json={"name": "Pond fish"}).json()["id"])
        full_shop("DELETE", f"/categories/{given[-1]}")
    assert len(set(given)) == 3


def test_a_pet_with_open_orders_and_a_category_with_pets_stay(full_shop: Judge) -> None:
    category = full_shop("POST", "/categories", json={"name": "Pond fish"}).json()["id"]
    pet = full_shop("POST", "/pets", json={"name": "Koi", "categoryId": category}).json()["id"]
    order = full_shop("POST", "/store/orders", json={"petId": pet, "quantity": 1}).json()["id"]
    assert full_shop("DELETE", f"/categories/{category}").json()["code"] == "category_in_use"
    assert full_shop("DELETE", f"/pets/{pet}").json()["code"] == "open_orders"
    full_shop("PATCH", f"/store/orders/{order}", json={"complete": True})
    assert full_shop("DELETE", f"/pets/{pet}").status_code == 204
    assert full_shop("DELETE", f"/categories/{category}").status_code == 204


def test_a_complete_order_cannot_be_cancelled_and_the_409_has_no_body(full_shop: Judge) -> None:
    order = full_shop("POST", "/store/orders", json={"petId": 1001, "quantity": 1, "complete": True}).json()["id"]
    answer = full_shop("DELETE", f"/store/orders/{order}")
    assert (answer.status_code, answer.content) == (409, b"")
    assert full_shop("GET", f"/store/orders/{order}").status_code == 200


def test_a_ship_date_of_null_takes_the_date_away(full_shop: Judge) -> None:
    body = {"petId": 1001, "quantity": 1, "shipDate": "2026-11-21T09:00:00.123456+02:00"}
    made = full_shop("POST", "/store/orders", json=body).json()
    assert made["shipDate"] == body["shipDate"]
    assert "shipDate" not in full_shop("PATCH", f"/store/orders/{made['id']}", json={"shipDate": None}).json()


def test_a_look_up_of_one_pet_says_when_it_goes(full_shop: Judge) -> None:
    answer = full_shop("GET", "/pets/1001")
    assert answer.headers["deprecation"] == "@1767225600"
    assert answer.headers["sunset"] == "Wed, 30 Jun 2027 23:59:59 GMT"
    assert answer.links["successor-version"]["url"] == "/v1/pets"
    assert "deprecation" not in full_shop("GET", "/pets").headers


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("POST", "/pets", {"name": "Koi", "categoryId": 41}, "unknown category 41"),
        ("POST", "/pets", {"name": "", "categoryId": 1}, "name must"),
        ("POST", "/pets", {"name": "Koi"}, "categoryId is required"),
        ("POST", "/pets", {"name": "Koi", "categoryId": "1"}, "categoryId must"),
        ("POST", "/pets", {"name": "Koi", "categoryId": True}, "categoryId must"),
        ("POST", "/pets", {"name": "Koi", "categoryId": 1, "status": "gone"}, "unknown status 'gone'"),
        ("PUT", "/pets/1001", {"name": "Koi", "categoryId": 1, "id": 1002}, "the id"),
        ("POST", "/categories", {"name": 5}, "name must"),
        ("POST", "/store/orders", {"petId": 7, "quantity": 1}, "unknown pet 7"),
        ("POST", "/store/orders", {"petId": 1001, "quantity": -1}, "quantity must not"),
        ("POST", "/store/orders", {"petId": 1001, "quantity": 1, "shipDate": "soon"}, "shipDate must"),
        ("PATCH", "/store/orders/{order}", {"complete": "yes"}, "complete must"),
        ("PATCH", "/inventory/{stock}", {"quantity": -1}, "quantity must not"),
        ("PATCH", "/inventory/{stock}", {"quantity": BEYOND_INT64}, "quantity is beyond"),
        ("PATCH", "/inventory/{stock}", {"quantity": 1.0}, "quantity must be"),
        ("PUT", "/inventory/{stock}", {"quantity": 1, "status": None}, "unknown status"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_words(
    full_shop: Judge, method: str, path: str, body: dict[str, Any], message: str
) -> None:
    order, stock = full_shop.shop.rows("SELECT (SELECT max(id) FROM orders), (SELECT min(pet_id) FROM inventory)")[0]
    answer = full_shop(method, path.format(order=order, stock=stock), json=body)
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(message)


def test_the_largest_int64_is_kept_exactly(full_shop: Judge) -> None:
    stock = full_shop.shop.rows("SELECT min(pet_id) FROM inventory")[0][0]
    full_shop("PATCH", f"/inventory/{stock}", json={"quantity": BEYOND_INT64 - 1})
    assert full_shop("GET", f"/inventory/{stock}").json()["quantity"] == BEYOND_INT64 - 1


def test_the_default_service_gives_bare_arrays_cut_at_the_limit(default_shop: Judge) -> None:
    assert len(default_shop("GET", "/pets").json()) == 20
    answer = default_shop("GET", "/pets?limit=100")
    assert len(answer.json()) == 100
    assert not {"link", "etag", "x-total-count"} & answer.headers.keys()
    assert not any("@odata.etag" in record for record in answer.json())
    assert default_shop("GET", "/pets?limit=101").status_code == 400
    assert {pet["status"] for pet in default_shop("GET", "/pets?status=sold").json()} == {"sold"}
    orders = default_shop("GET", "/store/orders?limit=1").json()
    assert len(orders) == default_shop.shop.rows("SELECT count(*) FROM orders")[0][0]


def test_the_default_service_has_only_its_nine_operations(default_shop: Judge) -> None:
    url = default_shop.shop.url
    put = default_shop.client.put(f"{url}/pets/1001", json={"name": "Koi", "categoryId": 1})
    assert (put.status_code, set(put.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})
    assert default_shop.client.get(f"{url}/categories/1").status_code == 404


def test_a_shop_without_validators_gives_none_and_heeds_none(demo_shop: ShopFactory) -> None:
    with Judge(demo_shop(plan="unlimited"), "full") as ask:
        url, auth, pet = ask.shop.url, ask.shop.auth, 1001
        tag = httpx.get(f"{url}/inventory/{pet}", headers=auth).headers["etag"]
        ask.shop.control("etags", on=False)
        known = {**auth, "If-Match": '"another"', "If-None-Match": tag}
        answers = [
            httpx.get(f"{url}/inventory/{pet}", headers=known),
            httpx.get(f"{url}/inventory?limit=2", headers=known),
            httpx.patch(f"{url}/inventory/{pet}", headers=known, json={"quantity": 5}),
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert not any("etag" in answer.headers or "etag" in answer.text for answer in answers)
        document = httpx.get(f"{url}/openapi.json").text
        assert not any(name in document for name in ("If-Match", '"ETag"', '"412"', "odata.etag", "Tagged"))
        ask.shop.control("etags", on=True)
        assert httpx.get(f"{url}/inventory/{pet}", headers=auth).headers["etag"] != tag
