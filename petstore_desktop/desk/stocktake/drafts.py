"""A count as drafts, one for each line and one for the whole, and back. Unreadable drafts are left out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import cast

from petstore_desktop.desk.stocktake.count import Count, CountLine, Entry, Head, Place, Scope, UnknownCode
from petstore_desktop.domain.commands import Draft, KeepDraft
from petstore_desktop.domain.records import Key, key_from_text, key_to_text

FORMS = "stocktake:"
"""How the names of all drafts of counts begin."""
_DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
_KINDS = ("all", "categories", "pets")


def head_draft(head: Head) -> KeepDraft:
    """The draft of a count as a whole."""
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
    return KeepDraft(head_form(head.batch), content)


def head_form(batch: str) -> str:
    """The name of the draft of a count as a whole."""
    return f"{FORMS}{batch}:head"


def form_of(batch: str, place: Place) -> str:
    """The name of the draft of an entry."""
    kind, key = place
    return f"{FORMS}{batch}:{kind}:{key_to_text(key) if kind == 'line' else key}"


def entry_draft(batch: str, place: Place, entry: Entry | None) -> KeepDraft:
    """The draft of one entry; without one it is finished."""
    form = form_of(batch, place)
    if entry is None:
        return KeepDraft(form, None)
    if isinstance(entry, UnknownCode):
        return KeepDraft(form, {"code": entry.code, "scans": str(entry.scans), "at": repr(entry.at)})
    numbers = {"typed": entry.typed, "expected": entry.expected, "quantity": entry.quantity}
    times = {"said": entry.said, "since": entry.since, "at": entry.at}
    content = {
        "pet": key_to_text(entry.pet),
        "name": entry.name,
        "scans": str(entry.scans),
        **{name: "" if number is None else str(number) for name, number in numbers.items()},
        **{name: repr(time) for name, time in times.items()},
    }
    return KeepDraft(form, content)


def place_of(entry: Entry) -> Place:
    """Where an entry is kept."""
    return ("line", entry.pet) if isinstance(entry, CountLine) else ("code", entry.code)


def read_count(drafts: Mapping[str, Draft]) -> Count | None:
    """The count that these drafts hold, as it was left: the latest one that goes on, else the latest that was closed;
    None where there is none."""
    heads = [head for draft in drafts.values() if _is_head(draft.form) and (head := _read_head(draft)) is not None]
    head = max(heads, key=lambda one: (one.ended is None, one.began), default=None)
    if head is None:
        return None
    entries = sorted(_entries(drafts.values(), f"{FORMS}{head.batch}:"), key=lambda entry: entry.at)
    count = Count(head)
    for entry in entries:
        if isinstance(entry, CountLine):
            count.lines[entry.pet] = entry
        else:
            count.codes[entry.code] = entry
    if entries:
        count.in_hand = place_of(entries[-1])
    count.find_varying()
    return count


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


def _entries(drafts: Iterable[Draft], prefix: str) -> Iterable[Entry]:
    for draft in drafts:
        if draft.form.startswith(prefix) and not _is_head(draft.form):
            try:
                yield _entry(draft.content)
            except _DAMAGED:
                continue


def _entry(content: Mapping[str, str]) -> Entry:
    if "code" in content:
        return UnknownCode(content["code"], int(content["scans"]), float(content["at"]))
    return CountLine(
        key_from_text(content["pet"]),
        content["name"],
        _number(content["typed"]),
        int(content["scans"]),
        _number(content["expected"]),
        _number(content["quantity"]),
        float(content["said"]),
        float(content["since"]),
        float(content["at"]),
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
