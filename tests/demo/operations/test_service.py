from __future__ import annotations

import httpx
import pytest
import yaml

from petstore_desktop.demo.operations.service import OPERATIONS
from tests.demo.conftest import ShopFactory
from tests.demo.judge import Judge, read_document


@pytest.mark.parametrize("service", ["full", "default"])
def test_the_documents_are_valid_openapi_3_0_3(service: str) -> None:
    from openapi_spec_validator import validate  # late: it takes half a second

    document = read_document(service)
    validate(document)
    assert (document["openapi"], document["info"]["version"]) == ("3.0.3", "1.0.0")


@pytest.mark.parametrize("service", ["full", "default"])
def test_a_document_names_exactly_the_operations_that_the_shop_serves(service: str) -> None:
    declared = {
        (method.upper(), path) for path, methods in read_document(service)["paths"].items() for method in methods
    }
    assert declared == {(o.method, o.path) for o in OPERATIONS if service == "full" or not o.full}
    assert service == "full" or len(declared) == 9


@pytest.mark.parametrize("service", ["full", "default"])
def test_the_marks_are_as_agreed(service: str) -> None:
    paths = read_document(service)["paths"]
    assert paths["/pets/{petId}"]["get"]["deprecated"] is True
    assert paths["/pets/{petId}"]["get"]["x-sunset"] == "2027-06-30"
    assert paths["/store/orders/{orderId}"]["delete"]["x-stability"] == "beta"
    assert paths["/inventory/{petId}"]["patch"]["x-stability"] == "experimental"


@pytest.mark.parametrize("service", ["full", "default"])
def test_the_shop_publishes_its_document_without_a_key_and_does_not_count_it(
    demo_shop: ShopFactory, service: str
) -> None:
    shop = demo_shop(service=service)
    as_json = httpx.get(f"{shop.url}/openapi.json")
    as_yaml = httpx.get(f"{shop.url}/openapi.yaml")
    assert as_json.json() == yaml.safe_load(as_yaml.text) == read_document(service)
    assert as_json.headers["x-ratelimit-limit"] == "60"
    assert httpx.get(f"{shop.url}/openapi.json", headers=shop.auth).headers["x-ratelimit-remaining"] == "59"


def drive_full(ask: Judge) -> None:
    """Bring about each documented answer of the full service that the limits have no part in."""
    made = {
        "/pets": {"name": "Koi", "categoryId": 1},
        "/categories": {"name": "Pond fish", "description": "in ponds"},
        "/store/orders": {"petId": 1001, "quantity": 2, "shipDate": "2026-11-21T09:00:00Z"},
    }
    stale = {"If-Match": '"stale"'}
    for path, body in made.items():
        new = ask("POST", path, json=body)
        ask("POST", path, json={})
        one = f"{path}/{new.json()['id']}"
        ask("GET", one, headers={"If-None-Match": ask("GET", one).headers["etag"]})
        ask("GET", path, headers={"If-None-Match": ask("GET", path).headers["etag"]})
        ask("GET", f"{path}?limit=0")
        for method in ("PATCH",) if path == "/store/orders" else ("PUT", "PATCH"):
            for target, answered, headers in ((one, body, stale), (one, body, {}), (f"{path}/7", body, {})):
                ask(method, target, json=answered, headers=headers)
            ask(method, one, json={next(iter(body)): []})
        ask("DELETE", one, headers=stale)
        ask("GET", f"{path}/7" if path != "/categories" else f"{path}/70")
        ask("DELETE", one)
        ask("DELETE", one)
    ask("PUT", "/categories/70", json={"name": "x"})
    ask("PATCH", "/categories/70", json={"name": "x"})
    drive_conflicts_and_stock(ask)


def drive_conflicts_and_stock(ask: Judge) -> None:
    open_order = ask("POST", "/store/orders", json={"petId": 1001, "quantity": 1}).json()
    ask("DELETE", "/pets/1001")
    ask("DELETE", "/categories/1")
    ask("PATCH", f"/store/orders/{open_order['id']}", json={"complete": True})
    ask("DELETE", f"/store/orders/{open_order['id']}")
    pet_id = ask("POST", "/pets", json={"name": "Koi", "categoryId": 1}).json()["id"]
    one = f"/inventory/{pet_id}"
    ask("GET", "/inventory", headers={"If-None-Match": ask("GET", "/inventory").headers["etag"]})
    ask("GET", "/inventory?limit=no")
    ask("GET", one, headers={"If-None-Match": ask("GET", one).headers["etag"]})
    for method, body in (("PUT", {"quantity": 3, "status": "sold"}), ("PATCH", {"quantity": 4})):
        ask(method, one, json=body)
        ask(method, one, json={})
        ask(method, one, json=body, headers={"If-Match": '"stale"'})
        ask(method, "/inventory/7", json=body)
    ask("GET", "/inventory/7")


def drive_default(ask: Judge) -> None:
    """The same for the nine operations."""
    ask("GET", "/pets")
    ask("POST", "/pets", json={"name": "Koi", "categoryId": 1})
    ask("POST", "/pets", json={})
    ask("GET", "/pets/1001")
    ask("GET", "/pets/7")
    ask("GET", "/categories")
    ask("POST", "/categories", json={"name": "Pond fish"})
    ask("POST", "/categories", json={})
    orders = ask("GET", "/store/orders").json()
    ask("DELETE", f"/store/orders/{next(o['id'] for o in orders if o['complete'])}")
    ask("DELETE", f"/store/orders/{next(o['id'] for o in orders if not o['complete'])}")
    ask("DELETE", "/store/orders/7")
    pet_id = ask("GET", "/inventory").json()[0]["petId"]
    ask("PATCH", f"/inventory/{pet_id}", json={"quantity": 40})
    ask("PATCH", f"/inventory/{pet_id}", json={})
    ask("PATCH", "/inventory/7", json={"quantity": 1})


def drive_refusals(ask: Judge) -> None:
    """401, 403 and 429 of each operation."""
    every = [
        (method.upper(), path.replace("{petId}", "1001").replace("{orderId}", "1001").replace("{categoryId}", "1"))
        for path, methods in ask.document["paths"].items()
        for method in methods
    ]
    for action, status in (("revoke", 401), ("refuse-writes", 403), ("exhaust", 429), ("ban", 403)):
        ask.shop.control(action)
        for method, path in every:
            answer = ask(method, path)
            assert answer.status_code == status or (action == "refuse-writes" and method == "GET")
        for back in ("restore", "reset-limits"):
            ask.shop.control(back)
        ask.shop.control("refuse-writes", on=False)


def test_every_documented_answer_of_the_full_service_comes_as_documented(demo_shop: ShopFactory) -> None:
    with Judge(demo_shop(plan="unlimited", ban_at=1000), "full") as ask:
        drive_full(ask)
        drive_refusals(ask)
        assert ask.declared() - ask.seen == set()


def test_every_documented_answer_of_the_default_service_comes_as_documented(demo_shop: ShopFactory) -> None:
    with Judge(demo_shop(plan="unlimited", service="default", ban_at=1000), "default") as ask:
        drive_default(ask)
        drive_refusals(ask)
        assert ask.declared() - ask.seen == set()
