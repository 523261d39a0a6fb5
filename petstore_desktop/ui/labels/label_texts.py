"""What the Labels page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.desk.labels.design import LEAST_MODULE_MM
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.translate import counted, locale, number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.labels.patterns import CodeKind
    from petstore_desktop.desk.labels.sheets import LabelSheet, SheetProblem


class LabelFacts(Struct, frozen=True):
    """Findings about the labels of a job: how many names are cut, the least module in millimetres (0 where no
    label has a code), how many codes found no room, how many cannot be said in bars, how many pets have no id yet, and
    which pet has the longest name."""

    cut: int = 0
    module_mm: float = 0.0
    no_room: int = 0
    not_bars: int = 0
    no_id: int = 0
    longest: int = 0


def millimetres(length: float, decimals: int = 1) -> str:
    """A length with at most these decimals, as the person's locale writes it."""
    return locale().toString(round(float(length), decimals), "g", 6)


def sheet_words(sheet: LabelSheet) -> str:
    """What a sheet or roll is called in the list of them."""
    wide, high = millimetres(sheet.label_width), millimetres(sheet.label_height)
    if sheet.paper == "endless roll":
        return tr("Endless roll, {width} mm wide", width=wide)
    if sheet.paper == "roll":
        return tr("Roll, {width} × {height} mm", width=wide, height=high)
    size = {"columns": number(sheet.columns), "rows": number(sheet.rows), "width": wide, "height": high}
    if sheet.paper:
        return tr("{paper}, {columns} × {rows}, {width} × {height} mm", paper=sheet.paper, **size)
    return tr("Own size, {columns} × {rows}, {width} × {height} mm", **size)


def head_words(labels: int, pets: int, pages: int, *, roll: bool) -> str:
    """How many labels of how many pets, and how many sheets they take."""
    if not pets:
        return tr("No pets chosen")
    of_pets = tr("{n} labels for {pets}", "", labels, one="{n} label for {pets}", pets=counted(Resource.PETS, pets))
    if roll:
        return of_pets
    sheets = tr("{n} sheets", "of labels", pages, one="{n} sheet")
    return tr("{labels}, {sheets}", labels=of_pets, sheets=sheets)


def page_words(page: int, pages: int, *, roll: bool) -> str:
    """Which sheet the preview shows."""
    if roll:
        return tr("Label {page} of {pages}", page=number(page + 1), pages=number(pages))
    return tr("Sheet {page} of {pages}", page=number(page + 1), pages=number(pages))


def hint_words(here: int, after: int, *, first: bool) -> str:
    """How many labels stand on the shown sheet and on the others after it, and how to begin elsewhere."""
    if after:
        words = tr(
            "{n} labels here, {after} after it.", "on a sheet", here, one="{n} label here, {after} after it.",
            after=number(after),
        )  # fmt: skip
    else:
        words = tr("{n} labels here.", "on a sheet", here, one="{n} label here.")
    return f"{words} {tr('Click a place on the sheet to begin there.')}" if first else words


def names_check(facts: LabelFacts) -> tuple[str, bool]:
    """Whether every name fits, in words; and whether it is so."""
    if not facts.cut:
        return tr("Every name fits"), True
    words = tr(
        "{n} names are too long, and are cut. Choose larger labels.",
        "",
        facts.cut,
        one="{n} name is too long, and is cut. Choose larger labels.",
    )
    return words, False


def code_check(facts: LabelFacts, kind: CodeKind) -> tuple[str, bool]:
    """Whether the codes can be scanned, and what to do where they cannot; and whether all is well. Empty without a
    code."""
    if kind == "none":
        return "", True
    trouble = _missing_words(facts, kind) or _thin_words(facts, kind)
    if trouble:
        return trouble, False
    if not facts.module_mm:
        return "", True
    wide = millimetres(facts.module_mm)
    if kind == "qr":
        return tr("Squares of {width} mm: safe for hand scanners", width=wide), True
    return tr("Bars of {width} mm: safe for hand scanners", width=wide), True


def _missing_words(facts: LabelFacts, kind: CodeKind) -> str:
    """Say that labels have no code; empty where all have one."""
    if facts.not_bars:
        return tr(
            "{n} ids have signs that Code 128 does not have: no code there. Choose QR.",
            "",
            facts.not_bars,
            one="{n} id has signs that Code 128 does not have: no code there. Choose QR.",
        )
    if facts.no_room:
        mend = tr("Choose larger labels.") if kind == "qr" else tr("Choose QR, or larger labels.")
        words = tr(
            "{n} codes have no room on their label.", "", facts.no_room, one="{n} code has no room on its label."
        )
        return f"{words} {mend}"
    if facts.no_id:
        return tr(
            "{n} pets have no id yet, so their labels have no code. Print them once the pets are sent.",
            "",
            facts.no_id,
            one="{n} pet has no id yet, so its label has no code. Print it once the pet is sent.",
        )
    return ""


def _thin_words(facts: LabelFacts, kind: CodeKind) -> str:
    """Say that bars are thinner than hand scanners read reliably; empty where they are not."""
    if not facts.module_mm or facts.module_mm >= LEAST_MODULE_MM:
        return ""
    wide = millimetres(facts.module_mm, 2)
    if kind == "qr":
        return tr("Squares of {width} mm: hard to scan. Choose larger labels.", width=wide)
    return tr("Bars of {width} mm: hard to scan. Choose QR, or larger labels.", width=wide)


def problem_words(problem: SheetProblem, limit: str = "") -> str:
    """The problem of a field of an own size; `limit`: what it needs, in millimetres."""
    return {
        "no-number": tr("Enter a number."),
        "too-small": tr("Too small."),
        "too-large": tr("Too large."),
        "too-wide": tr("The labels need {limit} mm; the sheet is narrower.", limit=limit),
        "too-high": tr("The labels need {limit} mm; the sheet is lower.", limit=limit),
    }[problem]
