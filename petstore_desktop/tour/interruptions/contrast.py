"""High contrast, switched on in the preferences: pages with states and charts, light and dark."""

from __future__ import annotations

from functools import partial

from petstore_desktop.tour.interruptions.end import refused_listed, sent_again
from petstore_desktop.tour.interruptions.pause import change_theme, choose
from petstore_desktop.tour.pilot import hold, press, until
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, expect
from petstore_desktop.tour.steps.change import available_pet, refuse
from petstore_desktop.ui.base.theme import current


def switched(stage: Stage, words: str) -> None:
    """Choose it in the preferences, by the keyboard; the window is painted in other colours at once."""
    before = current()
    choose(stage, stage.from_menu("preferencesDialog", "Down", "F"), "contrastChoice", words)
    until(lambda: current().high_contrast == (words == "On"), f"high contrast does not become {words}")
    hold(current().dark == before.dark, "high contrast has changed light to dark")


def refused(stage: Stage) -> None:
    """A refused change among others, with its details."""
    stage.escape("preferencesDialog")
    stage.notes = {"pet": available_pet(stage, 7)}
    refuse(stage, stage.notes["pet"])


def orders(stage: Stage) -> None:
    """An order and its state in words."""
    stage.go("Orders")
    press("Ctrl+Home")
    expect(stage.window, "Order ")
    stage.park()


def today(stage: Stage) -> None:
    """The charts of Today, each part of a bar by its fill or outline."""
    press("Alt+T")
    until(lambda: stage.shows("todaySentence"), "Today does not show")
    stage.park()


def dark(stage: Stage) -> None:
    """What needs attention, in the dark."""
    change_theme(stage, "Dark")
    hold(current().high_contrast, "another theme has switched high contrast off")
    refused_listed(stage)


def left(stage: Stage) -> None:
    """The refused change goes out after all, and the usual colours come back."""
    stage.go("Activity")
    sent_again(stage)
    change_theme(stage, "Light")
    switched(stage, "Off")
    stage.escape("preferencesDialog")
    stage.go("Pets")


CONTRAST = (
    TourStep("contrast-preferences-light", partial(switched, words="On")),
    TourStep("contrast-refused-light", refused),
    TourStep("contrast-orders-light", orders),
    TourStep("contrast-today-light", today),
    TourStep("contrast-attention-dark", dark),
    TourStep("contrast-orders-dark", orders),
    TourStep("contrast-today-dark", today),
    TourStep("contrast-left", left, picture=False),
)
