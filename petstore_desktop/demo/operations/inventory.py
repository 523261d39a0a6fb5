"""The operations on stock."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import INVENTORY, Row
from petstore_desktop.demo.operations import bodies
from petstore_desktop.demo.operations.answers import Refusal, check_match, record_answer, record_tag, shop_of
from petstore_desktop.demo.operations.bodies import Check, path_id, read_object, take
from petstore_desktop.demo.operations.lists import listing

CHECKS: dict[str, Check] = {"quantity": bodies.quantity, "status": bodies.status}


def _found(request: Request) -> Row:
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
    return record_answer(request, INVENTORY, _found(request))


async def replace_stock(request: Request) -> Response:
    """PUT /inventory/{petId}: quantity and status anew."""
    return _write(request, take(await read_object(request), CHECKS, ("quantity", "status")), keep=False)


async def change_stock(request: Request) -> Response:
    """PATCH /inventory/{petId}: the new count."""
    return _write(request, take(await read_object(request), CHECKS, ("quantity",)), keep=True)


def _write(request: Request, body: dict[str, object], keep: bool) -> Response:
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, INVENTORY, row))
    pet_id = path_id(request, "petId")
    if body.get("petId", pet_id) != pet_id:
        raise Refusal(400, "the pet of a stock entry cannot be changed")
    with database.transaction():
        written = database.put(INVENTORY, (row.record if keep else {}) | {"petId": pet_id} | body)
    return record_answer(request, INVENTORY, written)
