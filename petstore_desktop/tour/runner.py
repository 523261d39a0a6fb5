"""Takes one step after the other, each with its picture, and writes down how it went: also whether everything that is
open is inside the screen, and no toast over the row that a person works on."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QScrollArea, QWidget

from petstore_desktop.tour.camera import Camera
from petstore_desktop.tour.pilot import StepFailed, until
from petstore_desktop.tour.stage import Stage
from petstore_desktop.ui.base.first_paint import screen_of
from petstore_desktop.ui.status.toast import Toast, toast_room
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.window.main_window import MainWindow

Act: TypeAlias = Callable[[Stage], None]
REPORT = "tour.json"


class TourStep(Struct, frozen=True):
    """A named step; `do` raises NotSo if window or shop are wrong. The screen at its end is its picture."""

    name: str
    do: Act
    picture: bool = True


class StepOutcome(Struct, frozen=True):
    """How a step went; `said` is empty where it held, `picture` the file's name or None."""

    step: str
    seconds: float
    picture: str | None
    said: str = ""

    def as_json(self) -> dict[str, object]:
        """As an object of tour.json."""
        said = {"said": self.said} if self.said else {}
        seconds = round(self.seconds, 3)
        return {"step": self.step, "ok": not self.said, "seconds": seconds, "picture": self.picture, **said}


def run(steps: Sequence[TourStep], stage: Stage, folder: Path) -> list[StepOutcome]:
    """Take the steps until one does not hold; those after it are named as not reached. tour.json is written in any
    case."""
    camera = Camera(folder)
    outcomes: list[StepOutcome] = []
    pictures = 0
    for step in steps:
        if outcomes and outcomes[-1].said:
            outcomes.append(StepOutcome(step.name, 0.0, None, "not reached"))
            continue
        pictures += step.picture
        outcomes.append(_take(step, stage, camera, pictures))
        stage.took[step.name] = outcomes[-1].seconds
    lines = ",\n".join(json.dumps(outcome.as_json(), ensure_ascii=False) for outcome in outcomes)
    (folder / REPORT).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return outcomes


def _take(step: TourStep, stage: Stage, camera: Camera, number: int) -> StepOutcome:
    began = time.monotonic()
    picture, said = None, ""
    try:
        step.do(stage)
        until(toast_is_clear, "a toast covers the row that a person works on")
        until(lambda: not beyond_the_screen(), lambda: "; ".join(beyond_the_screen()))
        said = unexpected()
        if step.picture and not said:
            picture = camera.take(stage.base, number, step.name)
    except StepFailed as error:
        said = " -- ".join(filter(None, (str(error), unexpected())))
    except Exception as error:  # noqa: BLE001  whatever goes wrong in a step is that step's failure
        said = "".join(traceback.format_exception(error)).strip()
    if said:
        picture = _last_look(stage, camera, number, step.name)
    return StepOutcome(step.name, time.monotonic() - began, picture, said)


def unexpected() -> str:
    """The text of the dialog that opens for an unexpected error in any thread; "" without one."""
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, ErrorDialog) and widget.isVisible():
            return f"an error shows: {widget.report().strip()}"
    return ""


def _last_look(stage: Stage, camera: Camera, number: int, name: str) -> str | None:
    """What the screen shows after a failure; nothing where even that cannot be had."""
    try:
        return camera.take(stage.base, number, f"{name}-failed")
    except StepFailed:
        return None


def beyond_the_screen() -> list[str]:
    """One line for each window, dialog or menu that hangs over an edge of its screen, and for each button of a dialog
    that cannot be seen although nothing scrolls it."""
    shown = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    return [line for window in shown for line in (*_outside(window), *_cut(window))]


def toast_is_clear() -> bool:
    """Whether no toast stands over the current row of a list or the rows beside it."""
    shown = [window for window in QApplication.topLevelWidgets() if isinstance(window, MainWindow)]
    toasts = [(window, window.findChild(Toast, "toast")) for window in shown]
    return not any(
        toast is not None and toast.isVisible() and toast.geometry().intersects(toast_room(window.pages)[1])
        for window, toast in toasts
    )


def _outside(window: QWidget) -> Iterator[str]:
    screen, place = screen_of(window), window.frameGeometry()
    if not screen.contains(place):
        yield f"{_name(window)} is at {_words(place)}, but the screen has {_words(screen)}"


def _cut(window: QWidget) -> Iterator[str]:
    if not isinstance(window, QDialog):
        return
    for button in window.findChildren(QAbstractButton):
        place = QRect(button.mapTo(window, QPoint(0, 0)), button.size())
        if button.isVisible() and not _scrolls(button, window) and not window.rect().contains(place):
            yield f"the button {_name(button)} of {_name(window)} is at {_words(place)}, outside {window.size()}"


def _scrolls(widget: QWidget, window: QWidget) -> bool:
    return any(area.isAncestorOf(widget) for area in window.findChildren(QScrollArea))


def _name(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def _words(rect: QRect) -> str:
    return f"{rect.x()},{rect.y()} {rect.width()} x {rect.height()}"
