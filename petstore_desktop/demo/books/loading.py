"""Fills a new shop with the records of a file, under rules of its own in place of the specification's.

The file has a JSON text in each line: first an object with the rules (see OwnRules; `tag`: what its validators begin
with), then for each record a pair of its table and itself, table by table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from petstore_desktop.demo.books.database import TABLES, Record, ShopDatabase, TableSpec, split

STATUSES = ("available", "pending", "sold")
_OWN = "own"


@dataclass(frozen=True, slots=True)
class OwnRules:
    """What differs from the specification in one shop: the states of its pets, the operations that it offers (None:
    all), such as `GET /pets`, whether ids may be texts, and whether there are validators."""

    statuses: tuple[str, ...] = STATUSES
    offers: frozenset[str] | None = None
    text_ids: bool = False
    etags: bool = True

    def offers_operation(self, method: str, path: str) -> bool:
        """Whether the shop has this operation."""
        return self.offers is None or f"{method} {path}" in self.offers


def load(database: ShopDatabase, file: Path) -> None:
    """Fill the shop. Raises OSError where the file cannot be read or is not of this kind."""
    try:
        with file.open(encoding="utf-8") as lines, database.transaction():
            rules: dict[str, Any] = json.loads(next(lines, ""))
            database.clear()
            database.tag = str(rules.pop("tag", database.tag))
            database.set_meta("tag", database.tag)
            pairs = (cast("tuple[str, Record]", json.loads(line)) for line in lines)
            for name, group in groupby(pairs, lambda pair: pair[0]):
                database.fill(TABLES[name], _once(TABLES[name], group))
            database.set_meta(_OWN, json.dumps(rules))
            database.set_meta("seeded", f"records of {file.name}")
    except (ValueError, KeyError, TypeError) as error:
        raise OSError(f"{file} is no file of records: {type(error).__name__}: {error}") from error


def _once(table: TableSpec, pairs: Iterator[tuple[str, Record]]) -> Iterator[Record]:
    """The records. Raises ValueError for a second one of an id: it would take the place of the first."""
    place = list(table.columns).index(table.key)
    seen = set[object]()
    for _, record in pairs:
        key = split(table, record)[0][place]
        if key in seen:
            raise ValueError(f"two of the {table.name} have the id {key}")
        if key is not None:
            seen.add(key)
        yield record


def own_rules(database: ShopDatabase) -> OwnRules:
    """The rules that were loaded; those of the specification where none were."""
    said: dict[str, Any] = json.loads(database.meta(_OWN) or "{}")
    offers = said.get("offers")
    return OwnRules(
        tuple(said.get("statuses") or STATUSES),
        None if offers is None else frozenset(offers),
        bool(said.get("text_ids", False)),
        bool(said.get("etags", True)),
    )
