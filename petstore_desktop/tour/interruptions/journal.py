"""Shows the journal: a partly refused batch, a conflict, and the undo of yesterday's batch."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QTableView, QWidget

from petstore_desktop.tour.pilot import click, hold, press, regain, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, cell_of, column_of, expect, keys, link, middle
from petstore_desktop.tour.steps.change import available_pet, changed_once, discard, status_of

_SIX, _GONE = 6, (1, 4)
_DAY_S = 86_400.0
_OTHER_NAME, _OWN_NAME = "Somebody else’s name", "A name of our own"
_PET = "SELECT id, name, category_id, status FROM pets WHERE id = ?"
_NAME = "SELECT name FROM pets WHERE id = ?"


def _left(stage: Stage) -> list[int]:
    return [pet for place, pet in enumerate(stage.batch) if place not in _GONE]


def batch_refused(stage: Stage) -> None:
    """Six pets are sold in one go, and a colleague has deleted two of them: four are sent, two are listed with their
    reason, and nothing is said to be done that is not."""
    table = stage.go("Pets")
    stage.filter("available")
    press("Return")
    until(lambda: table.hasFocus() and table.model().rowCount() >= _SIX, "the filter finds too few available pets")
    click(table.viewport(), middle(table, 0, column_of(table, "Name")))
    press("Shift+Down", _SIX - 1)
    chosen = [int(key) for key in keys(table)[:_SIX]]
    stage.batch = chosen
    stage.shop.control("remove", pets=[chosen[place] for place in _GONE])
    press("Alt+3")
    until(lambda: stage.badge("refusedBadge") == "2 refused", lambda: f"the badge says {stage.badge('refusedBadge')!r}")
    until(lambda: all(status_of(stage, pet) == "sold" for pet in _left(stage)), "the shop did not get the other four")
    waiting = stage.go("Activity")
    until(lambda: waiting.model().rowCount() == 2, lambda: f"{waiting.model().rowCount()} changes are listed, not 2")
    until(lambda: stage.shows("jobStrip"), "nothing says how far the batch has come")
    expect(stage.find(QWidget, "jobStrip"), "6 pets: sold: 4 of 6 sent, 2 need attention")
    click(waiting.viewport(), middle(waiting, 0, column_of(waiting, "Record")))
    stage.park()
    until(lambda: not stage.toast(), "the toast does not go by itself")


def batch_settled(stage: Stage) -> None:
    """Discard the refused changes; the four sent ones stay."""
    regain(stage.window)
    stage.go("Activity")
    press("Ctrl+A")
    discard(stage, "Discard 2 changes?")
    hold(all(status_of(stage, pet) == "sold" for pet in _left(stage)), "what was sent did not stay")
    stage.go("Pets")
    stage.unfilter()


def conflict(stage: Stage) -> None:
    """A colleague renames a pet that is being renamed here: nothing is overwritten, and the three values stand side by
    side."""
    table = stage.go("Pets")
    pet = available_pet(stage, 8)
    stage.notes["pet"] = pet
    key, name, category, status = stage.shop.rows(_PET, pet)[0]
    stage.point_at(table, pet, "Name")
    row = {"id": key, "name": _OTHER_NAME, "categoryId": category, "status": status}
    stage.shop.control("rows", pets=[row])
    press("F2")
    press("Ctrl+A")
    write(_OWN_NAME)
    press("Return")
    until(lambda: stage.badge("refusedBadge") != "", "nothing says that somebody else was faster")
    hold(stage.shop.value(_NAME, pet) == _OTHER_NAME, "what somebody else did was overwritten")
    click(stage.find(QWidget, "refusedBadge"))
    until(lambda: stage.shows("reviewView"), "the badge does not lead to what needs a person")
    review = stage.find(QTableView, "reviewView")
    until(lambda: review.model().rowCount() == 1, lambda: f"{review.model().rowCount()} rows need a person, not 1")
    for column, words in ((3, name), (4, _OWN_NAME), (5, _OTHER_NAME)):
        shown = str(review.model().index(0, column).data())
        hold(words in bare(shown), f"column {column} shows {shown!r}, not {words!r}")
    until(lambda: not stage.toast(), "the toast does not go by itself")


def conflict_settled(stage: Stage) -> None:
    """M keeps one's own value: it is sent, resting on the value seen."""
    regain(stage.window)
    until(stage.find(QTableView, "reviewView").hasFocus, "the list has not the keyboard")
    press("M")
    pet = stage.notes["pet"]
    until(lambda: stage.shop.value(_NAME, pet) == _OWN_NAME, "the shop did not get the name that was kept")
    until(lambda: stage.badge("refusedBadge") == "", "the badge still says that something needs a person")
    expect(stage.window, "Nothing needs attention")


def next_day(stage: Stage) -> None:
    """Start the program again a day later: yesterday's changes are in the list."""
    stage.clock.ahead = _DAY_S
    before = stage.window
    stage.program.open_demo()
    until(lambda: stage.program.window not in (None, before), "the window does not open again")
    regain(stage.window)
    stage.fill(stage.window)
    stage.meet_shop()
    stage.shop.control("clock", ahead=_DAY_S)
    stage.go("Pets")
    press("F5")
    until(lambda: not stage.shows("clockBadge"), "the clocks differ")
    until(lambda: stage.state() == "Demo shop, live", lambda: f"the state says {stage.state()!r}")
    stage.go("Activity")
    click(stage.find(QAbstractButton, "changesPageButton"))
    changes = stage.find(QTableView, "changesView")
    until(lambda: _batch_row(changes) >= 0, "the list of changes has no batch of six pets")
    click(changes.viewport(), middle(changes, _batch_row(changes), column_of(changes, "Status")))
    stage.park()
    when = bare(cell(changes, _batch_row(changes), "Time").text)
    hold("esterday" in when, f"the batch is said to be of {when}")


def _batch_row(changes: QTableView) -> int:
    shown = (bare(cell(changes, row, "Record").text) for row in range(changes.model().rowCount()))
    return next((row for row, words in enumerate(shown) if f"{_SIX} pets" in words), -1)


def yesterday_undone(stage: Stage) -> None:
    """The whole batch is taken back: the four are available again, and the shop has each change once."""
    mark = stage.shop.mark()
    click(link(stage.window, "Undo"))
    until(
        lambda: all(status_of(stage, pet) == "available" for pet in _left(stage)),
        "the shop did not get all back",
    )
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    for pet in _left(stage):
        changed_once(stage, f"/v1/pets/{pet}", mark)
    hold(stage.badge("refusedBadge") == "", "something needs a person")
    until(lambda: not stage.toast(), "the toast does not go by itself")


def back_in_the_list(stage: Stage) -> None:
    """In the list they are available, and their history says what came to pass."""
    table, pet = stage.go("Pets"), _left(stage)[0]
    stage.point_at(table, pet, "Name")
    until(lambda: cell_of(table, pet, "Status").text == "available", "the list does not show it")
    if not stage.shows("detailsPane"):  # an Esc of the day before closed them, and that is remembered
        press("Left")
        press("Space")
    until(lambda: stage.shows("detailsPane"), "the details are not open")


REFUSING = (
    TourStep("batch-two-refused-light", batch_refused),
    TourStep("batch-settled", batch_settled, picture=False),
    TourStep("conflict-light", conflict),
    TourStep("conflict-settled-light", conflict_settled),
)
NEXT_DAY = (
    TourStep("next-day-light", next_day),
    TourStep("yesterday-undone-light", yesterday_undone),
    TourStep("history-light", back_in_the_list),
)
