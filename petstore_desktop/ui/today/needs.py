"""Needs attention: what was refused, is in conflict, or may or may not have arrived, each with the way to decide it;
and not booked yet: what was begun at a desk of the stock room, with the way back to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from petstore_desktop.desk.today.standing import NeedGroup, needs_of
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.base.theme import Tone
from petstore_desktop.ui.text.cell import record_cell, value_text
from petstore_desktop.ui.text.changes.change import refusal_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.today.section import Line, TodaySection, names_words

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.review import Case
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.navigation import Station


_TONES: dict[str, Tone] = {"conflict": "wait", "refused": "bad", "uncertain": "wait"}


class NeedsSection(TodaySection):
    """Absent while nothing needs a person. `open_review` opens the page of such changes, at a record."""

    def __init__(self, desk: Desk, open_review: Callable[[Ref | None], object]) -> None:
        super().__init__("needs", tr("Needs attention"))
        self._desk, self._open = desk, open_review

    def refresh(self) -> None:
        """Show what needs a person now."""
        needs = needs_of(self._desk)
        self.set_lines([self._line(need) for need in needs])
        self.setVisible(bool(needs))

    def _line(self, need: NeedGroup) -> Line:
        head, names, act = _head(need), _about(need.cases), _act(need)
        ref = need.cases[0].ref
        return Line(
            f"needs.{need.mark}",
            tr("{head}: {names}", head=head, names=names),
            lambda: self._open(ref),
            need.mark,
            _TONES[need.mark],
            head,
            names=names,
            names_tone="text",
            act=act,
        )


def _head(need: NeedGroup) -> str:
    if need.mark == "conflict":
        return tr("{n} conflicts", "", need.count, one="{n} conflict")
    if need.mark == "refused":
        return tr("{n} refused", "", need.count)
    return tr("{n} unconfirmed", "", need.count)


def _act(need: NeedGroup) -> str:
    if need.mark == "conflict":
        return tr("Decide")
    return tr("Look at them") if need.count > 1 else tr("Look at it")


def _about(cases: Sequence[Case]) -> str:
    """The records, and what is known about all of them alike: the two values, or what the service said."""
    names = names_words([record_name(case) for case in cases])
    if len(cases) == 1 and cases[0].mark == "conflict":
        return _values(cases[0], names)
    said = {refusal_words(case.sentence.params) for case in cases if case.mark == "refused"}
    return tr("{names}: {said}", names=names, said=said.pop()) if len(said) == 1 else names


def _values(case: Case, name: str) -> str:
    line = case.lines[0] if len(case.lines) == 1 else None
    if line is None or line.theirs is None or case.kind not in ("stock", "field"):
        return name
    mine, theirs = value_text(line.mine), value_text(line.theirs)
    if case.kind == "stock":
        return tr("{name}: in stock {mine} here, {theirs} elsewhere", name=name, mine=mine, theirs=theirs)
    return tr("{name}: {mine} here, {theirs} elsewhere", name=name, mine=mine, theirs=theirs)


def record_name(case: Case) -> str:
    """What a case is about, in one name."""
    return record_cell(case.ref.resource, case.title, case.ref_id).text


_DESKS: tuple[Station, ...] = ("receive", "stocktake")


class BegunSection(TodaySection):
    """Absent while nothing lies at a station. `open_station` opens one as it was left."""

    def __init__(self, desk: Desk, open_station: Callable[[Station], object]) -> None:
        super().__init__("begun", tr("Not booked yet"))
        self._desk, self._open = desk, open_station
        self.hide()

    def refresh(self) -> None:
        """Show what lies at the stations now."""
        lines: list[Line] = []
        if self._desk.drafts:
            from petstore_desktop.ui.text.unfinished import unfinished_words  # late: mostly there is none

            said = zip(_DESKS, unfinished_words(self._desk.drafts), strict=True)
            lines = [Line(f"begun.{at}", words, partial(self._open, at), at, head=words) for at, words in said if words]
        self.set_lines(lines)
        self.setVisible(bool(lines))
