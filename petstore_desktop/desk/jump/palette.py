"""The palette's search: one text finds views, actions and records. Pure, and in steps: a search of 100,000 names never
blocks the window.

The best result comes first: an exact id; a view or an action of exactly this name; another whole name, or a view that
begins so; the beginning of a word; a part. Among equals the last used comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from msgspec import Struct

from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.text import bare_digits, fold
from petstore_desktop.desk.values.typed_numbers import parse_id
from petstore_desktop.domain.records import INT64_MAX, Key, Ref, Resource, id_of_text, key_to_text

_LONGEST = 300
"""How many characters of a name are compared; folding a million of them takes a third of a second."""
LIMIT = 50
"""The most results shown; for fewer a person types more."""
_ENOUGH = 200
"""The most rows examined for one kind of match."""

PREFIXES: Mapping[str, Resource] = {
    "o": Resource.ORDERS,
    "p": Resource.PETS,
    "c": Resource.CATEGORIES,
    "s": Resource.INVENTORY,
}
_NAMED_BY: Mapping[Resource, Resource] = dict.fromkeys((Resource.INVENTORY, Resource.ORDERS), Resource.PETS)
_FIRST = (Resource.ORDERS, Resource.PETS, Resource.CATEGORIES, Resource.INVENTORY)
"""Of several records with one id, the order comes first: a customer on the telephone asks for it."""


class EntryKind(IntEnum):
    """What an answer is; of equals the lower comes first."""

    VIEW = 0
    ACTION = 1
    RECORD = 2
    LOOK_UP = 3
    """A record that is not here, but that the service can be asked for."""
    MANUAL = 4
    """A page of the manual."""
    GONE = 5
    """A record that was here, and has gone."""


class Fit(IntEnum):
    """How well a result matches the typed text."""

    ID = 0
    LOOK_UP = 1
    WHOLE = 2
    BEGINS = 3
    WORDS = 4
    PARTS = 5


_CLASS = {Fit.ID: 0, Fit.LOOK_UP: 1, Fit.WHOLE: 3, Fit.BEGINS: 4, Fit.WORDS: 4, Fit.PARTS: 5}
_JUST_SO, _LAST, _NOT_NOW, _MANUAL = 2, 6, 7, 8


class Entry(Struct, frozen=True):
    """A view, an action, or a page of the manual. `more`: where it stands, which finds it too; `enabled`: whether it
    can be used now; `last`: it comes after all else that is found; `also`: what else a person may call it, folded,
    never shown."""

    kind: EntryKind
    id: str
    title: str
    more: str = ""
    enabled: bool = True
    last: bool = False
    also: str = ""


class SearchResult(Struct, frozen=True):
    """An answer: an entry, or a record (to look up, where `kind` says so)."""

    kind: EntryKind
    id: str
    entry: Entry | None = None
    ref: Ref | None = None
    place: tuple[Any, ...] = ()
    """Sorts the answers of one search."""

    @property
    def is_here(self) -> bool:
        """Whether it is a record that is in the list."""
        return self.kind is EntryKind.RECORD


class Query(Struct, frozen=True):
    """The parsed search text: one resource if a prefix names it, folded words, and the id that it may be."""

    phrase: str
    words: tuple[str, ...]
    resource: Resource | None = None
    number: int | str | None = None


def parse_query(text: str) -> Query:
    """Take a typed text apart: `o:koi`, `#1234`, `pend`."""
    head, colon, rest = text.strip().replace("\uff1a", ":").partition(":")  # as Japanese keyboards write it
    resource = PREFIXES.get(head.strip().lower()) if colon else None
    wanted = rest if resource is not None else text
    words = tuple(fold(wanted).split())
    digits = bare_digits("".join(words))
    number = parse_id(wanted)
    if number is None and digits and len(digits) <= len(str(INT64_MAX)):
        number = int(digits) if int(digits) <= INT64_MAX else None
    if number is None and len(words) == 1 and any(map(str.isdigit, words[0])):
        return Query(words[0], words, resource, id_of_text(wanted.strip().removeprefix("#")))
    return Query(" ".join(words), words, resource, number)


def fit_of(title: str, query: Query) -> Fit | None:
    """How a folded title fits; None where it does not."""
    if not query.words or any(word not in title for word in query.words):
        return None
    if title.startswith(query.phrase):
        return Fit.WHOLE if title == query.phrase else Fit.BEGINS
    return Fit.WORDS if all(_begins_a_word(title, word) for word in query.words) else Fit.PARTS


def _entry_fit(entry: Entry, query: Query) -> Fit | None:
    """How well a view or an action fits the search: by its title, its place (`more`) or its other names (`also`). Of
    another name a word must begin with what was typed; one typed in full ranks before records that begin with it."""
    title = fold(entry.title)
    told = f"{title} {fold(entry.more)}"
    fit = fit_of(title, query) or fit_of(told, query)
    if not entry.also or (fit is not None and fit < Fit.PARTS):
        return fit
    if set(query.words) <= set(entry.also.split()):
        return Fit.BEGINS
    return Fit.WORDS if fit_of(f"{told} {entry.also}", query) is Fit.WORDS else fit


def _begins_a_word(title: str, word: str) -> bool:
    at = title.find(word)
    while at > 0 and title[at - 1].isalnum():
        at = title.find(word, at + 1)
    return at >= 0


def record_id(ref: Ref) -> str:
    """How an answer that is a record is called."""
    return f"{ref.resource.value}:{key_to_text(ref.key)}"


class Palette:
    """Searches one shop. `may_look_up`: whether the service can be asked for one record of this kind."""

    def __init__(self, shop: ShopModel, may_look_up: Callable[[Resource], bool]) -> None:
        self.shop = shop
        self.may_look_up = may_look_up
        self.gone: set[Ref] = set()
        """Records that are known to have been here."""

    def prepare(self) -> Iterator[None]:
        """Read names before anything is typed, a part of them with each step."""
        for resource in (Resource.PETS, Resource.CATEGORIES):
            yield from self.shop.texts.index(resource, "name").steps()

    def search(self, text: str, entries: Sequence[Entry], recent: Sequence[tuple[str, Ref | None]]) -> Search:
        """Begin a search. `recent`: the results used before, the last first: id, and the record if it is one."""
        return Search(self, parse_query(text), entries, recent)

    def absent(self, query: Query) -> list[Ref]:
        """The orders and pets of exactly this id, as far as they are not here."""
        if query.number is None:
            return []
        refs = [Ref(one, query.number) for one in ((query.resource,) if query.resource else _FIRST[:2])]
        return [ref for ref in refs if ref.key not in self.shop.stores[ref.resource]]


class Search:
    """One search under way. The first of its `steps` finds at least the views, the actions and the exact ids."""

    def __init__(
        self, palette: Palette, query: Query, entries: Sequence[Entry], recent: Sequence[tuple[str, Ref | None]]
    ) -> None:
        self.query = query
        self.is_done = False
        self._shop, self._palette = palette.shop, palette
        self._entries = entries
        self._recent = recent
        self._used = {used: place for place, (used, _) in reversed(list(enumerate(recent)))}
        self._results: dict[str, SearchResult] = {}
        self._good = 0
        """Names that fit, of one resource."""
        self.steps = self._run()

    @property
    def is_settled(self) -> bool:
        """Whether the best answer stays the best one: all is searched, or an id fits exactly."""
        return self.is_done or any(result.place[0] == _CLASS[Fit.ID] for result in self._results.values())

    def results(self) -> list[SearchResult]:
        """The results so far, the best first."""
        return sorted(self._results.values(), key=lambda result: result.place)[:LIMIT]

    # ---- the steps, best first

    def _run(self) -> Iterator[None]:
        yield from self._found()
        self.is_done = True

    def _found(self) -> Iterator[None]:
        query = self.query
        if query.resource is None:
            self._look_at_entries()
        self._look_at_recent()
        if query.number is not None:
            self._look_at_ids(query.number)
        yield
        if not query.words:
            return
        if query.resource is Resource.ORDERS:
            yield from self._orders_of_pets()
        else:
            for resource in (query.resource,) if query.resource else (Resource.PETS, Resource.CATEGORIES):
                yield from self._named(resource)
        if query.number is not None:
            for resource in (query.resource,) if query.resource else (Resource.ORDERS, Resource.PETS):
                yield from self._numbered(resource, str(query.number))

    def _look_at_entries(self) -> None:
        for number, entry in enumerate(self._entries):
            fit = _entry_fit(entry, self.query) if self.query.words else Fit.PARTS
            if fit is None:
                continue
            if entry.kind is EntryKind.VIEW and fit is Fit.BEGINS:
                fit = Fit.WHOLE
            just_so = fold(entry.title.rstrip("…")) == self.query.phrase
            kind = _LAST if entry.last and self.query.words else _JUST_SO if just_so else _CLASS[fit]
            kind = kind if entry.enabled else _NOT_NOW
            kind = _MANUAL if entry.kind is EntryKind.MANUAL else kind
            place = (kind, self._age(entry.id), False, fit, entry.kind, 0, "", number)
            self._results[entry.id] = SearchResult(entry.kind, entry.id, entry, None, place)

    def _look_at_recent(self) -> None:
        for _, ref in self._recent:
            if ref is None or ref.key not in self._shop.stores[ref.resource]:
                continue
            if self.query.resource in (None, ref.resource):
                self._take(ref, Fit.PARTS if not self.query.words else self._fit(ref))

    def _look_at_ids(self, number: int | str) -> None:
        only = self.query.resource
        for resource in (only,) if only else _FIRST[:-1]:
            ref = Ref(resource, number)
            if number in self._shop.stores[resource]:
                self._take(ref, Fit.ID)
            elif ref in self._palette.gone:
                self._take(ref, Fit.ID, EntryKind.GONE)
            elif isinstance(number, str) and not self._shop.has_text_ids:
                continue
            elif (only or resource is not Resource.CATEGORIES) and self._palette.may_look_up(resource):
                self._take(ref, Fit.LOOK_UP, EntryKind.LOOK_UP)

    def _named(self, resource: Resource) -> Iterator[None]:
        """Records by their names, a stock entry by its pet's."""
        for key, fit in self._found_by_name(_NAMED_BY.get(resource, resource)):
            if key is None:
                yield
            elif key in self._shop.stores[resource]:
                self._take(Ref(resource, key), fit)

    def _numbered(self, resource: Resource, digits: str) -> Iterator[None]:
        """Records by the beginning of their ids."""
        store, found = self._shop.stores[resource], 0
        for slot in self._shop.texts.slots_numbered(resource, digits):
            if slot is None:
                yield
                continue
            key = store.keys[slot]
            if store.slot(key) == slot:
                self._take(Ref(resource, key), Fit.BEGINS)
                found += 1
            if found >= LIMIT:
                return

    def _orders_of_pets(self) -> Iterator[None]:
        """Orders by the name of their pet: the open ones first, and of those the newest."""
        found = 0
        for pet, fit in self._found_by_name(Resource.PETS):
            if pet is not None:
                for slot in tuple(self._shop.links[Resource.ORDERS].sources(pet)):
                    self._take_order(slot, fit)
                    found += 1
            if found >= _ENOUGH:
                return
            yield

    def _take_order(self, slot: int, fit: Fit) -> None:
        shop, orders = self._shop, Resource.ORDERS
        ref = Ref(orders, shop.stores[orders].keys[slot])
        if record_id(ref) in self._results:
            return  # by its id, which is the better reason
        ship = shop.ship_date(slot)
        day = 0 if ship is None or ship.day is None else ship.day.toordinal()
        closed = shop.shown(orders, slot, "complete") is not False
        number = ref.key if isinstance(ref.key, int) else 0
        place = (_CLASS[max(fit, Fit.BEGINS)], closed, fit, -day, -number)
        self._results[record_id(ref)] = SearchResult(EntryKind.RECORD, record_id(ref), None, ref, place)

    # ---- names

    def _found_by_name(self, resource: Resource) -> Iterator[tuple[Key | None, Fit]]:
        """The records whose name fits, the better kinds of fit first; without a key to pause."""
        self._good = 0
        for slot in self._candidates(resource):
            fit = None if slot is None else self._fit_at(resource, slot)
            if slot is None:
                yield None, Fit.PARTS
            elif fit is not None:
                self._good += 1
                yield self._shop.stores[resource].keys[slot], fit

    def _candidates(self, resource: Resource) -> Iterator[int | None]:
        """The slots that may fit, each once, by ever looser questions."""
        seen, phrase = set[int](), self.query.phrase
        for wanted in ((f"\n{phrase}",), (f" {phrase}",), self.query.words):
            looked = 0
            for slot in self._shop.texts.slots_named(resource, *wanted):
                if slot in seen:
                    continue
                if slot is not None:
                    seen.add(slot)
                    looked += 1
                yield slot
                if looked >= _ENOUGH and self._good >= LIMIT:
                    break
            if self._good >= LIMIT:
                return

    def _fit_at(self, resource: Resource, slot: int) -> Fit | None:
        store = self._shop.stores[resource]
        if store.slot(store.keys[slot]) != slot:
            return None
        return fit_of(one_line(self._shop.text_of(resource, slot, "name")), self.query)

    def _fit(self, ref: Ref) -> Fit | None:
        """How a record fits by what it is called."""
        if ref.resource is Resource.ORDERS:
            return None
        return fit_of(one_line(self._shop.title(ref)), self.query)

    def _take(self, ref: Ref, fit: Fit | None, kind: EntryKind = EntryKind.RECORD) -> None:
        known = record_id(ref)
        if fit is None:
            return
        title = one_line(self._shop.title(ref))
        age = self._age(known) if fit > Fit.LOOK_UP else 0
        number = ref.key if isinstance(ref.key, int) else 0
        place = (_CLASS[fit], age, False, fit, kind, _FIRST.index(ref.resource), title, number)
        if known not in self._results or place < self._results[known].place:
            self._results[known] = SearchResult(kind, known, None, ref, place)

    def _age(self, known: str) -> int:
        """The position in the recently used: 0 for the last; unused results come after all."""
        return self._used.get(known, len(self._recent))


def one_line(name: str) -> str:
    """A name folded, on one line; of a very long one the beginning."""
    return fold(name[:_LONGEST]).replace("\n", " ")
