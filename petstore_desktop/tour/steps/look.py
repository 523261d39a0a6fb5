"""From the welcome page to the pets: reading, filtering, details; before that, whether this computer's fonts can
show what a shop writes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QFont, QFontInfo, QGlyphRun, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QApplication, QTableView, QWidget

from petstore_desktop.tour.pilot import hold, press, regain, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, expect, keys, says
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.text.cell import DASH

_PETS = """SELECT p.id, p.name, c.name, p.status, i.quantity,
    (SELECT count(*) FROM orders o WHERE o.pet_id = p.id)
    FROM pets p LEFT JOIN categories c ON c.id = p.category_id LEFT JOIN inventory i ON i.pet_id = p.id"""


def fonts(_stage: Stage) -> None:
    """Latin, Arabic and emoji can be shown on this computer, and figures by the font that has the letters: those of an
    emoji font are blank."""
    lines = missing(QApplication.font())
    hold(not lines, "; ".join(lines))
    families = {run.rawFont().familyName() for run in _runs(QApplication.font(), "24 pets")}
    hold(len(families) == 1, f"the words and the figures of one text are drawn by {', '.join(sorted(families))}")


def welcome(stage: Stage) -> None:
    """A program that was never used offers the demo shop, and to connect one's own."""
    page = stage.base
    regain(page)
    stage.fill(page)
    hold(page.objectName() == "welcomePage", "the first thing is not the welcome page")
    expect(page, "Try the demo shop", "Connect your shop")
    until(stage.find(QAbstractButton, "demoButton").hasFocus, "the demo shop's button has not the focus")


def open_shop(stage: Stage) -> None:
    """Enter opens the demo shop: every pet arrives as the shop has it, and the meters say what the shop says."""
    press("Return")
    until(lambda: stage.program.window is not None, "the demo shop's window does not open")
    regain(stage.window)
    stage.fill(stage.window)
    stage.meet_shop()
    stage.before(stage.shop)
    table = stage.find(QTableView, "petsTable")
    wanted = stage.shop.count("pets")
    until(lambda: table.model().rowCount() == wanted, f"not all {wanted} pets came")
    until(lambda: len(stage.shop.requests()) >= 5 and _equal(stage, table) == "", lambda: _equal(stage, table))
    until(lambda: stage.state() == "Demo shop, live", lambda: f"the state says {stage.state()!r}")
    hold(says(stage.window, f"{wanted}, as of"), f"the tool bar does not count {wanted} pets")
    until(lambda: _left(stage) in stage.meters(), lambda: f"the meters say {stage.meters()}, the shop {_left(stage)}")


def _left(stage: Stage) -> str:
    minute = stage.shop.control("state")["keys"][0]["minute"]
    return f"{minute['remaining']} of {minute['limit']} left"


def _equal(stage: Stage, table: QTableView) -> str:
    """What differs between the rows and the shop's books; "" where nothing does."""
    place = {key: row for row, key in enumerate(keys(table))}
    for pet, name, category, status, quantity, orders in stage.shop.rows(_PETS):
        row = place.get(str(pet), -1)
        shown = tuple(cell(table, row, header).text for header in ("Name", "Category", "Status", "In stock", "Orders"))
        stock = DASH if quantity is None else f"{quantity:,}"
        books = (plain(name), category, status or DASH, stock, str(orders) if orders else DASH)
        if shown != books:
            return f"#{pet} shows {shown}, the shop has {books}"
    return ""


def filter_(stage: Stage) -> None:
    """Typing shows what matches, and how many of how many."""
    table = stage.find(QTableView, "petsTable")
    stage.filter("koi")
    found = {str(key) for (key,) in stage.shop.rows("SELECT id FROM pets WHERE name LIKE '%koi%'")}
    until(lambda: set(keys(table)) == found, lambda: f"the filter shows {len(keys(table))} rows, not {len(found)}")
    until(lambda: found and says(stage.window, f"{len(found)} of "), "the tool bar does not say how many of how many")


def filtered_to_nothing(stage: Stage) -> None:
    """A filter that nothing matches says so, and what to do."""
    write(" unicorn")
    until(lambda: stage.shows("emptyState"), "nothing stands where rows would")
    expect(stage.find(QWidget, "emptyState"), "No pet matches “koi unicorn”", "Clear filter")


def details(stage: Stage) -> None:
    """Esc brings all rows back; Space on a number closes and opens the details, and the arrows walk on."""
    press("Esc")
    table = stage.find(QTableView, "petsTable")
    until(lambda: table.model().rowCount() == stage.shop.count("pets"), "Esc does not bring the rows back")
    hold(not stage.filter_text(), "Esc left words in the filter")
    press("Down")
    until(table.hasFocus, "Down does not lead to the rows")
    press("Left")
    until(lambda: stage.shows("detailsPane"), "the details do not open with the first row")
    press("Space")
    until(lambda: not stage.shows("detailsPane"), "Space does not close the details")
    press("Space")
    until(lambda: stage.shows("detailsPane"), "Space does not open the details")
    press("Down", 4)
    row = table.currentIndex().row()
    hold(row == 4, f"four times Down leads to row {row}")
    heading = f"{cell(table, row, 'Name').text} #{keys(table)[row]}"
    pane = stage.find(QWidget, "detailsPane")
    until(lambda: bare(pane.accessibleName()) == heading, lambda: f"the details show {pane.accessibleName()}")
    hold(says(pane, "Check live"), "the details cannot be checked live")


LOOKING = (
    TourStep("fonts", fonts, picture=False),
    TourStep("welcome-light", welcome),
    TourStep("pets-light", open_shop),
    TourStep("filter-light", filter_),
    TourStep("filtered-to-nothing-light", filtered_to_nothing),
    TourStep("details-light", details),
)


SAMPLES: Mapping[str, tuple[str, str]] = {
    "Latin": ("Ångström, čeština, koi", "fonts-noto-core (Noto Sans)"),
    "Arabic": ("قط أنقرة", "fonts-noto-core (Noto Sans Arabic)"),
    "emoji": ("\U0001f426\U0001f439", "fonts-noto-color-emoji (Noto Color Emoji)"),
}
"""A text of each script, and what brings it: a Debian package, and the font's name for other systems."""


def lacks(font: QFont, text: str) -> bool:
    """Whether some sign of the text has no glyph in this font nor in any that stands in for it (glyph 0 of a font is
    the one for missing signs: OpenType 1.9, "glyf", "The .notdef glyph")."""
    if not QFontInfo(font).family():
        return True  # there is no font at all: Qt draws a box for every sign, and calls it glyph 1
    runs = _runs(font, text)
    return not runs or any(0 in run.glyphIndexes() for run in runs)


def _runs(font: QFont, text: str) -> list[QGlyphRun]:
    """What a text is drawn with: a run for each font that has a part of it."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    while layout.createLine().isValid():
        pass
    layout.endLayout()
    return layout.glyphRuns()


def missing(font: QFont, samples: Mapping[str, tuple[str, str]] = SAMPLES) -> list[str]:
    """One line for each script that cannot be shown: which, and what to install."""
    return [
        f"no glyphs for {name}: install {package}" for name, (text, package) in samples.items() if lacks(font, text)
    ]
