"""A real 429, because other clients of the key used up the quota: work goes on, and all is sent by itself."""

from __future__ import annotations

import re
from functools import partial

from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QTableView, QWidget

from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.minute import MINUTE_S
from petstore_desktop.tour.pilot import PATIENCE_S, hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell_of, expect, says
from petstore_desktop.tour.steps.change import changed_once, stock_of, stock_pet
from petstore_desktop.ui.base.theme import current

_PLACES = (1, 2, 4, 5)
_ENTRIES = ("+12", "40", "-3", "+24")
_SLOW = 15.0
"""How many times what the opening of the shop took the steps of a pause may take."""
_TITLE = re.compile(r"Sending is paused for (\d+):(\d\d)")


def seconds_left(stage: Stage) -> int:
    """The countdown on the banner; -1 while there is none."""
    if not stage.shows("pauseBanner"):
        return -1
    found = _TITLE.search(bare(stage.find(QWidget, "pauseBanner").accessibleName()))
    return int(found[1]) * 60 + int(found[2]) if found else -1


def paused(stage: Stage) -> None:
    """The next change meets a 429: the banner says why and how long, and edits go on."""
    table = stage.go("Inventory")
    pets = [stock_pet(stage, place) for place in _PLACES]
    stage.notes = {f"pet{n}": pet for n, pet in enumerate(pets)} | {
        f"was{n}": stock_of(stage, pet) for n, pet in enumerate(pets)
    }
    stage.shop.control("reset-limits")
    stage.notes["pause"] = stage.lasting(MINUTE_S, _SLOW, "pets-light")
    stage.shop.control("exhaust", ends_in=stage.notes["pause"])
    stage.notes["mark"] = stage.shop.mark()
    enter(stage, pets[0], _ENTRIES[0])
    until(lambda: seconds_left(stage) > 0, lambda: f"no pause shows; requests: {answers(stage)}")
    hold(429 in answers(stage), f"the pause has no 429 behind it: {answers(stage)}")
    expect(stage.find(QWidget, "pauseBanner"), "too many requests")
    for number in (1, 2):
        enter(stage, pets[number], _ENTRIES[number])
    until(lambda: stage.badge("outboxBadge") == "3 unsent", lambda: f"the badge says {stage.badge('outboxBadge')!r}")
    hold("paused" in stage.state(), f"the state says {stage.state()!r}")
    stage.point_at(table, pets[3], "In stock")
    write(_ENTRIES[3])
    hold(table.viewport().findChild(QLineEdit) is not None, "the window cannot be worked in")
    stage.notes["left"] = seconds_left(stage)


def enter(stage: Stage, pet: int, typed: str) -> None:
    """Change the stock of a pet while nothing can be sent."""
    table = stage.book(pet, typed)
    until(lambda: cell_of(table, pet, "In stock").chip != "", f"{typed} is not taken")


def answers(stage: Stage) -> list[int]:
    """How the requests since the mark in the notes were answered: the statuses."""
    return [line["status"] for line in stage.shop.requests(stage.notes["mark"])]


def none_too_early(stage: Stage) -> None:
    """Since the mark in the notes no request came inside a pause. Raises NotSo."""
    since = stage.shop.requests(stage.notes["mark"])
    hold(not [line for line in since if line["inside_pause"]], "a request fell inside the pause")


def counting_down(stage: Stage) -> None:
    """A second later it says so; every change waits, saved, and the shop has none of them."""
    press("Return")
    until(lambda: 0 < seconds_left(stage) < stage.notes["left"], "the countdown does not move")
    until(lambda: stage.badge("outboxBadge") == "4 unsent", lambda: f"the badge says {stage.badge('outboxBadge')!r}")
    table = stage.find(QTableView, "inventoryTable")
    for number in range(4):
        shown = cell_of(table, stage.notes[f"pet{number}"], "In stock")
        hold(shown.mark == "unsent", f"{_ENTRIES[number]} is marked {shown.mark}")
        hold(stock_of(stage, stage.notes[f"pet{number}"]) == stage.notes[f"was{number}"], "the shop has it already")


def waiting(stage: Stage) -> None:
    """The activity names what waits, in the order of sending."""
    table = stage.go("Activity")
    until(lambda: table.model().rowCount() == 4, lambda: f"{table.model().rowCount()} changes wait, not 4")
    hold(says(stage.window, "4 changes"), "the activity does not count what waits")


def to_theme(stage: Stage, name: str) -> None:
    """Choose a theme in the preferences, by the keyboard."""
    choose(stage, stage.from_menu("preferencesDialog", "Down", "F"), "themeChoice", name)
    until(lambda: current().dark == (name == "Dark"), f"the window does not become {name}")


def choose(stage: Stage, dialog: QDialog, name: str, words: str) -> None:
    """Tab to a choice of a dialog, and type the words of one. Raises NotSo."""
    choice = stage.find(QComboBox, name, dialog)
    for _ in range(6):
        if choice.hasFocus():
            break
        press("Tab")
    hold(choice.hasFocus(), f"Tab does not lead to {name}")
    write(stage_module.spell(words))
    hold(bare(choice.currentText()) == words, f"{name} says {choice.currentText()!r}, not {words!r}")


def change_theme(stage: Stage, name: str) -> None:
    """Choose a theme, and close the preferences."""
    to_theme(stage, name)
    stage.escape("preferencesDialog")


def paused_dark(stage: Stage) -> None:
    """The pause goes on, in the dark."""
    stage.escape("preferencesDialog")
    stage.go("Inventory")
    hold(seconds_left(stage) > 0, "the pause ended too early for its picture")


def resumed(stage: Stage) -> None:
    """When it is over all is sent by itself, each change once, and no request fell inside the pause."""
    until(lambda: not stage.shows("pauseBanner"), "the pause does not end", stage.notes["pause"] + PATIENCE_S)
    until(lambda: stage.badge("outboxBadge") == "", "not all was sent", stage.notes["pause"] + PATIENCE_S)
    table = stage.find(QTableView, "inventoryTable")
    was = [stage.notes[f"was{number}"] for number in range(4)]
    for number, wanted in enumerate((was[0] + 12, 40, was[2] - 3, was[3] + 24)):
        pet = stage.notes[f"pet{number}"]
        hold(stock_of(stage, pet) == wanted, f"the shop has {stock_of(stage, pet)} of #{pet}, not {wanted}")
        hold(cell_of(table, pet, "In stock").text == str(wanted), f"the list does not show {wanted} of #{pet}")
        changed_once(stage, f"/v1/inventory/{pet}", stage.notes["mark"])
    none_too_early(stage)
    hold(answers(stage).count(429) == 1, f"the answers were {answers(stage)}")
    hold(stage.shop.control("state")["keys"][0]["banned_until"] is None, "the key is banned")


PAUSING = (
    TourStep("paused-light", paused),
    TourStep("paused-later-light", counting_down),
    TourStep("activity-light", waiting),
    TourStep("preferences-dark", partial(to_theme, name="Dark")),
    TourStep("paused-dark", paused_dark),
    TourStep("resumed-dark", resumed),
)
