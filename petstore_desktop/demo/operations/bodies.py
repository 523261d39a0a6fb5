"""Reading and judging what a request brings: its body, its fields, and the ids in its path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from starlette.requests import Request

from petstore_desktop.demo.books.database import (
    CATEGORIES,
    INT64_MAX,
    INT64_MIN,
    PETS,
    Record,
    ShopDatabase,
    TableSpec,
    dumps,
    id_of,
)
from petstore_desktop.demo.operations.answers import TAG_FIELD, Refusal

LARGEST_BODY = 1 << 20
MOST_READ = 64 << 20

Check = Callable[[str, Any], None]
"""Raises Refusal 400 for a field (its name and value) that cannot be taken."""


async def read_object(request: Request) -> Record:
    """The JSON object that a request brings.

    Raises Refusal: 415 for another media type, 413 above `LARGEST_BODY` bytes, 400 for what is not a JSON object.
    """
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json" and not media.endswith("+json"):
        raise Refusal(415, f"send application/json, not {media or 'nothing'}")
    try:
        value = json.loads(await _read(request), parse_constant=_no_constant)
        dumps(value).encode()  # half a surrogate pair is a JSON text but no UTF-8
    except (ValueError, RecursionError) as error:
        raise Refusal(400, "the body is not JSON") from error
    if not isinstance(value, dict):
        raise Refusal(400, "the body is not a JSON object")
    return value  # pyright: ignore[reportUnknownVariableType] (any JSON object)


async def _read(request: Request) -> bytes:
    """The whole body. One that is too long is read to its end, so that its sender gets to read the refusal."""
    body = bytearray()
    length = 0
    async for chunk in request.stream():
        length += len(chunk)
        if length <= LARGEST_BODY:
            body += chunk
        elif length > MOST_READ:
            break
    if length > LARGEST_BODY:
        raise Refusal(413, f"the body is over {LARGEST_BODY} bytes", headers={"Connection": "close"})
    return bytes(body)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON (RFC 8259, section 6)")


def path_id(request: Request, name: str) -> int | str:
    """The id in the path; Refusal 404 for what can be none, as nothing has such an id."""
    text = str(request.path_params[name])
    key = id_of(text)
    if key is None:
        raise Refusal(404, f"there is nothing with the id {text[:40]}")
    return key


def validate(body: Record, checks: Mapping[str, Check], required: tuple[str, ...] = ()) -> Record:
    """The body, each known field judged; Refusal 400 for a required field that is missing. A record may come back as a
    list gave it: the validator that is said there of it goes into no book."""
    body.pop(TAG_FIELD, None)
    for name in required:
        if name not in body:
            raise Refusal(400, f"{name} is required")
    for name, check in checks.items():
        if name in body:
            check(name, body[name])
    return body


def text(name: str, value: Any) -> None:
    """A string with something in it, of at most 500 characters."""
    if not isinstance(value, str) or not value.strip():
        raise Refusal(400, f"{name} must be a text that is not empty")
    if len(value) > 500:
        raise Refusal(400, f"{name} is longer than 500 characters")


def any_text(name: str, value: Any) -> None:
    """A string, empty too."""
    if not isinstance(value, str) or len(value) > 5_000:
        raise Refusal(400, f"{name} must be a text of at most 5000 characters")


def status(words: Sequence[str]) -> Check:
    """One of the states of this shop."""

    def check(name: str, value: Any) -> None:
        if value not in words:
            known = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)
            raise Refusal(400, f"unknown {name} {str(value)[:40]!r}: use {known}")

    return check


def integer(name: str, value: Any) -> None:
    """A whole number within int64; true and 3.0 are none."""
    if type(value) is not int:
        raise Refusal(400, f"{name} must be a whole number")
    if not INT64_MIN <= value <= INT64_MAX:
        raise Refusal(400, f"{name} is beyond 64 bits")


def quantity(name: str, value: Any) -> None:
    """A whole number from 0."""
    integer(name, value)
    if value < 0:
        raise Refusal(400, f"{name} must not be negative")


def boolean(name: str, value: Any) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise Refusal(400, f"{name} must be true or false")


def moment(name: str, value: Any) -> None:
    """An ISO 8601 date and time, with or without an offset; null for none."""
    if value is None:
        return
    try:
        if not isinstance(value, str) or "T" not in value.upper():
            raise ValueError
        datetime.fromisoformat(value)
    except ValueError as error:
        raise Refusal(400, f"{name} must be a date and time such as 2026-05-30T09:00:00Z") from error


def known(database: ShopDatabase, table: TableSpec) -> Check:
    """The id of a record that is there."""
    noun = {CATEGORIES.name: "category", PETS.name: "pet"}[table.name]

    def check(name: str, value: Any) -> None:
        if not isinstance(value, str) or id_of(value) != value:
            integer(name, value)
        if database.get(table, value) is None:
            raise Refusal(400, f"unknown {noun} {value}", f"unknown_{noun}")

    return check


def whole_parameter(request: Request, name: str, default: int, highest: int) -> int:
    """A query parameter from 1 to `highest`."""
    given = request.query_params.get(name)
    if given is None:
        return default
    if not (given.isascii() and given.isdigit() and len(given) < 10 and 1 <= int(given) <= highest):
        raise Refusal(400, f"{name} must be a whole number from 1 to {highest}")
    return int(given)
