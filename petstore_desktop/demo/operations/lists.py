"""Lists: pages with a cursor in the full service, bare arrays in the default one.

In the full service a page's `Link: rel=next` (RFC 8288) leads to the page after it, X-Total-Count says how many records
the whole list has, and a page that has not changed is answered with 304. Each record comes with its own ETag, so that
a client that has read the list may change any record of it without reading that one first.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from petstore_desktop.demo.books.database import INT64_MAX, TableSpec
from petstore_desktop.demo.operations.answers import Refusal, list_answer, list_tag, not_changed, shop_of, tagged_text
from petstore_desktop.demo.operations.bodies import whole_parameter

DEFAULT_PAGE, LARGEST_PAGE = 100, 500


def page_answer(request: Request, table: TableSpec, where: Mapping[str, Any] | None = None) -> Response:
    """One page of a list; `where` compares columns."""
    database, tags = shop_of(request).database, shop_of(request).tags
    limit = whole_parameter(request, "limit", DEFAULT_PAGE, LARGEST_PAGE)
    after = _after(request.query_params.get("cursor"), table)
    tag = list_tag(database, table, request.url.query)
    headers = {"ETag": tag} if tags else {}
    if tags and not_changed(request, tag):
        return Response(status_code=304, headers=headers)
    rows = database.page(table, after, limit + 1, where)
    headers["X-Total-Count"] = str(database.count(table, where))
    if len(rows) > limit:
        rows.pop()
        following = request.url.include_query_params(cursor=_cursor(table, rows[-1].row), limit=limit)
        headers["Link"] = f'<{following}>; rel="next"'
    return list_answer((tagged_text(database, table, row) if tags else row.text for row in rows), headers)


def listing(request: Request, table: TableSpec) -> Response:
    """A page of a list, or in the default service the whole list as a bare array."""
    if shop_of(request).full:
        return page_answer(request, table)
    return list_answer(row.text for row in shop_of(request).database.page(table, 0, INT64_MAX))


def _cursor(table: TableSpec, row: int) -> str:
    return base64.urlsafe_b64encode(f"{table.name}:{row}".encode()).decode().rstrip("=")


def _after(cursor: str | None, table: TableSpec) -> int:
    if cursor is None:
        return 0
    try:
        name, _, row = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(":")
        if name != table.name or not 0 <= int(row) <= INT64_MAX:
            raise ValueError
    except ValueError as error:
        raise Refusal(400, "this cursor is not one of this list", "bad_cursor") from error
    return int(row)
