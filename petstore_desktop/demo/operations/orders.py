"""The operations on orders."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import ORDERS, ShopDatabase, StoredRow
from petstore_desktop.demo.operations import bodies
from petstore_desktop.demo.operations.answers import Refusal, check_match, record_answer, record_tag, shop_of
from petstore_desktop.demo.operations.bodies import Check, path_id, read_object, validate
from petstore_desktop.demo.operations.lists import listing


def _checks(database: ShopDatabase) -> dict[str, Check]:
    return {
        "petId": bodies.known_pet(database),
        "quantity": bodies.quantity,
        "shipDate": bodies.moment,
        "complete": bodies.boolean,
    }


def _found(request: Request) -> StoredRow:
    order_id = path_id(request, "orderId")
    row = shop_of(request).database.get(ORDERS, order_id)
    if row is None:
        raise Refusal(404, f"there is no order {order_id}")
    return row


async def list_orders(request: Request) -> Response:
    """GET /store/orders."""
    return listing(request, ORDERS)


async def create_order(request: Request) -> Response:
    """POST /store/orders: open unless it says otherwise."""
    database = shop_of(request).database
    body = validate(await read_object(request), _checks(database), ("petId", "quantity"))
    with database.transaction():
        new_id = database.new_id(ORDERS)
        row = database.put(ORDERS, _without_null({"complete": False} | body | {"id": new_id}))
    return record_answer(request, ORDERS, row, 201, f"/v1/store/orders/{new_id}")


async def read_order(request: Request) -> Response:
    """GET /store/orders/{orderId}."""
    return record_answer(request, ORDERS, _found(request))


async def change_order(request: Request) -> Response:
    """PATCH /store/orders/{orderId}: the fields of the body; a shipDate of null takes the date away (RFC 7396)."""
    database = shop_of(request).database
    body = validate(await read_object(request), _checks(database))
    row = _found(request)
    check_match(request, record_tag(database, ORDERS, row))
    order_id = path_id(request, "orderId")
    if body.get("id", order_id) != order_id:
        raise Refusal(400, "the id of an order cannot be changed")
    with database.transaction():
        written = database.put(ORDERS, _without_null(row.record | body))
    return record_answer(request, ORDERS, written)


def _without_null(record: dict[str, Any]) -> dict[str, Any]:
    if record.get("shipDate", "") is None:
        del record["shipDate"]
    return record


async def cancel_order(request: Request) -> Response:
    """DELETE /store/orders/{orderId}: 409 without a body where it is complete already."""
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, ORDERS, row))
    if row.record.get("complete") is True:
        return Response(status_code=409)
    with database.transaction():
        database.remove(ORDERS, path_id(request, "orderId"))
    return Response(status_code=204)
