"""The books of the other shop (other_shop.py): what it has, and what was done to it, judged by itself alone."""

from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
ANIMALS, KINDS, ORDERS = 90, 11, 40
EXACT = 9_007_199_254_740_993
"""Its neighbour below is there too: whoever reads numbers as floats takes one for the other."""
LARGEST = 9_223_372_036_854_775_807
NAMES = ("Ada", "Zoë", "ببغاء", "金魚", "O'Malley <b>", "Šárka", "🐟 Bubbles", "Ωmega", "Tom & Jerry", "नागराज")
STATUSES = ("available", "pending", "sold", None, "on holiday")
BELONGS = {"kinds": ("name", "description"), "animals": ("name", "categoryId", "status")} | {
    "sales-orders": ("petId", "quantity", "shipDate", "complete"),
    "stock-levels": ("quantity", "status"),
}
"""Each collection, and the fields that a client may write."""
NEEDED = {"kinds": ("name",), "animals": ("name", "categoryId"), "sales-orders": (), "stock-levels": ("quantity",)}
LINKS = ("id", "petId", "categoryId")
"""The fields that hold an id."""


class Refusal(Exception):
    """What the shop says no to: the HTTP status, its own code, and its words."""

    def __init__(self, status: int, code: str, words: str) -> None:
        super().__init__(status, code, words)
        self.status, self.code, self.words = status, code, words


@dataclass(frozen=True, slots=True)
class Done:
    """One write that was done."""

    method: str
    collection: str
    number: int
    before: Json | None
    after: Json | None


@dataclass(slots=True)
class Books:
    """Everything by its number; `ids` is how numbers are spelled outside: number, text (digits in a text) or word."""

    ids: str = "text"
    done: list[Done] = field(default_factory=list)
    held: dict[str, dict[int, Json]] = field(default_factory=dict)
    nameless: list[Json] = field(default_factory=list)
    """Orders without an id, as this shop has them."""

    def __post_init__(self) -> None:
        self.held = {"kinds": _kinds(), "animals": _animals(), "sales-orders": _orders(), "stock-levels": {}}
        for place, number in enumerate(self.held["animals"]):
            entry = {"petId": number, "quantity": place % 23, "status": STATUSES[place % 3], "shelf": f"R{place % 7}"}
            self.held["stock-levels"][number] = entry
        self.nameless = [{"petId": 1_001, "quantity": 2, "paidBy": "cash"}, {"quantity": 1, "paidBy": "nobody knows"}]

    def spelled(self, number: int) -> int | str:
        """A number as the outside sees it."""
        if self.ids == "word":
            return f"rec_{number:x}"
        return str(number) if self.ids == "text" else number

    def number(self, said: object, what: str) -> int:
        """The number that an id of a client stands for. Raises Refusal where it is not spelled as the document says."""
        kind = int if self.ids == "number" else str
        if not isinstance(said, kind) or isinstance(said, bool):
            raise Refusal(422, "wrong-type", f"{what} must be {kind.__name__}, got {said!r}")
        try:
            found = int(said.removeprefix("rec_"), 16) if self.ids == "word" and isinstance(said, str) else int(said)
        except ValueError:
            raise Refusal(422, "no-id", f"{what} is no id: {said!r}") from None
        if self.spelled(found) != said:
            raise Refusal(422, "no-id", f"{what} is no id: {said!r}")
        return found

    def outside(self, record: Json) -> Json:
        """A record as it is sent."""
        return {name: self.spelled(value) if name in LINKS else value for name, value in record.items()}

    def listed(self, collection: str) -> list[Json]:
        """All of a collection, in the order in which it is listed."""
        more = self.nameless if collection == "sales-orders" else []
        return [self.outside(record) for record in [*self.held[collection].values(), *more]]

    def find(self, collection: str, number: int) -> Json:
        """One record. Raises Refusal."""
        if number not in self.held[collection]:
            raise Refusal(404, "unknown", f"there is no {number} among the {collection}")
        return self.held[collection][number]

    def etag(self, collection: str, number: int) -> str:
        """The strong validator of a record as it is now."""
        text = json.dumps(self.find(collection, number), sort_keys=True)
        return f'"{hashlib.sha256(text.encode()).hexdigest()[:12]}"'

    # ------------------------------------------------------------ writes

    def create(self, collection: str, body: Json) -> int:
        """Take a new record; its number."""
        fields = self._checked(collection, body, whole=True)
        number = max(n for n in self.held[collection] if n < 10**6) + 1
        self._put("POST", collection, number, {"id": number, **fields, "madeBy": "till 3"})
        if collection == "animals":
            self.held["stock-levels"][number] = {"petId": number, "quantity": 0, "status": "available", "shelf": "new"}
        return number

    def change(self, collection: str, number: int, body: Json, *, replace: bool) -> None:
        """Change fields (a merge patch), or, with `replace`, all of it: what is not sent again is gone."""
        before = self.find(collection, number)
        fields = self._checked(collection, body, whole=replace)
        name = "petId" if collection == "stock-levels" else "id"
        after = {name: before[name], **fields} if replace else {**before, **fields}
        self._put("PUT" if replace else "PATCH", collection, number, after)

    def delete(self, collection: str, number: int) -> None:
        """Remove a record."""
        before = self.find(collection, number)
        if collection == "sales-orders" and before.get("complete"):
            raise Refusal(409, "shipped", "an order that has been shipped cannot be cancelled")
        if collection == "kinds" and any(a["categoryId"] == number for a in self.held["animals"].values()):
            raise Refusal(409, "in-use", "there are still animals of this kind")
        self.done.append(Done("DELETE", collection, number, copy.deepcopy(before), None))  # before anybody sees it
        del self.held[collection][number]
        if collection == "animals":
            self.held["stock-levels"].pop(number, None)

    def _put(self, method: str, collection: str, number: int, after: Json) -> None:
        before = copy.deepcopy(self.held[collection].get(number))
        self.done.append(Done(method, collection, number, before, copy.deepcopy(after)))  # before anybody sees it
        self.held[collection][number] = after

    def _checked(self, collection: str, body: object, *, whole: bool) -> Json:
        if not isinstance(body, dict) or not body:
            raise Refusal(400, "no-object", "the body is no JSON object with fields")
        missing = [name for name in NEEDED[collection] if whole and name not in body]
        if missing:
            raise Refusal(422, "missing", f"missing: {', '.join(missing)}")
        if forbidden := body.keys() & ({"petId"} if collection == "stock-levels" else {"id"}):
            raise Refusal(422, "read-only", f"may not be written: {', '.join(forbidden)}")
        fields = {name: self.number(value, name) if name in LINKS else value for name, value in body.items()}
        kind = fields.get("categoryId")
        if kind is not None and kind not in self.held["kinds"]:
            raise Refusal(422, "unknown-kind", f"there is no kind {kind}")
        quantity = fields.get("quantity", 0)
        if not isinstance(quantity, int) or isinstance(quantity, bool) or quantity < 0:
            raise Refusal(422, "quantity", "a quantity is a whole number from 0 on")
        return fields


def _kinds() -> dict[int, Json]:
    words = ("Fish", "Birds", "Geckos", "Cats", "Dogs", "Snails", "Ferrets", "Frogs", "Spiders", "Turtles", "Plants")
    return {
        number: {"id": number, "name": word, "description": None if number % 4 == 0 else f"{word} of all sorts"}
        for number, word in enumerate(words[:KINDS], 1)
    }


def _animals() -> dict[int, Json]:
    numbers = [*range(1_001, 1_001 + ANIMALS - 3), EXACT - 1, EXACT, LARGEST]
    return {
        number: {
            "id": number,
            "name": f"{NAMES[place % len(NAMES)]} {place}",
            "categoryId": 1 + place % KINDS,
            "status": STATUSES[place % len(STATUSES)],
            "chip": {"no": f"{number:020d}", "registered": place % 2 == 0},
            "weightKg": 0.25 * place,
            "vet": None,
        }
        for place, number in enumerate(numbers)
    }


def _orders() -> dict[int, Json]:
    animals = list(_animals())
    return {
        5_000 + place: {
            "id": 5_000 + place,
            "petId": animals[place * 2],
            "quantity": 1 + place % 4,
            "shipDate": f"2026-0{1 + place % 9}-11T08:30:00+02:00",
            "complete": place % 5 == 0,
            "paidBy": "card",
        }
        for place in range(ORDERS)
    }
