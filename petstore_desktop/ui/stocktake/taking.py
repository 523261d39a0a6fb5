"""Takes what is scanned, typed or chosen at a stocktake: a scan counts one, a number is for what was scanned last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from petstore_desktop.desk.receiving.typed_lines import SHORT
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import isolate
from petstore_desktop.ui.stocktake.stocktake_texts import offered_words, pet_name
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.codes.resolve import Found
    from petstore_desktop.desk.stocktake.count import Place
    from petstore_desktop.domain.records import Key, Ref
    from petstore_desktop.ui.context.scans import Outcome
    from petstore_desktop.ui.station.pet_suggestions import PetSuggestions
    from petstore_desktop.ui.stocktake.keeper import Around, CountKeeper

_DIGITS = 6
"""A typed number of more digits is a code."""
_WITH_MARKS = re.compile(r"\d+(?:[.,’٫٬]\d+)+")
"""No id is written so; a text that is no number here may be one elsewhere, such as `1,5`."""


class Taking:
    """The scans and numbers of one station. `choosing`: the code of several pets whose pet is asked for in place."""

    def __init__(
        self, keeper: CountKeeper, around: Around, suggestions: PetSuggestions, is_open: Callable[[], bool]
    ) -> None:
        """`is_open`: whether the station is there."""
        self._keeper, self._around, self._suggestions, self._is_open = keeper, around, suggestions, is_open
        self.choosing: str | None = None

    def scan(self, text: str) -> None:
        """A code was scanned: one more of its pet, or of the code where that is not known."""
        self.choosing = None
        found = self._keeper.resolve(text)
        if found.ref is not None:
            self._count(found.ref)
            return
        self._keeper.scan_unknown(found.text)
        if found.refs:
            self.offer(found)
        else:
            words = tr("Unknown code {code}: kept under Unknown codes", code=isolate(found.text))
            self._mark("unknown", words, ("code", found.text))

    def offer(self, found: Found) -> None:
        """Ask in place which of its pets a code means."""
        self.choosing = found.text
        self._suggestions.offer(found.refs)
        self._mark("offered", offered_words(found), ("code", found.text))

    def number(self, text: str) -> int | None:
        """The number that a text is, where there is something in hand that it can be for.

        More than three bare digits that are a pet's id are that pet; `1,029` is always a number."""
        text, counts = text.strip(), self._keeper.count.in_hand is not None and not self._keeper.ended
        if not counts or not text[:1].isdecimal() or sum(map(str.isdecimal, text)) > _DIGITS:
            return None
        shop = self._keeper.desk.shop
        found = parse_whole(text, shop.here.separators)
        if isinstance(found, BadInput):
            return None
        is_pet = text.isdecimal() and len(text) > SHORT and found in shop.stores[Resource.PETS]
        return None if is_pet else found

    def take(self, text: str) -> bool:
        """Something was typed: a number, a code or an id; False: it is to be searched for."""
        typed = self.number(text)
        if typed is not None:
            self._keeper.set_number(typed)
            self._ask_again()
            return True
        if _WITH_MARKS.fullmatch(text.strip()):
            self._around.mark("unknown", tr("Enter a whole number"))
            return True
        code = text.strip().removeprefix("#")
        if not code or self._keeper.ended:
            return False
        found = self._keeper.resolve(code)
        if found.ref is not None:
            self.choose(found.ref)
        elif found.refs:
            self.scan(code)
            self._ask_again()
        return bool(found.refs)

    def _ask_again(self) -> None:
        """The field is emptied when this is done, which closes the suggestions: a question that is open stays open."""
        if self.choosing is not None:
            refs = self._keeper.resolve(self.choosing).refs
            QTimer.singleShot(0, self._suggestions, lambda: self.choosing is not None and self._suggestions.offer(refs))

    def choose(self, ref: Ref) -> None:
        """A pet was chosen: one more of it, or a code is its."""
        code, self.choosing = self.choosing, None
        if code is not None and code in self._keeper.count.codes:
            self._said(self._keeper.assign(code, self._keeper.desk.resolve(ref).key).pet)
        else:
            self._count(ref)

    def _count(self, ref: Ref) -> None:
        self._said(self._keeper.scan(self._keeper.desk.resolve(ref).key).pet)

    def _said(self, pet: Key) -> None:
        line = self._keeper.count.lines[pet]
        words = pet_name(self._keeper.desk, pet, line.name)
        self._mark("found", tr("{pet}: {n}", pet=words, n=number(line.counted)), ("line", pet))

    def _mark(self, outcome: Outcome, words: str, place: Place) -> None:
        """What became of a scan, for as long as its entry is as it was left, and the station open."""
        entry = self._keeper.count.entry(place)
        self._around.mark(outcome, words, lambda: self._is_open() and self._keeper.count.entry(place) == entry)
