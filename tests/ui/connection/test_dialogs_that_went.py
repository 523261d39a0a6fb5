"""A dialog may go with its window while something still runs for it: what runs is stopped, and what comes is let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.ui.connection.connect import ConnectDialog
from petstore_desktop.ui.connection.connection import ConnectionDialog
from petstore_desktop.ui.connection.doctor import DoctorDialog
from petstore_desktop.ui.connection.forget import ForgetDialog
from petstore_desktop.ui.context.ports import Forgetting
from tests.ui.recording_shop import RecordingApp, RecordingShop, report_of

REPORT = report_of()


class Late:
    """Answers to nobody before it is told to."""

    def __init__(self) -> None:
        self.back: list[Callable[..., None]] = []
        self.stopped = 0

    def check(self, *arguments: Any) -> Callable[[], None]:
        self.back += arguments[-2:]
        return self._stop

    def take(self, *arguments: Any) -> None:
        self.back.append(arguments[-1])

    def _stop(self) -> None:
        self.stopped += 1


def gone(dialog: QDialog) -> None:
    dialog.show()
    delete(dialog)


def test_a_connect_dialog_that_went_stops_its_check_and_hears_nothing(qtbot: QtBot, app_port: RecordingApp) -> None:
    late, dialog = Late(), ConnectDialog(app_port)
    app_port.check = late.check
    dialog.form.url.set_text("https://shop.example")
    dialog.form.button.click()
    gone(dialog)
    assert late.stopped == 1
    tell, done = late.back
    tell(REPORT.checks[0])
    done(REPORT)


def test_a_doctor_that_went_stops_its_check_and_hears_nothing(qtbot: QtBot, shop: RecordingShop) -> None:
    late = Late()
    shop.check = late.check
    gone(DoctorDialog(shop))
    assert late.stopped == 1
    tell, done = late.back
    tell(REPORT.checks[0])
    done(REPORT)


def test_settings_that_went_hear_nothing(qtbot: QtBot, shop: RecordingShop, app_port: RecordingApp) -> None:
    late, port = Late(), app_port.shops
    port.change = late.take
    dialog = ConnectionDialog(port, shop)
    dialog.name.set_text("Another name")
    dialog.accept()
    gone(dialog)
    late.back[0](BadInput("name-taken"))


def test_a_question_that_went_hears_nothing(qtbot: QtBot, shop: RecordingShop, app_port: RecordingApp) -> None:
    late, port = Late(), app_port.shops
    port.look_forgetting = late.take
    gone(ForgetDialog(port, shop.connection))
    late.back[0](Forgetting(3, "changes.json"))
