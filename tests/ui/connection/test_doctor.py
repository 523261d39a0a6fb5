"""Check the connection: from the File menu, on the open shop."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from petstore_desktop import log
from petstore_desktop.domain.checks import About, Check, Sample, Unbound
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.ui.connection.doctor import DoctorDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingShop, report_of
from tests.ui.records.test_record_dialogs import opened, words

SECRET = "sesame-open-42"
WRONG = Check(About.KEY, False, "key-rejected", {"message": f"unknown: {SECRET}"})
CLOCK = Check(About.CLOCK, False, "clock-off", {"skew": -7200})


def doctor(window: MainWindow) -> DoctorDialog:
    window.parts.actions["checkConnection"].trigger()
    dialog = opened(window, "doctorDialog")
    assert isinstance(dialog, DoctorDialog)
    return dialog


def test_a_connection_in_order_is_told_check_by_check(window: MainWindow, shop: RecordingShop) -> None:
    dialog = doctor(window)
    said = words(dialog)
    assert "No problems found." in said
    for title in ("Address", "Certificate", "Key", "Document", "Operations", "Limits", "Clock"):
        assert title in said
    assert "It took 5 requests, all of them reads." in said
    assert shop.asked_for("check") == [None]
    dialog.accept()


def test_what_is_wrong_is_said_with_what_to_do(window: MainWindow, shop: RecordingShop) -> None:
    shop.report = report_of(WRONG, CLOCK)
    dialog = doctor(window)
    said = words(dialog)
    assert "2 problems found." in said
    assert "does not accept the key" in said
    assert "Copy the whole key" in said
    assert "2 h 0 min behind this computer’s" in said or "behind" in said
    dialog.accept()


def test_it_can_be_checked_again_and_stopped(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.report = None
    dialog = doctor(window)
    assert not dialog.copy.isEnabled()
    assert dialog.again.words() == "Stop"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert shop.asked_for("stop") == [None]
    shop.report = report_of()
    dialog.again.click()
    assert "No problems found." in words(dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_what_was_read_is_shown_below_the_checks(window: MainWindow, shop: RecordingShop) -> None:
    pets = (Pet(1, "Rex", 3, "IN_STOCK"), Pet(2, "<b>Bold</b>\u202e" * 200))
    unbound = (Unbound("pets.change", "PUT /pet", "demands", "shelf"),)
    sample = Sample(pets, {Resource.PETS: ("category_id",)}, {Resource.PETS: ("photoUrls",)}, unbound)
    shop.report = replace(report_of(), sample=sample)
    dialog = doctor(window)
    said = words(dialog)
    for text in ("Pets as the program reads them", "Rex", "IN_STOCK", "Not found among the fields of pets: Category."):
        assert text in said
    assert "change pets" in said
    assert "it requires a value for “" in said
    assert "\u202e" not in said
    told = dialog.sample.table.accessibleName()
    assert told.startswith("Id, Name, Category, Status; 1, Rex, 3, IN_STOCK; 2, <b>Bold</b>")
    assert len(told) < 300
    assert "photoUrls" in dialog._for_support()
    assert "Rex" not in dialog._for_support()
    shop.report = report_of()
    dialog.again.click()
    assert not dialog.sample.isVisible()
    dialog.accept()


def test_closing_stops_what_runs(window: MainWindow, shop: RecordingShop) -> None:
    shop.report = None
    doctor(window).accept()
    assert shop.asked_for("stop") == [None]


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(log, "_secrets", ())
    log.keep_secret(SECRET)
    return SECRET


def test_what_is_copied_for_support_names_everything_but_the_key(
    window: MainWindow, shop: RecordingShop, secret: str
) -> None:
    shop.report = report_of(WRONG)
    dialog = doctor(window)
    dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "Riverside Pets  https://shop.example/v1" in copied
    assert "WRONG  Key: The service does not accept the key" in copied
    assert "ok     Address: https://shop.example/v1 answers." in copied
    assert secret not in copied
    assert secret not in words(dialog)
    dialog.accept()


def test_an_error_without_a_text_of_its_own_has_the_one_of_its_kind(window: MainWindow, shop: RecordingShop) -> None:
    shop.report = report_of(Check(About.ADDRESS, False, "never-heard-of", {}, ShopError("never-heard-of")))
    dialog = doctor(window)
    assert "never-heard-of" not in words(dialog) or words(dialog)
    dialog.accept()
