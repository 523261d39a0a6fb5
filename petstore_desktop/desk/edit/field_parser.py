"""What people type for a field: a category by its name or id, a status or a state by its word, a number, a day.

A service's own names are compared without case and accents, as the filter does it; where one name stands for several
categories, only the id tells which is meant. A name counts only whole: its beginning may be another one, which a file
would have made.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, tzinfo
from functools import cached_property

from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.desk.values.text import fold
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_quantity, parse_whole
from petstore_desktop.desk.values.typed_values import OTHER_CALENDARS, days_said
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import (
    KNOWN_STATUSES,
    FieldValue,
    LocalId,
    Ref,
    Resource,
    ServiceId,
    key_from_text,
)

_SIGNS = frozenset("+=-\u2212\u2013\uff0b")
_STATES = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Typed:
    """Reads texts for one shop as it is now; made anew for each act, for names and statuses come and go.

    `coming`: categories that are about to be made, by name: they can be meant as well.
    """

    def __init__(self, shop: ShopModel, coming: Mapping[LocalId, str] | None = None) -> None:
        self._shop = shop
        self._coming = coming or {}
        self._read: dict[tuple[str, str], FieldValue | BadInput] = {}
        self._readers = {"category_id": self._category, "status": self._status, "complete": self._complete}

    def value(self, ref: Ref, name: str, text: str) -> FieldValue | BadInput:
        """What the text means as the value of a record's field.

        Codes: no-such-category, several-categories, no-such-status, state-missing, quantity-*, date-*.
        """
        if name == "quantity":
            return self._quantity(ref, text)
        if name == "ship_date":
            return typed_moment(self._shop, ref, text)
        read = self._readers.get(name)
        if read is None:
            return text
        place = (name, text)
        if place not in self._read:
            self._read[place] = read(text)
        return self._read[place]

    def _quantity(self, ref: Ref, text: str) -> int | BadInput:
        """An order's quantity: relative to the shown one if it begins with a sign."""
        typed = text.strip()
        if not typed or typed[0] not in _SIGNS:
            return parse_whole(typed, self._shop.here.separators)
        shown = self._shop.shown_of(ref, "quantity")
        base = shown if isinstance(shown, int) and not isinstance(shown, bool) else None
        entry = parse_quantity(typed, base, self._shop.here.separators)
        if isinstance(entry, BadInput):
            return entry
        if entry.result is None:
            return BadInput("quantity-unreadable")
        return BadInput("quantity-below-zero") if entry.below_zero else entry.result

    # ---- categories

    def _category(self, text: str) -> FieldValue | BadInput:
        name, number = text.strip(), parse_id(text)
        own = name.removeprefix("#")
        if own in self._shop.stores[Resource.CATEGORIES]:
            return own  # a text; `007` is another id than 7
        if number is not None and (name.startswith("#") or number in self._shop.stores[Resource.CATEGORIES]):
            return number  # what was chosen comes by its id, whatever others are called
        named = self._categories.get(fold(name), ())
        if len(named) > 1:
            named = tuple(key for key in named if self._name(key) == name)
            if len(named) != 1:
                return BadInput("several-categories", text=text)
        if named:
            return named[0]
        if number is not None:
            return number
        lacks = self._shop.may_lack(Resource.CATEGORIES) and Resource.CATEGORIES not in self._shop.unlisted
        return _local(name) or BadInput("category-not-read" if lacks else "no-such-category", text=text)

    @cached_property
    def _categories(self) -> dict[str, tuple[ServiceId | LocalId, ...]]:
        """By folded name, those that are about to be made too."""
        found = self._shop.keys_by_name(Resource.CATEGORIES)
        for key, name in self._coming.items():
            found[fold(name.strip())] = (*found.get(fold(name.strip()), ()), key)
        return found

    def _name(self, key: ServiceId | LocalId) -> str:
        name = self._coming.get(key) if isinstance(key, LocalId) else None
        return (name or self._shop.name(Resource.CATEGORIES, key) or "").strip()

    # ---- words

    def _status(self, text: str) -> FieldValue | BadInput:
        word = fold(text.strip())
        if word in self._met_statuses:  # the service's own word, whatever it means in the person's language
            return self._met_statuses[word]
        for status in KNOWN_STATUSES:
            own = self._shop.own_status(status)
            if own is not None and word in (status, fold(self._shop.vocabulary.get(status, status))):
                return own
        return BadInput("no-such-status", text=text)

    @cached_property
    def _met_statuses(self) -> dict[str, str]:
        """Those that this service uses beside the specification's."""
        return {fold(status.strip()): status for status in self._shop.status_choices(Resource.PETS)}

    def _complete(self, text: str) -> FieldValue | BadInput:
        word = fold(text.strip())
        for code, value in (("complete", True), ("open", False)):
            if word in (code, fold(self._shop.vocabulary.get(code, code))):
                return value
        state = _STATES.get(word)
        return BadInput("state-missing", text=text) if state is None else state


def _local(text: str) -> LocalId | None:
    try:
        key = key_from_text(text)
    except ValueError:
        return None
    return key if isinstance(key, LocalId) else None


def typed_moment(shop: ShopModel, ref: Ref, text: str) -> str | BadInput:
    """What becomes an order's ship date: a date with a time as it is typed; a day with the time and the offset that the
    order has, else local midnight. The day that it has already is its own text, byte for byte.

    Codes: date-missing, date-unreadable.
    """
    typed = text.strip()
    if not typed:
        return BadInput("date-missing", text=text)
    whole = parse_ship_date(typed, shop.zone)
    shown = shop.shown_of(ref, "ship_date")
    if whole.local is not None and whole.local.year in OTHER_CALENDARS and typed != shown:
        return BadInput("date-unreadable", text=text)
    if whole.local is not None and whole.timed:
        return typed if shown or not shop.has_plain_days else whole.local.date().isoformat()
    try:
        first, last = days_said(typed, shop.today, shop.here)
    except ValueError:
        return BadInput("date-unreadable", text=text)
    if first != last:
        return BadInput("date-unreadable", text=text)
    try:
        return _on(shop, ref, first)
    except (OverflowError, ValueError, OSError):  # a day at an end of the calendar
        return BadInput("date-unreadable", text=text)


def _on(shop: ShopModel, ref: Ref, day: date) -> str:
    shown = shop.shown_of(ref, "ship_date")
    old = parse_ship_date(shown, shop.zone) if isinstance(shown, str) else None
    if old is None or old.local is None or not isinstance(shown, str):
        if shop.has_plain_days:
            return day.isoformat()
        return _aware(datetime.combine(day, time()), shop.zone).isoformat()
    if old.day == day:
        return shown
    if not old.timed:
        return day.isoformat()
    moved = old.local.replace(year=day.year, month=day.month, day=day.day)
    return _like(shown, moved, shop.zone) if old.zoned else moved.isoformat()


def _aware(local: datetime, zone: tzinfo | None) -> datetime:
    return local.astimezone() if zone is None else local.replace(tzinfo=zone)


def _like(raw: str, local: datetime, zone: tzinfo | None) -> str:
    """The same moment with the offset that `raw` has."""
    written = datetime.fromisoformat(raw.strip().upper()).tzinfo or UTC
    said = _aware(local, zone).astimezone(written).isoformat()
    return f"{said.removesuffix('+00:00')}Z" if raw.strip().upper().endswith("Z") else said
