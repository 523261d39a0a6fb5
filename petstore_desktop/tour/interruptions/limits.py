"""What stops the sending for longer than a minute: a day that is used up, and a ban; and a service that does not say
its limits, or whose clock is wrong."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTableView, QWidget

from petstore_desktop.tour.interruptions.pause import leave_preferences, to_theme
from petstore_desktop.tour.pilot import click, hold, press, regain, until, wait, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, cell_of, says, texts
from petstore_desktop.tour.steps.change import stock_of, stock_pet

_DAY_S = 7 * 3600 + 11 * 60 + 50
_BAN_S = 4
_BANNED_S = 4.0 * _BAN_S
_AHEAD_S = 3 * 3600 + 125
_PAUSE_S = 3
_LEFT = re.compile(r"Sending is paused for 0:0(\d)")


def _banner(stage: Stage, *words: str) -> None:
    """Wait until the banner shows these words."""
    until(lambda: stage.shows("pauseBanner"), "no banner shows")
    banner = stage.find(QWidget, "pauseBanner")
    for said in words:
        until(lambda said=said: says(banner, said), lambda said=said: f"the banner says {texts(banner)}, not {said!r}")


def _answers(stage: Stage) -> list[int]:
    return [line["status"] for line in stage.shop.requests(stage.notes["mark"])]


def _enter(stage: Stage, place: int, typed: str) -> int:
    """Book something on the stock of the n-th pet by name."""
    table = stage.find(QTableView, "inventoryTable")
    pet = stock_pet(stage, place)
    stage.notes["was"] = stock_of(stage, pet)
    stage.point_at(table, pet, "In stock")
    write(typed)
    press("Return")
    until(lambda: cell_of(table, pet, "In stock").chip != "", f"{typed} is not taken")
    return pet


def day_used_up(stage: Stage) -> None:
    """Other clients of the key use up the day: the banner says so, until when, and the meter too; nothing is sent."""
    stage.go("Inventory")
    stage.shop.control("exhaust", day=True, ends_in=_DAY_S)
    stage.notes = {"mark": stage.shop.mark()}
    stage.notes["pet"] = _enter(stage, 6, "+7")
    _banner(stage, "Today’s 1,000 requests are used up", "Your change is saved on this computer", "(in 7 h 12 min)")
    hold(_answers(stage)[-1] == 429, f"the pause has no 429 behind it: {_answers(stage)}")
    hold("day used up" in stage.state(), f"the state says {stage.state()!r}")
    hold("today 0 of 1,000 left" in stage.meters(), f"the meters say {stage.meters()!r}")
    hold(stage.badge("outboxBadge") == "1 unsent", f"the badge says {stage.badge('outboxBadge')!r}")


def day_listed(stage: Stage) -> None:
    """In the light, the activity says when the change goes out; the shop has nothing of it, and is left alone."""
    to_theme(stage, "Light")
    leave_preferences(stage)
    table = stage.go("Activity")
    until(lambda: table.model().rowCount() == 1, lambda: f"{table.model().rowCount()} changes wait, not 1")
    said = bare(cell(table, 0, "Status").text)
    hold("Goes out after" in said and "next day" in said, f"the activity says {said!r}")
    hold(stock_of(stage, stage.notes["pet"]) == stage.notes["was"], "the shop has the change already")
    hold(_answers(stage).count(429) == 1 and _answers(stage)[-1] == 429, f"the answers were {_answers(stage)}")


def resume_asked(stage: Stage) -> None:
    """The only way to go on earlier is a menu, and a dialog that names the ban."""
    press("F10")
    until(stage.window.menuBar().isVisible, "F10 does not show the menus")
    press("Left", 2)
    press("Down")
    press("N")
    dialog = stage.dialog("resumeDialog")
    for words in ("Risk a ban", "may be banned", "Nothing is lost by waiting"):
        hold(says(dialog, words), f"the dialog says {texts(dialog)}, not {words!r}")
    hold(stage.find(QAbstractButton, "cancelButton", dialog).hasFocus(), "Keep has not the focus")


def banned(stage: Stage) -> None:
    """Resume too early and get the key banned: the banner shows the end of the ban and the advice."""
    stage.shop.control("reset-limits")
    stage.shop.control("ban", seconds=_BAN_S)
    dialog = stage.dialog("resumeDialog")
    press("Tab")
    until(stage.find(QAbstractButton, "primaryButton", dialog).hasFocus, "Tab does not lead to the verb")
    press("Space")
    stage.closed("resumeDialog")
    stage.go("Inventory")
    _banner(stage, "This key is banned: nothing is sent before", "saved on this computer", "ask the service’s provider")
    hold(_answers(stage).count(403) == 1, f"the answers were {_answers(stage)}")
    hold("key banned" in stage.state(), f"the state says {stage.state()!r}")


def banned_dark(stage: Stage) -> None:
    """The same in the dark."""
    to_theme(stage, "Dark")
    leave_preferences(stage)
    _banner(stage, "This key is banned")


def ban_over(stage: Stage) -> None:
    """It ends by itself: one request asks, then the change goes out, once; and nothing was sent before."""
    pet, mark = stage.notes["pet"], stage.notes["mark"]
    until(lambda: stock_of(stage, pet) == stage.notes["was"] + 7, "the change did not arrive", _BANNED_S)
    until(lambda: not stage.shows("pauseBanner"), "the banner stays")
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    done = [line for line in stage.shop.writes(f"/v1/inventory/{pet}", mark) if line["status"] == 200]
    hold(len(done) == 1, f"#{pet} was changed {len(done)} times")
    hold(_answers(stage).count(403) == 1, f"the answers were {_answers(stage)}")
    hold(not [line for line in stage.shop.requests(mark) if line["inside_pause"]], "a request fell inside the ban")
    wait(100)  # the list moves up to where the banner was


def _choose_plan(stage: Stage, sign: str) -> None:
    """Tell the program another plan, by the keyboard."""
    press("F10")
    until(stage.window.menuBar().isVisible, "F10 does not show the menus")
    press("Down")
    press("S")
    dialog = stage.dialog("connectionDialog")
    until(stage.find(QComboBox, "planChoice", dialog).hasFocus, "the plan has not the focus")
    write(sign)
    press("Return")
    stage.closed("connectionDialog")


def unknown_limit(stage: Stage) -> None:
    """Where neither the service nor the plan says how much is allowed, the meters say so, and what the program does."""
    _choose_plan(stage, "N")
    until(lambda: stage.meters().count("limit unknown") == 2, lambda: f"the meters say {stage.meters()!r}")
    click(stage.find(QWidget, "quotaMeter"))
    until(lambda: QApplication.activePopupWidget() is not None, "a click on the meters tells nothing more")
    popup = QApplication.activePopupWidget()
    for words in ("The service has not said how many", "one at a time", "If you know your plan"):
        hold(popup is not None and says(popup, words), f"the meters tell nothing of {words!r}")


def limit_known(stage: Stage) -> None:
    """As soon as one of them says it again it is known."""
    press("Esc")
    until(lambda: QApplication.activePopupWidget() is None, "Esc does not close what the meters tell")
    regain(stage.base)
    _choose_plan(stage, "F")
    until(lambda: stage.meters().count("≈") == 2, lambda: f"the meters say {stage.meters()!r}")
    stage.shop.control("limit-headers")
    press("Shift+F5")
    until(lambda: stage.meters().count("≈") == 1, lambda: f"the meters say {stage.meters()!r}")


def skewed_clock(stage: Stage) -> None:
    """A service whose clock is hours ahead asks for a pause until a moment of that clock: it is one of some seconds
    all the same (our own back-off among them), and the window says that the clocks differ and what to do."""
    stage.go("Inventory")
    stage.shop.control("clock", ahead=_AHEAD_S)
    stage.shop.control("retry-after", **{"as": "date"})
    stage.shop.control("pause", seconds=_PAUSE_S)
    stage.notes = {"mark": stage.shop.mark()}
    press("Shift+F5")
    _banner(stage, "Sending is paused for 0:0")
    found = _LEFT.search(bare(stage.find(QWidget, "pauseBanner").accessibleName()))
    left = int(found[1]) if found else 0
    hold(left > 0, "the countdown is over already, or not in seconds")
    until(lambda: stage.badge("clockBadge") == "Clocks differ by 3 h 2 min", lambda: stage.badge("clockBadge"))
    click(stage.find(QAbstractButton, "clockBadge"))
    dialog = stage.dialog("clocksDialog")
    for words in (
        "3 h 2 min ahead of this computer’s",
        "All times shown are this computer’s",
        "If it is wrong, set it",
    ):
        hold(says(dialog, words), f"the dialog says {texts(dialog)}, not {words!r}")


def clocks_agree(stage: Stage) -> None:
    """Once the service's clock is right nothing speaks of it."""
    press("Esc")
    stage.closed("clocksDialog")
    stage.shop.control("clock")
    stage.shop.control("retry-after")
    until(lambda: not stage.shows("pauseBanner"), "the pause does not end")
    until(lambda: not stage.shows("clockBadge"), "the window still says that the clocks differ")
    hold(not [line for line in stage.shop.requests(stage.notes["mark"]) if line["inside_pause"]], "sent too early")


LIMITED = (
    TourStep("day-used-up-dark", day_used_up),
    TourStep("day-used-up-light", day_listed),
    TourStep("resume-light", resume_asked),
    TourStep("banned-light", banned),
    TourStep("banned-dark", banned_dark),
    TourStep("ban-over-dark", ban_over),
)

UNKNOWN = (TourStep("unknown-limit-light", unknown_limit), TourStep("limit-known", limit_known, picture=False))

CLOCKS = (TourStep("skewed-clock-light", skewed_clock), TourStep("clocks-agree", clocks_agree, picture=False))
