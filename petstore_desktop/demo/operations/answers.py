"""How the shop answers: JSON, its error object, and validators (RFC 9110, sections 8.8 and 13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import ShopDatabase, StoredRow, TableSpec, dumps
from petstore_desktop.demo.books.shop import Shop

CODES = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    500: "internal_error",
}


TAG_FIELD = "@odata.etag"
"""Where a list puts the validator of each record. It is said of the record, and no field of it."""


class Refusal(Exception):
    """A request that is answered with an error object."""

    def __init__(
        self, status: int, message: str, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code or CODES.get(status, "error")
        self.headers = dict(headers or {})


def shop_of(request: Request) -> Shop:
    """The shop that a request came to."""
    shop = request.app.state.shop
    assert isinstance(shop, Shop)
    return shop


def json_answer(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer whose body is this JSON text."""
    return Response(text, status, dict(headers or {}), "application/json")


def error_answer(refusal: Refusal) -> Response:
    """The specification's error object."""
    body = {"code": refusal.code, "message": refusal.message, "status": refusal.status}
    return json_answer(dumps(body), refusal.status, refusal.headers)


def record_tag(database: ShopDatabase, table: TableSpec, row: StoredRow) -> str:
    """The strong validator of one record."""
    return f'"{database.tag}-{table.name[0]}{row.version}"'


def list_tag(database: ShopDatabase, table: TableSpec, query: str) -> str:
    """The weak validator of one page of a list: it changes with any record of the table."""
    return f'W/"{database.tag}-{table.name}-{database.revision(table)}-{crc32(query.encode()):08x}"'


def _tags(value: str) -> set[str]:
    return {tag.strip() for tag in value.split(",")}


def not_changed(request: Request, tag: str) -> bool:
    """Whether If-None-Match names this validator, by weak comparison."""
    given = request.headers.get("if-none-match")
    if given is None:
        return False
    return given.strip() == "*" or tag.removeprefix("W/") in {one.removeprefix("W/") for one in _tags(given)}


def check_match(request: Request, tag: str) -> None:
    """Raise Refusal 412 if If-Match does not name this validator, by strong comparison."""
    given = request.headers.get("if-match")
    if given is None or not shop_of(request).tags or given.strip() == "*" or tag in _tags(given):
        return
    raise Refusal(412, "the record has changed since you read it")


def record_answer(
    request: Request, table: TableSpec, row: StoredRow, status: int = 200, place: str | None = None
) -> Response:
    """One record, with its ETag where the service has them, and 304 where the asker knows it already."""
    shop = shop_of(request)
    headers: dict[str, str] = {}
    if place is not None:
        headers["Location"] = place
    if not shop.tags:
        return json_answer(row.text, status, headers)
    tag = headers["ETag"] = record_tag(shop.database, table, row)
    if request.method in ("GET", "HEAD") and not_changed(request, tag):
        return Response(status_code=304, headers=headers)
    return json_answer(row.text, status, headers)


def list_answer(texts: Iterable[str], headers: Mapping[str, str] | None = None) -> Response:
    """A bare array of records."""
    return json_answer(f"[{','.join(texts)}]", headers=headers)


def tagged_text(database: ShopDatabase, table: TableSpec, row: StoredRow) -> str:
    """A record as a list gives it: with the validator of its own answer, as OData puts it (JSON format 4.0, 4.5.9)."""
    if not row.text.startswith("{"):
        return row.text
    rest = row.text[1:].lstrip()
    return f'{{"{TAG_FIELD}":{dumps(record_tag(database, table, row))}{"" if rest == "}" else ","}{rest}'
