"""The operations on categories."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import CATEGORIES, PETS, StoredRow
from petstore_desktop.demo.operations import bodies
from petstore_desktop.demo.operations.answers import Refusal, check_match, record_answer, record_tag, shop_of
from petstore_desktop.demo.operations.bodies import Check, path_id, read_object, validate
from petstore_desktop.demo.operations.lists import listing

CHECKS: dict[str, Check] = {"name": bodies.text, "description": bodies.any_text}


def _found(request: Request) -> StoredRow:
    category_id = path_id(request, "categoryId")
    row = shop_of(request).database.get(CATEGORIES, category_id)
    if row is None:
        raise Refusal(404, f"there is no category {category_id}")
    return row


async def list_categories(request: Request) -> Response:
    """GET /categories."""
    return listing(request, CATEGORIES)


async def create_category(request: Request) -> Response:
    """POST /categories."""
    database = shop_of(request).database
    body = validate(await read_object(request), CHECKS, ("name",))
    with database.transaction():
        new_id = database.new_id(CATEGORIES)
        row = database.put(CATEGORIES, {"id": new_id} | body | {"id": new_id})
    return record_answer(request, CATEGORIES, row, 201, f"/v1/categories/{new_id}")


async def read_category(request: Request) -> Response:
    """GET /categories/{categoryId}."""
    return record_answer(request, CATEGORIES, _found(request))


async def replace_category(request: Request) -> Response:
    """PUT /categories/{categoryId}."""
    return _write(request, validate(await read_object(request), CHECKS, ("name",)), keep=False)


async def change_category(request: Request) -> Response:
    """PATCH /categories/{categoryId} (RFC 7396)."""
    return _write(request, validate(await read_object(request), CHECKS), keep=True)


def _write(request: Request, body: dict[str, object], keep: bool) -> Response:
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, CATEGORIES, row))
    category_id = path_id(request, "categoryId")
    if body.get("id", category_id) != category_id:
        raise Refusal(400, "the id of a category cannot be changed")
    with database.transaction():
        written = database.put(CATEGORIES, (row.record if keep else {}) | {"id": category_id} | body)
    return record_answer(request, CATEGORIES, written)


async def delete_category(request: Request) -> Response:
    """DELETE /categories/{categoryId}: not while it has pets."""
    database = shop_of(request).database
    row = _found(request)
    check_match(request, record_tag(database, CATEGORIES, row))
    category_id = path_id(request, "categoryId")
    if pets := database.count(PETS, {"category_id": category_id}):
        raise Refusal(409, f"category {category_id} has {pets} pet{'s' * (pets != 1)}", "category_in_use")
    with database.transaction():
        database.remove(CATEGORIES, category_id)
    return Response(status_code=204)
