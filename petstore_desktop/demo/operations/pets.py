"""The operations on pets and on their stock."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import INVENTORY, ORDERS, PETS, ShopDatabase, StoredRow
from petstore_desktop.demo.operations import bodies
from petstore_desktop.demo.operations.answers import (
    Refusal,
    check_match,
    list_answer,
    record_answer,
    record_tag,
    shop_of,
)
from petstore_desktop.demo.operations.bodies import Check, path_id, read_object, validate
from petstore_desktop.demo.operations.lists import listing, page_answer

SHORT_LIST, LONGEST_SHORT_LIST = 20, 100

DEPRECATED_SINCE = 1767225600
"""2026-01-01T00:00:00Z, epoch seconds."""
SUNSET = "Wed, 30 Jun 2027 23:59:59 GMT"


def _checks(database: ShopDatabase) -> dict[str, Check]:
    return {"name": bodies.text, "categoryId": bodies.known_category(database), "status": bodies.status}


def _found(request: Request) -> StoredRow:
    pet_id = path_id(request, "petId")
    row = shop_of(request).database.get(PETS, pet_id)
    if row is None:
        raise Refusal(404, f"there is no pet {pet_id}")
    return row


async def list_pets(request: Request) -> Response:
    """GET /pets: all of them page by page, or in the default service the first `limit` alone."""
    status = request.query_params.get("status")
    if status is not None:
        bodies.status("status", status)
    where = {"status": status} if status is not None else None
    if shop_of(request).full:
        return page_answer(request, PETS, where)
    limit = bodies.whole_parameter(request, "limit", SHORT_LIST, LONGEST_SHORT_LIST)
    return list_answer(row.text for row in shop_of(request).database.page(PETS, 0, limit, where))


async def create_pet(request: Request) -> Response:
    """POST /pets: a pet, and its stock entry of 0."""
    database = shop_of(request).database
    body = validate(await read_object(request), _checks(database), ("name", "categoryId"))
    with database.transaction():
        new_id = database.new_id(PETS)
        row = database.put(PETS, {"id": new_id, "status": "available"} | body | {"id": new_id})
        database.put(INVENTORY, {"petId": new_id, "quantity": 0, "status": body.get("status", "available")})
    return record_answer(request, PETS, row, 201, f"/v1/pets/{new_id}")


async def read_pet(request: Request) -> Response:
    """GET /pets/{petId}, deprecated: says since when (RFC 9745) and until when (RFC 8594)."""
    answer = record_answer(request, PETS, _found(request))
    answer.headers["Deprecation"] = f"@{DEPRECATED_SINCE}"
    answer.headers["Sunset"] = SUNSET
    answer.headers["Link"] = '</v1/pets>; rel="successor-version"'
    return answer


async def replace_pet(request: Request) -> Response:
    """PUT /pets/{petId}: the whole pet anew; what the body leaves out is gone."""
    database = shop_of(request).database
    body = validate(await read_object(request), _checks(database), ("name", "categoryId"))
    return _write(request, body, keep=False)


async def change_pet(request: Request) -> Response:
    """PATCH /pets/{petId}: the fields of the body (RFC 7396)."""
    database = shop_of(request).database
    body = validate(await read_object(request), _checks(database))
    return _write(request, body, keep=True)


def _write(request: Request, body: dict[str, object], keep: bool) -> Response:
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, PETS, row))
    pet_id = path_id(request, "petId")
    if body.get("id", pet_id) != pet_id:
        raise Refusal(400, "the id of a pet cannot be changed")
    with database.transaction():
        written = database.put(PETS, (row.record if keep else {}) | {"id": pet_id} | body)
    return record_answer(request, PETS, written)


async def delete_pet(request: Request) -> Response:
    """DELETE /pets/{petId}: the pet and its stock entry; not while an order of it is open."""
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, PETS, row))
    pet_id = path_id(request, "petId")
    if waiting := database.count(ORDERS, {"pet_id": pet_id, "complete": 0}):
        raise Refusal(409, f"pet {pet_id} has {waiting} open order{'s' * (waiting != 1)}", "open_orders")
    with database.transaction():
        database.remove(PETS, pet_id)
        database.remove(INVENTORY, pet_id)
    return Response(status_code=204)


STOCK_CHECKS: dict[str, Check] = {"quantity": bodies.quantity, "status": bodies.status}


def _stock_found(request: Request) -> StoredRow:
    pet_id = path_id(request, "petId")
    row = shop_of(request).database.get(INVENTORY, pet_id)
    if row is None:
        raise Refusal(404, f"there is no stock entry of pet {pet_id}")
    return row


async def list_inventory(request: Request) -> Response:
    """GET /inventory."""
    return listing(request, INVENTORY)


async def read_stock(request: Request) -> Response:
    """GET /inventory/{petId}."""
    return record_answer(request, INVENTORY, _stock_found(request))


async def replace_stock(request: Request) -> Response:
    """PUT /inventory/{petId}: quantity and status anew."""
    return _write_stock(request, validate(await read_object(request), STOCK_CHECKS, ("quantity", "status")), keep=False)


async def change_stock(request: Request) -> Response:
    """PATCH /inventory/{petId}: the new count."""
    return _write_stock(request, validate(await read_object(request), STOCK_CHECKS, ("quantity",)), keep=True)


def _write_stock(request: Request, body: dict[str, object], keep: bool) -> Response:
    database = shop_of(request).database
    row = _stock_found(request)
    check_match(request, record_tag(database, INVENTORY, row))
    pet_id = path_id(request, "petId")
    if body.get("petId", pet_id) != pet_id:
        raise Refusal(400, "the pet of a stock entry cannot be changed")
    with database.transaction():
        written = database.put(INVENTORY, (row.record if keep else {}) | {"petId": pet_id} | body)
    return record_answer(request, INVENTORY, written)
