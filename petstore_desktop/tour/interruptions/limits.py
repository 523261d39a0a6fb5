"""What stops the sending for longer than a minute: a day that is used up, and a ban; and a service that does not say
its limits, or whose clock is wrong."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget

from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.interruptions.pause import answers, change_theme, enter, none_too_early, seconds_left
from petstore_desktop.tour.pilot import PATIENCE_S, click, hold, press, regain, until, wait, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell, expect
from petstore_desktop.tour.steps.change import changed_once, stock_of, stock_pet
from petstore_desktop.ui.text.translate import number

_DAY_S = 7 * 3600 + 11 * 60 + 50
_BAN_S, _SLOW = 4, 10
"""Seconds that the ban lasts, or how many times those of a change of the theme."""


def banner(stage: Stage, *words: str) -> None:
    """Wait until the banner shows these words."""
    until(lambda: stage.shows("pauseBanner"), "no banner shows")
    expect(stage.find(QWidget, "pauseBanner"), *words)


def day_used_up(stage: Stage) -> None:
    """Other clients of the key use up the day: the banner says so, until when, and the meter too; nothing is sent."""
    stage.go("Inventory")
    stage.shop.control("exhaust", day=True, ends_in=_DAY_S)
    pet = stock_pet(stage, 6)
    stage.notes = {"mark": stage.shop.mark(), "pet": pet, "was": stock_of(stage, pet)}
    enter(stage, pet, "+7")
    most = "1,000" if len(number(1_000)) > len("1000") else "1000"  # Spanish groups from five digits on
    banner(stage, f"Today’s {most} requests are used up", "Your change is saved on this computer", "(in 7 h 12 min)")
    hold(answers(stage)[-1] == 429, f"the pause has no 429 behind it: {answers(stage)}")
    hold("day used up" in stage.state(), f"the state says {stage.state()!r}")
    hold(f"today 0 of {most} left" in stage.meters(), f"the meters say {stage.meters()!r}")
    hold(stage.badge("outboxBadge") == "1 unsent", f"the badge says {stage.badge('outboxBadge')!r}")


def day_listed(stage: Stage) -> None:
    """In the light, the activity says when the change goes out; the shop has nothing of it, and is left alone."""
    change_theme(stage, "Light")
    table = stage.go("Activity")
    until(lambda: table.model().rowCount() == 1, lambda: f"{table.model().rowCount()} changes wait, not 1")
    said = bare(cell(table, 0, "Status").text)
    hold("Goes out after" in said and "next day" in said, f"the activity says {said!r}")
    hold(stock_of(stage, stage.notes["pet"]) == stage.notes["was"], "the shop has the change already")
    hold(answers(stage).count(429) == 1 and answers(stage)[-1] == 429, f"the answers were {answers(stage)}")


def resume_asked(stage: Stage) -> None:
    """The only way to go on earlier is a menu, and a dialog that names the ban."""
    dialog = stage.from_menu("resumeDialog", "Left", "Left", "Down", "N")
    expect(dialog, "Risk a ban", "may be banned", "Nothing is lost by waiting")
    hold(stage.find(QAbstractButton, "cancelButton", dialog).hasFocus(), "Keep has not the focus")


def banned(stage: Stage) -> None:
    """Resume too early and get the key banned: the banner shows the end of the ban and the advice."""
    stage.shop.control("reset-limits")
    stage.notes["ban"] = stage.lasting(_BAN_S, _SLOW, "day-used-up-light")
    stage.shop.control("ban", seconds=stage.notes["ban"])
    stage.agree("resumeDialog")
    stage.go("Inventory")
    banner(stage, "This key is banned: nothing is sent before", "saved on this computer", "ask the service’s provider")
    hold(answers(stage).count(403) == 1, f"the answers were {answers(stage)}")
    hold("key banned" in stage.state(), f"the state says {stage.state()!r}")


def banned_dark(stage: Stage) -> None:
    """The same in the dark."""
    change_theme(stage, "Dark")
    banner(stage, "This key is banned")


def ban_over(stage: Stage) -> None:
    """It ends by itself: one request asks, then the change goes out, once; and nothing was sent before."""
    pet = stage.notes["pet"]
    patience = stage.notes["ban"] + PATIENCE_S
    until(lambda: stock_of(stage, pet) == stage.notes["was"] + 7, "the change did not arrive", patience)
    until(lambda: not stage.shows("pauseBanner"), "the banner stays")
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    changed_once(stage, f"/v1/inventory/{pet}", stage.notes["mark"])
    hold(answers(stage).count(403) == 1, f"the answers were {answers(stage)}")
    none_too_early(stage)
    wait(100)  # the list moves up to where the banner was


def _choose_plan(stage: Stage, letters: str) -> None:
    """Tell the program another plan, by the keyboard."""
    dialog = stage.from_menu("connectionDialog", "Down", "S")
    until(stage.find(QComboBox, "planChoice", dialog).hasFocus, "the plan has not the focus")
    write(letters)
    press("Return")
    stage.closed("connectionDialog")


def unknown_limit(stage: Stage) -> None:
    """Where neither the service nor the plan says how much is allowed, the meters say so, and what the program does."""
    _choose_plan(stage, stage_module.spell("Not known"))
    until(lambda: stage.meters().count("limit unknown") == 2, lambda: f"the meters say {stage.meters()!r}")
    click(stage.find(QWidget, "quotaMeter"))
    until(lambda: QApplication.activePopupWidget() is not None, "a click on the meters tells nothing more")
    popup = cast("QWidget", QApplication.activePopupWidget())
    expect(popup, "The service has not said how many", "one at a time", "If you know your plan")


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
    stage.shop.control("clock", ahead=3 * 3600 + 125)
    stage.shop.control("retry-after", **{"as": "date"})
    stage.notes = {"mark": stage.shop.mark(), "pause": stage.lasting(3, _SLOW / 2, "day-used-up-light")}
    stage.shop.control("pause", seconds=stage.notes["pause"])
    press("Shift+F5")
    until(lambda: 0 < seconds_left(stage) < 60, "there is no countdown, or not in seconds")
    until(lambda: stage.badge("clockBadge") == "Clocks differ by 3 h 2 min", lambda: stage.badge("clockBadge"))
    click(stage.find(QAbstractButton, "clockBadge"))
    words = "3 h 2 min ahead of this computer’s", "All times shown are this computer’s", "If it is wrong, set it"
    expect(stage.dialog("clocksDialog"), *words)


def clocks_agree(stage: Stage) -> None:
    """Once the service's clock is right nothing speaks of it."""
    stage.escape("clocksDialog")
    stage.shop.control("clock")
    stage.shop.control("retry-after")
    until(lambda: not stage.shows("pauseBanner"), "the pause does not end", stage.notes["pause"] + PATIENCE_S)
    until(lambda: not stage.shows("clockBadge"), "the window still says that the clocks differ")
    none_too_early(stage)


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
