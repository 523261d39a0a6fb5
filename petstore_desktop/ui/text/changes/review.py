"""Texts for stuck changes: the cause, and the names of the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.desk.changes.review import Case, cases_of
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.text.cell_text import value_text
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.desk import Desk


def stands_words(case: Case, now: float) -> str:
    """Why a change is stuck, and when both sides changed the record."""
    acted, seen = moment(case.acted_at, now), moment(case.seen_at, now)
    if case.mark == "conflict":
        if isinstance(case.stock, AddStock):
            return tr("Theirs may include it already. Keep mine adds it to theirs.")
        if case.sentence.code == "change.perhaps-theirs":
            return tr("It may be a colleague’s. Keep mine deletes it.")
        return tr("Yours of {acted}; changed elsewhere, seen {seen}.", acted=acted, seen=seen)
    if case.mark == "uncertain" and case.kind == "create":
        return tr("Sent {seen}, no answer came. Look in the list whether it is there.", seen=seen)
    said = change_sentence(case.sentence.code, case.sentence.params, now, None)
    if case.sentence.code != "change.unproven":
        return said
    return sentences(said, tr("Send again sends it now; It was done sends nothing."))


def stuck_words(desk: Desk, ref: Ref, column: Column) -> str:
    """The stuck change of a cell: mine, theirs, and the reason; empty if there is none. The gutter stands for the whole
    row."""
    stock = column.kind == "stock"
    changes = desk.overlay.changes_of(Ref(Resource.INVENTORY, ref.key) if stock else ref)
    parts: list[str] = []
    for case in cases_of(desk.shop, changes, None):
        lines = [line for line in case.lines if line.name == ("stock" if stock else column.field)]
        if column.kind == "gutter" and not parts:
            lines = list(case.lines[:1])
        for line in lines:
            theirs = tr("not known") if line.theirs is None else value_text(line.theirs)
            values = tr("Mine: {mine}. At the shop: {theirs}.", mine=value_text(line.mine), theirs=theirs)
            parts += [values, change_sentence(case.sentence.code, case.sentence.params, case.seen_at, None)]
    return sentences(*parts)


def choice_words(marks: set[str]) -> tuple[str, str]:
    """What the two choices are called for cases that stand like this."""
    if marks == {"uncertain"}:
        return tr("Send again"), tr("It was done")
    if marks == {"refused"}:
        return tr("Send again"), tr("Discard mine")
    return tr("Keep mine"), tr("Take theirs")


def decided_words(mine: int, theirs: int, others: int) -> str:
    """The toast about a decision."""
    if theirs == others == 0:
        return tr("{n} decided: yours are sent again", "", mine, one="Decided: yours is sent again")
    if mine == others == 0:
        return tr("{n} decided: yours are discarded", "", theirs, one="Decided: yours is discarded")
    n = mine + theirs + others
    return tr("{n} decided", "", n, one="Decided")
