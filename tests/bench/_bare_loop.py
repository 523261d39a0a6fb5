"""The least that reading a shop takes here, as a program of its own: `_bare_loop.py URL KEY FOLDER`.

The same pages of all lists with nothing around them: httpx asks for one after the other, pydantic checks its rows, apsw
writes them into a plain table, a transaction for each page. No gate, no window, no history, no journal. Then all once
more, and nothing is written. Prints one JSON line: the seconds that each took, and how many pages and rows it read.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import apsw
import httpx
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

PAGE = 500


class Pet(BaseModel):
    """A pet as the specification has it."""

    model_config = ConfigDict(extra="allow")
    id: int
    name: str
    category: int | None = Field(None, alias="categoryId")
    status: str


class Category(BaseModel):
    """A category."""

    model_config = ConfigDict(extra="allow")
    id: int
    name: str
    description: str | None = None


class Order(BaseModel):
    """An order."""

    model_config = ConfigDict(extra="allow")
    id: int
    pet: int = Field(alias="petId")
    quantity: int
    ship_date: str | None = Field(None, alias="shipDate")


class Stock(BaseModel):
    """What there is of a pet."""

    model_config = ConfigDict(extra="allow")
    pet: int = Field(alias="petId")
    quantity: int
    status: str | None = None


LISTS: dict[str, type[BaseModel]] = {
    "pets": Pet,
    "categories": Category,
    "store/orders": Order,
    "inventory": Stock,
}


def main(url: str, key: str, folder: str) -> None:
    """Read it all twice, print, and end."""
    database = apsw.Connection(str(Path(folder) / "bare.db"))
    database.execute("PRAGMA journal_mode = WAL")
    with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
        began = time.perf_counter()
        pages, rows = read(client, url, database)
        filled = time.perf_counter()
        read(client, url, None)
        again = time.perf_counter()
    said = {"took_s": filled - began, "again_s": again - filled, "pages": pages, "rows": rows}
    sys.stdout.write(json.dumps(said) + "\n")


def read(client: httpx.Client, url: str, database: apsw.Connection | None) -> tuple[int, int]:
    """Read all lists, into this database if there is one; return how many pages and rows came."""
    pages = rows = 0
    for number, (path, kind) in enumerate(LISTS.items()):
        names = list(kind.model_fields)
        if database is not None:
            database.execute(f"CREATE TABLE bare{number} ({', '.join(names)})")
        insert = f"INSERT INTO bare{number} VALUES ({', '.join('?' * len(names))})"
        adapter: TypeAdapter[list[Any]] = TypeAdapter(list[kind])
        place: str | None = f"{url}/{path}?limit={PAGE}"
        while place is not None:
            answer = client.get(place).raise_for_status()
            place = _next(place, answer)
            body = answer.json()
            found = _checked(adapter, kind, body if isinstance(body, list) else body["data"])
            if database is not None:
                with database:
                    database.executemany(insert, [tuple(getattr(one, name) for name in names) for one in found])
            pages, rows = pages + 1, rows + len(found)
    return pages, rows


def _checked(adapter: TypeAdapter[list[Any]], kind: type[BaseModel], rows: list[Any]) -> list[Any]:
    """The rows that are as they should be: all of a page at once, one by one where the shop has an odd one."""
    try:
        return adapter.validate_python(rows)
    except ValidationError:
        found: list[Any] = []
        for row in rows:
            with suppress(ValidationError):
                found.append(kind.model_validate(row))
        return found


def _next(place: str, answer: httpx.Response) -> str | None:
    link = answer.links.get("next", {}).get("url")
    return None if link is None else urljoin(place, link)


if __name__ == "__main__":
    main(*sys.argv[1:])
