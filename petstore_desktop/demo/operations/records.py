"""The operations on pets, categories, orders and stock: the common part, and the differences of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import (
    CATEGORIES,
    INVENTORY,
    ORDERS,
    PETS,
    Record,
    ShopDatabase,
    StoredRow,
    TableSpec,
)
from petstore_desktop.demo.books.shop import Shop
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

STATUS = "status"
Checks: TypeAlias = Mapping[str, Check | TableSpec | str]
"""How the fields of a body are judged; a table: it must have a record with this id; STATUS: it is one of the shop's."""
SHORT_LIST, LONGEST_SHORT_LIST = 20, 100

DEPRECATED_SINCE = 1767225600
"""2026-01-01T00:00:00Z, epoch seconds."""
SUNSET = "Wed, 30 Jun 2027 23:59:59 GMT"


class RecordOperations:
    """One kind of record. A subclass adds the differences; a method named after a request is a handler."""

    table: ClassVar[TableSpec]
    place: ClassVar[str] = ""
    """Path of the list, for the Location of a new record."""
    parameter: ClassVar[str]
    """Name of the id in the path."""
    noun: ClassVar[str]
    fixed: ClassVar[str]
    """What a change must leave alone, in words."""
    required: ClassVar[tuple[str, ...]]
    """Fields of a new or replaced record."""
    required_change: ClassVar[tuple[str, ...]] = ()
    checks: ClassVar[Checks]

    begins: ClassVar[Mapping[str, object]] = {}
    """Fields that a new record has unless its body says otherwise; STATUS stands for the first of the shop's."""

    def tidy(self, record: Record) -> Record:
        """Return the record as it is stored."""
        return record

    def on_created(self, database: ShopDatabase, record: Record) -> None:
        """Write what belongs to a new record, in its transaction."""

    def found(self, request: Request) -> StoredRow:
        """Return the record that the path names. Raises Refusal 404."""
        key = path_id(request, self.parameter)
        row = shop_of(request).database.get(self.table, key)
        if row is None:
            raise Refusal(404, f"there is no {self.noun} {key}")
        return row

    async def list(self, request: Request) -> Response:
        """GET of the list."""
        return listing(request, self.table)

    async def create(self, request: Request) -> Response:
        """POST to the list."""
        shop = shop_of(request)
        database = shop.database
        body = await self._body(request, self.required)
        begins = {name: shop.statuses[0] if value == STATUS else value for name, value in self.begins.items()}
        with database.transaction():
            new_id = database.new_id(self.table)
            row = database.put(self.table, self.tidy({"id": new_id, **begins} | body | {"id": new_id}))
            self.on_created(database, row.record)
        return record_answer(request, self.table, row, 201, f"/v1{self.place}/{new_id}")

    async def read(self, request: Request) -> Response:
        """GET of one."""
        return record_answer(request, self.table, self.found(request))

    async def replace(self, request: Request) -> Response:
        """PUT of one: the whole record anew; what the body leaves out is gone."""
        return await self._write(request, self.required, keep=False)

    async def change(self, request: Request) -> Response:
        """PATCH of one: the fields of the body (RFC 7396)."""
        return await self._write(request, self.required_change, keep=True)

    async def _write(self, request: Request, required: tuple[str, ...], keep: bool) -> Response:
        database, name = shop_of(request).database, self.table.key
        body = await self._body(request, required)
        row = self._matching(request)
        key = path_id(request, self.parameter)
        if body.get(name, key) != key:
            raise Refusal(400, f"the {self.fixed} cannot be changed")
        with database.transaction():
            written = database.put(self.table, self.tidy((row.record if keep else {}) | {name: key} | body))
        return record_answer(request, self.table, written)

    async def _body(self, request: Request, required: tuple[str, ...]) -> Record:
        shop = shop_of(request)
        judges = {name: _judge(shop, check) for name, check in self.checks.items()}
        return validate(await read_object(request), judges, required)

    def _matching(self, request: Request) -> StoredRow:
        row = self.found(request)
        check_match(request, record_tag(shop_of(request).database, self.table, row))
        return row

    def _remove(self, request: Request) -> Response:
        database, key = shop_of(request).database, path_id(request, self.parameter)
        with database.transaction():
            database.remove(self.table, key)
            if self.table is PETS:
                database.remove(INVENTORY, key)
        return Response(status_code=204)


def _judge(shop: Shop, check: Check | TableSpec | str) -> Check:
    if isinstance(check, TableSpec):
        return bodies.known(shop.database, check)
    return bodies.status(shop.statuses) if isinstance(check, str) else check


class PetOperations(RecordOperations):
    """A new pet has a stock entry of 0."""

    table, place, parameter = PETS, "/pets", "petId"
    noun, fixed = "pet", "id of a pet"
    required = ("name", "categoryId")
    checks: ClassVar[Checks] = {"name": bodies.text, "categoryId": CATEGORIES, "status": STATUS}

    begins: ClassVar[Mapping[str, object]] = {"status": STATUS}

    def on_created(self, database: ShopDatabase, record: Record) -> None:
        database.put(INVENTORY, {"petId": record["id"], "quantity": 0, "status": record["status"]})

    async def delete(self, request: Request) -> Response:
        """DELETE of one, with its stock entry; not while an order of it is open."""
        self._matching(request)
        key = path_id(request, self.parameter)
        if waiting := shop_of(request).database.count(ORDERS, {"pet_id": key, "complete": 0}):
            raise Refusal(409, f"pet {key} has {waiting} open order{'s' * (waiting != 1)}", "open_orders")
        return self._remove(request)

    async def list(self, request: Request) -> Response:
        """All of them page by page, or in the default service the first `limit` alone."""
        status = request.query_params.get("status")
        if status is not None:
            bodies.status(shop_of(request).statuses)("status", status)
        where = {"status": status} if status is not None else None
        if shop_of(request).full:
            return page_answer(request, PETS, where)
        limit = bodies.whole_parameter(request, "limit", SHORT_LIST, LONGEST_SHORT_LIST)
        return list_answer(row.text for row in shop_of(request).database.page(PETS, 0, limit, where))

    async def read(self, request: Request) -> Response:
        """Deprecated: says since when (RFC 9745) and until when (RFC 8594)."""
        answer = await super().read(request)
        answer.headers["Deprecation"] = f"@{DEPRECATED_SINCE}"
        answer.headers["Sunset"] = SUNSET
        answer.headers["Link"] = '</v1/pets>; rel="successor-version"'
        return answer


class CategoryOperations(RecordOperations):
    """What pets belong to."""

    table, place, parameter = CATEGORIES, "/categories", "categoryId"
    noun, fixed = "category", "id of a category"
    required = ("name",)
    checks: ClassVar[Checks] = {"name": bodies.text, "description": bodies.any_text}

    async def delete(self, request: Request) -> Response:
        """DELETE of one: not while it has pets."""
        self._matching(request)
        key = path_id(request, self.parameter)
        if there := shop_of(request).database.count(PETS, {"category_id": key}):
            raise Refusal(409, f"category {key} has {there} pet{'s' * (there != 1)}", "category_in_use")
        return self._remove(request)


class OrderOperations(RecordOperations):
    """A new order is open unless it says otherwise; a shipDate of null takes the date away (RFC 7396)."""

    table, place, parameter = ORDERS, "/store/orders", "orderId"
    noun, fixed = "order", "id of an order"
    required = ("petId", "quantity")
    checks: ClassVar[Checks] = {
        "petId": PETS,
        "quantity": bodies.quantity,
        "shipDate": bodies.moment,
        "complete": bodies.boolean,
    }

    begins: ClassVar[Mapping[str, object]] = {"complete": False}

    def tidy(self, record: Record) -> Record:
        return {name: value for name, value in record.items() if name != "shipDate" or value is not None}

    async def delete(self, request: Request) -> Response:
        """DELETE of one: 409 without a body where it is complete already."""
        if self._matching(request).record.get("complete") is True:
            return Response(status_code=409)
        return self._remove(request)


class StockOperations(RecordOperations):
    """An entry belongs to its pet: it is neither made nor removed alone."""

    table, parameter = INVENTORY, "petId"
    noun, fixed = "stock entry of pet", "pet of a stock entry"
    required, required_change = ("quantity", "status"), ("quantity",)
    checks: ClassVar[Checks] = {"quantity": bodies.quantity, "status": STATUS}


pets, categories, orders, stock = PetOperations(), CategoryOperations(), OrderOperations(), StockOperations()
