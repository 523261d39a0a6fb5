"""What a stocktake counts, and a count as drafts, one for each line and one for the whole, and back. Unreadable drafts
are left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct

from petstore_desktop.desk.scanning.session import Place, ScanLine
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key, Resource, key_from_text, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

FORMS = "stocktake:"
"""How the names of all drafts of counts begin."""
_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
_KINDS = ("all", "categories", "pets")


class Scope(Struct, frozen=True):
    """The pets to count: everything, the pets of these categories, or these pets. `title`: what a person calls it."""

    kind: Literal["all", "categories", "pets"] = "all"
    keys: tuple[Key, ...] = ()
    title: str = ""

    def pets(self, shop: ShopModel) -> list[Key]:
        """The pets to count, in the order of the stock list; pets that are gone are left out."""
        store = shop.stores[Resource.INVENTORY]
        if self.kind == "pets":
            return [key for key in self.keys if key in store]
        keys = [store.keys[slot] for slot in store.slots()]
        if self.kind == "all":
            return keys
        wanted = set(self.keys)
        return [key for key in keys if shop.category_of_pet(key) in wanted]


class Head(Struct, frozen=True):
    """A count as a whole. `batch`: the id of its drafts; `ended`: when it was closed, None
    while it goes on; `booked`: the pets whose differences were booked then."""

    batch: str
    began: float
    scope: Scope
    blind: bool = False
    note: str = ""
    ended: float | None = None
    booked: tuple[Key, ...] = ()


def head_draft(head: Head, *, returns: bool = False) -> KeepDraft:
    """The draft of a count as a whole; `returns`: see `KeepDraft`."""
    scope = head.scope
    content = {
        "batch": head.batch,
        "began": repr(head.began),
        "kind": scope.kind,
        "keys": json.dumps([key_to_text(key) for key in scope.keys]),
        "title": scope.title,
        "blind": "1" if head.blind else "",
        "note": head.note,
        "ended": "" if head.ended is None else repr(head.ended),
        "booked": json.dumps([key_to_text(key) for key in head.booked]),
    }
    return KeepDraft(head_form(head.batch), content, returns)


def head_form(batch: str) -> str:
    """The name of the draft of a count as a whole."""
    return f"{FORMS}{batch}:head"


def form_of(batch: str, place: Place) -> str:
    """The name of the draft of a line."""
    kind, key = place
    return f"{FORMS}{batch}:{kind}:{key_to_text(key) if kind == 'line' else key}"


def line_draft(line: ScanLine) -> KeepDraft:
    """The draft of one line."""
    if line.code:
        return KeepDraft(line.form, {"code": line.code, "scans": str(line.counted), "at": repr(line.at)})
    numbers = {"typed": line.typed, "expected": line.expected, "quantity": line.quantity}
    times = {"said": line.said, "since": line.since, "at": line.at}
    content = {
        "pet": key_to_text(line.pet),
        "name": line.name,
        "scans": str(line.scans),
        **{name: "" if number is None else str(number) for name, number in numbers.items()},
        **{name: repr(time) for name, time in times.items()},
    }
    return KeepDraft(line.form, content)


def read_line(draft: Draft, batch: str) -> ScanLine | None:
    """The line that a draft of this count holds."""
    if not draft.form.startswith(f"{FORMS}{batch}:") or _is_head(draft.form):
        return None
    try:
        return _line(draft.form, draft.content)
    except _DAMAGED:
        return None


def read_head(drafts: Mapping[str, Draft]) -> Head | None:
    """The count that these drafts hold: the latest one that goes on, else the latest that was closed; None where there
    is none."""
    heads = [head for draft in drafts.values() if _is_head(draft.form) and (head := _read_head(draft)) is not None]
    return max(heads, key=lambda one: (one.ended is None, one.began), default=None)


def finished(drafts: Mapping[str, Draft], batch: str) -> tuple[KeepDraft, ...]:
    """All drafts of a count, ended."""
    return tuple(KeepDraft(form, None) for form in drafts if form.startswith(f"{FORMS}{batch}:"))


def goes_on(drafts: Mapping[str, Draft]) -> bool:
    """Whether one of these is a count that was begun and not closed."""
    return any(_is_head(form) and not draft.content.get("ended") for form, draft in drafts.items())


def _is_head(form: str) -> bool:
    return form.startswith(FORMS) and form == head_form(form[len(FORMS) :].partition(":")[0])


def _read_head(draft: Draft) -> Head | None:
    try:
        return _head(draft.content)
    except _DAMAGED:
        return None


def _line(form: str, content: Mapping[str, str]) -> ScanLine:
    if "code" in content:
        return ScanLine(("code", content["code"]), form, float(content["at"]), scans=int(content["scans"]))
    return ScanLine(
        ("line", key_from_text(content["pet"])),
        form,
        float(content["at"]),
        _number(content["typed"]),
        int(content["scans"]),
        content["name"],
        _number(content["expected"]),
        _number(content["quantity"]),
        float(content["said"]),
        float(content["since"]),
    )


def _head(content: Mapping[str, str]) -> Head:
    kind = content["kind"]
    if kind not in _KINDS:
        raise ValueError(kind)
    ended = content["ended"]
    return Head(
        content["batch"],
        float(content["began"]),
        Scope(kind, _keys(content["keys"]), content["title"]),
        bool(content["blind"]),
        content["note"],
        float(ended) if ended else None,
        _keys(content["booked"]),
    )


def _number(text: str) -> int | None:
    return int(text) if text else None


def _keys(text: str) -> tuple[Key, ...]:
    return tuple(key_from_text(one) for one in cast("list[str]", json.loads(text)))
