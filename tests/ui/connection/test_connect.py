"""Connecting a shop in the window: the form on the welcome page and in the dialog, checked as it goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.binding.load import shipped_profiles
from petstore_desktop.desk.values.typed_values import completed, problem
from petstore_desktop.domain.checks import About, Check
from petstore_desktop.domain.errors import KeyRejected, RateLimited, Unreachable
from petstore_desktop.domain.quota import PLANS
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.connection.connect import ConnectDialog, ConnectForm
from petstore_desktop.ui.connection.connect_parts import BUILT_WITH
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingApp, report_of
from tests.ui.records.test_record_dialogs import opened, words

URL = "https://shop.example/v1"
CANARY = "canary-key-123"
REJECTED = Check(About.KEY, False, "key-rejected", {"message": "no"}, KeyRejected(status=401, message="no"))
DOWN = Check(About.ADDRESS, False, "refused", {"host": "shop.example"}, Unreachable(why="refused", host="shop.example"))
NINE = Check(About.OPERATIONS, True, "operations", {"offered": 9, "of": 18, "missing": ("pets.change", "pets.delete")})
ELSEWHERE = Check(About.OPERATIONS, False, "base-path", {"given": URL, "url": "https://shop.example/api/v1"})


@pytest.fixture
def page(qtbot: QtBot, app_port: RecordingApp) -> WelcomePage:
    made = WelcomePage(app_port)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def dialog(window: MainWindow) -> Iterator[ConnectDialog]:
    window.parts.actions["connectShop"].trigger()
    made = opened(window, "connectDialog")
    assert isinstance(made, ConnectDialog)
    yield made
    for left in window.findChildren(ConnectDialog):
        left.done(0)


def filled(form: ConnectForm) -> ConnectForm:
    form.url.set_text(URL)
    form.key.set_text(CANARY)
    return form


def acts(port: RecordingApp) -> list[str]:
    return [name for name, _ in port.asked]


# ---------------------------------------------------------------- well


def test_connecting_checks_first_then_keeps_and_forgets_the_typed_key(
    qtbot: QtBot, page: WelcomePage, app_port: RecordingApp
) -> None:
    form = filled(page.form)
    form.url.set_text(f" {URL} ")
    form.plan.choice.set_value("pro")
    with qtbot.waitSignal(form.connected):
        form.button.click()
    assert app_port.asked == [("check", (URL, CANARY)), ("connect", ("shop.example", URL, CANARY, PLANS["pro"]))]
    assert form.key.text() == ""


def test_what_cannot_be_done_there_is_shown_before_the_shop_opens(page: WelcomePage, app_port: RecordingApp) -> None:
    app_port.report = report_of(NINE, requests=5)
    form = filled(page.form)
    form.button.click()
    assert acts(app_port) == ["check"]
    said = words(page)
    assert "It offers 9 of the 18 operations that the program uses. Missing: change pets, delete pets." in said
    assert "It took 5 requests" in said
    assert "OK: Address, Certificate, Key, Document, Operations, Limits, Clock" in said
    assert form.button.words() == "Connect"
    form.button.click()
    assert acts(app_port) == ["check", "connect"]


def test_a_remark_stands_in_nobodys_way(page: WelcomePage, app_port: RecordingApp) -> None:
    app_port.report = report_of(Check(About.LIMITS, False, "limits-absent"))
    form = filled(page.form)
    form.button.click()
    assert "does not say how many requests are left" in words(page)
    assert form.button.words() == "Connect"


def test_what_is_changed_after_the_check_is_checked_anew(
    qtbot: QtBot, page: WelcomePage, app_port: RecordingApp
) -> None:
    app_port.report = report_of(NINE)
    form = filled(page.form)
    form.button.click()
    qtbot.keyClicks(form.key.edit, "4")
    assert form.button.words() == "Test and connect"
    assert not form.findings.isVisible()
    form.button.click()
    assert acts(app_port) == ["check", "check"]


def test_document_and_certificates_are_asked_for_behind_more(page: WelcomePage, app_port: RecordingApp) -> None:
    form = filled(page.form)
    assert not form.more.document.isVisible()
    form.more.button.click()
    assert form.more.document.isVisible()
    form.more.document.set_text("shop.yaml")
    form.more.ca_file.set_text("ours.pem")
    form.button.click()
    assert [(inputs.document, inputs.ca_file) for inputs in app_port.inputs] == [("shop.yaml", "ours.pem")] * 2


def test_what_a_service_without_a_document_is_built_with_is_chosen_behind_more(
    page: WelcomePage, app_port: RecordingApp
) -> None:
    form = filled(page.form)
    form.more.document.set_text("shop.yaml")
    form.more.built_with.set_value("rails")
    assert not form.more.document.isEnabled()
    app_port.report = report_of(NINE)
    form.button.click()
    assert form.button.words() == "Connect"
    form.more.built_with.set_value("")
    assert form.button.words() == "Test and connect", "another choice is checked anew"
    form.more.built_with.set_value("rails")
    form.button.click()
    form.button.click()
    assert [inputs.document for inputs in app_port.inputs] == ["rails"] * 3


def test_there_is_a_choice_for_each_profile_that_comes_with_the_program(page: WelcomePage) -> None:
    names = {name for name, _ in BUILT_WITH}
    assert names == shipped_profiles().keys() - {"specification"}, "without a choice that one is followed"


# ---------------------------------------------------------------- not so well


def test_a_key_that_is_not_accepted_is_explained_and_nothing_is_kept(
    dialog: ConnectDialog, app_port: RecordingApp
) -> None:
    app_port.report = report_of(REJECTED)
    filled(dialog.form).button.click()
    said = words(dialog)
    assert "The service does not accept the key" in said
    assert "Copy the whole key" in said
    assert dialog.isVisible()
    assert acts(app_port) == ["check"]
    assert not dialog.form.findings.anyway.isVisible()
    assert CANARY not in said


def test_the_address_at_which_it_was_found_is_one_click_away(dialog: ConnectDialog, app_port: RecordingApp) -> None:
    app_port.report = report_of(ELSEWHERE, instead="https://shop.example/api/v1")
    filled(dialog.form).button.click()
    link = dialog.form.findings.use
    assert link.words() == "Use https://shop.example/api/v1"
    app_port.report = report_of()
    link.click()
    assert [(name, arguments[0 if name == "check" else 1]) for name, arguments in app_port.asked] == [
        ("check", URL),
        ("check", "https://shop.example/api/v1"),
        ("connect", "https://shop.example/api/v1"),
    ]


def test_a_service_that_is_only_down_now_can_be_saved_anyway(dialog: ConnectDialog, app_port: RecordingApp) -> None:
    app_port.report = report_of(DOWN)
    filled(dialog.form).button.click()
    assert "Nothing listens at" in words(dialog)
    dialog.form.findings.anyway.click()
    assert acts(app_port) == ["check", "connect"]
    assert not dialog.isVisible()


def test_a_pause_says_until_when(dialog: ConnectDialog, app_port: RecordingApp) -> None:
    error = RateLimited("paused-before", status=429, message="slow down")
    app_port.report = report_of(Check(About.LIMITS, False, "paused", {"until": 1e9, "message": "slow down"}, error))
    filled(dialog.form).button.click()
    assert "asked to wait until" in words(dialog)
    assert "2001" in words(dialog) or "Sep" in words(dialog)


def test_a_check_can_be_stopped_by_escape_and_its_answer_comes_too_late(
    qtbot: QtBot, dialog: ConnectDialog, app_port: RecordingApp
) -> None:
    app_port.report = None
    filled(dialog.form).button.click()
    assert dialog.form.button.words() == "Stop"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert acts(app_port) == ["check", "stop"]
    assert dialog.isVisible()
    assert "Stopped" in words(dialog)
    assert dialog.form.button.words() == "Test and connect"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    asked = dialog.findChild(QDialog, "formLeaveDialog")
    assert asked is not None and dialog.isVisible()
    asked.accept()
    assert not dialog.isVisible()


def test_on_the_welcome_page_escape_and_the_button_stop_a_check(
    qtbot: QtBot, page: WelcomePage, app_port: RecordingApp
) -> None:
    app_port.report = None
    form = filled(page.form)
    form.button.click()
    qtbot.keyClick(form.url.edit, Qt.Key.Key_Escape)
    form.button.click()
    form.button.click()
    assert acts(app_port) == ["check", "stop", "check", "stop"]


# ---------------------------------------------------------------- typing


def test_without_an_address_nothing_is_asked(page: WelcomePage, app_port: RecordingApp) -> None:
    page.form.button.click()
    assert app_port.asked == []
    assert "Enter an address." in words(page)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "address-unusable"),
        ("https://shop.example/v1", ""),
        ("shop.example/v1", ""),
        (" https://shop.example ", ""),
        ("http://127.0.0.1:8080/v1", ""),
        ("http://shop.example", "address-insecure"),
        ("ftp://shop.example", "address-unusable"),
        ("https://me:secret@shop.example", "address-with-credentials"),
        ("https://", "address-unusable"),
        ("https://shop example", "address-unusable"),
    ],
)
def test_an_address_that_no_service_has_is_known_by_its_form(typed: str, code: str) -> None:
    assert problem(typed) == code


@pytest.mark.parametrize("whole", ["https://shop.example:8443/api/v1", "http://localhost:8080", "http://127.0.0.1/v1"])
def test_nothing_is_wrong_with_an_address_while_it_is_being_typed(whole: str) -> None:
    assert {problem(whole[:length], typing=True) for length in range(len(whole) + 1)} == {""}


def test_what_can_be_no_address_any_more_is_said_at_once(qtbot: QtBot, page: WelcomePage) -> None:
    qtbot.keyClicks(page.form.url.edit, "http://sh")
    assert "must begin with https://" in page.form.url.note.text()
    for _ in range(len("://sh")):
        qtbot.keyClick(page.form.url.edit, Qt.Key.Key_Backspace)
    qtbot.keyClicks(page.form.url.edit, "s://sh")
    assert not page.form.url.edit.property("wrong")
    assert page.form.url.note.text().startswith("See the service’s documentation")


def test_an_address_without_scheme_is_completed(page: WelcomePage, app_port: RecordingApp) -> None:
    assert completed("shop.example") == "https://shop.example"
    page.form.url.set_text("shop.example/v1")
    page.form.button.click()
    assert app_port.asked[0] == ("check", (URL, ""))


def test_a_key_in_the_address_is_not_taken(page: WelcomePage, app_port: RecordingApp) -> None:
    page.form.url.set_text("https://user:hunter2@shop.example")
    page.form.button.click()
    assert app_port.asked == []
    assert "hunter2" not in words(page)


# ---------------------------------------------------------------- by keyboard


def test_all_of_it_can_be_done_by_keyboard_and_shows_where_the_focus_is(
    qtbot: QtBot, dialog: ConnectDialog, app_port: RecordingApp
) -> None:
    app_port.report = report_of(NINE)
    dialog.activateWindow()
    qtbot.waitUntil(lambda: dialog.form.url.edit.hasFocus())
    QTest.keyClicks(dialog.focusWidget(), URL)
    seen = [dialog.focusWidget().objectName()]
    while seen[-1] != "connectButton" and len(seen) < 20:
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        seen.append(dialog.focusWidget().objectName())
    assert seen[:4] == ["urlField", "keyField", "nameField", "moreButton"]
    assert seen[-1] == "connectButton"
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert dialog.focusWidget().objectName() == "connectButton"
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert acts(app_port) == ["check", "connect"]


def test_enter_in_a_field_tests(qtbot: QtBot, dialog: ConnectDialog, app_port: RecordingApp) -> None:
    filled(dialog.form)
    app_port.report = report_of(REJECTED)
    qtbot.keyClick(dialog.form.key.edit, Qt.Key.Key_Return)
    assert acts(app_port) == ["check"]


def test_every_field_has_a_name_and_service_text_is_plain(dialog: ConnectDialog, app_port: RecordingApp) -> None:
    app_port.report = report_of(Check(About.KEY, False, "key-rejected", {"message": "<b>no</b>\u202e"}))
    filled(dialog.form).button.click()
    assert all(edit.accessibleName() for edit in dialog.findChildren(QLineEdit))
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in dialog.findChildren(QLabel))
    assert "<b>no</b>" in words(dialog)
    assert "\u202e" not in words(dialog)


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800)])
def test_the_welcome_page_reaches_all_of_the_form_in_a_small_window(
    page: WelcomePage, app_port: RecordingApp, size: tuple[int, int]
) -> None:
    app_port.report = report_of(ELSEWHERE, instead="https://shop.example/api/v1")
    page.resize(*size)
    form = filled(page.form)
    form.more.button.click()
    form.button.click()
    QApplication.processEvents()
    for widget in (form.url.edit, form.findings.use, form.more.ca_file.edit, form.button):
        widget.setFocus()
        QApplication.processEvents()
        corner = widget.mapTo(page, widget.rect().bottomRight())
        assert page.rect().contains(corner), widget.objectName()


def test_marks_follow_the_theme(page: WelcomePage, app_port: RecordingApp) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app_port.report = report_of(REJECTED)
    filled(page.form).button.click()
    controller = ThemeController(app, "light")
    try:
        bright = page.grab().toImage()
        controller.set_preference("dark")
        QApplication.processEvents()
        assert page.grab().toImage() != bright
    finally:
        controller.set_preference("light")


def test_where_the_key_goes_is_true_with_and_without_a_keyring(page: WelcomePage) -> None:
    assert page.form.key.note.text() == "Kept in this computer’s keyring if it has one, never in a file."


@pytest.mark.parametrize("name", ["url", "key", "name"])
def test_enter_in_a_field_of_the_welcome_page_tests_and_connects(
    qtbot: QtBot, page: WelcomePage, app_port: RecordingApp, name: str
) -> None:
    form = filled(page.form)
    app_port.report = None
    edit = {"url": form.url, "key": form.key, "name": form.name}[name].edit
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert acts(app_port) == ["check"]
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert acts(app_port) == ["check"], "a second Enter stops nothing"
    page.form.stop()
    page.demo.setFocus()
    qtbot.keyClick(page.demo, Qt.Key.Key_Return)
    assert acts(app_port)[-1] == "demo"


def test_document_and_certificates_can_be_chosen_as_files(qtbot: QtBot, page: WelcomePage, tmp_path: Path) -> None:
    page.form.more.open(True)
    for field in (page.form.more.document, page.form.more.ca_file):
        name = field.edit.objectName()
        button = page.findChild(QAbstractButton, f"{name}Browse")
        assert button is not None and button.isVisible()
        button.click()
        (dialog,) = [one for one in page.findChildren(QFileDialog) if one.objectName() == f"{name}Dialog"]
        dialog.fileSelected.emit(str(tmp_path / name))
        dialog.reject()
        assert field.text() == str(tmp_path / name)


@pytest.mark.parametrize("height", [800, 1000])
def test_nothing_on_the_welcome_page_moves_under_the_pointer(
    qtbot: QtBot, page: WelcomePage, app_port: RecordingApp, height: int
) -> None:
    page.resize(1280, height)
    QApplication.processEvents()
    form = page.form

    def places() -> list[int]:
        QApplication.processEvents()
        return [
            w.mapTo(page, w.rect().topLeft()).y() for w in (page.demo, form.url.edit, form.key.edit, form.name.edit)
        ]

    before = places()
    form.button.click()
    assert "Enter an address" in form.url.note.text()
    assert places() == before, "what is wrong stands where the note was"
    form.more.open(True)
    assert places() == before
    form.more.open(False)
    app_port.report = report_of(REJECTED)
    filled(form).button.click()
    assert form.findings.isVisible()
    assert places() == before


@pytest.mark.parametrize("where", ["page", "dialog"])
def test_nothing_moves_under_the_pointer_while_an_address_is_typed_checked_and_changed(
    qtbot: QtBot, request: pytest.FixtureRequest, app_port: RecordingApp, where: str
) -> None:
    """What is wrong with an address took a second line, and pushed all fields down; what was found pushed the button
    down, and up again with the next letter; and pressed the fields of the dialog together."""
    shown: WelcomePage | ConnectDialog = request.getfixturevalue(where)
    form = shown.form
    app_port.report = report_of(NINE)

    def places() -> list[int]:
        QTest.qWait(50)
        parts = (form.url.edit, form.key.edit, form.name.edit)
        return [part.mapTo(shown, part.rect().topLeft()).y() for part in parts]

    def button() -> int:
        return form.button.mapTo(shown, form.button.rect().topLeft()).y()

    QTest.qWait(100)
    began, pressed = places(), button()
    for typed in ("http://shop.example", "ftp://shop.example", URL):
        form.url.edit.clear()
        QTest.keyClicks(form.url.edit, typed)
        assert (places(), button()) == (began, pressed), typed
    QTest.keyClicks(form.key.edit, CANARY)
    form.button.click()
    qtbot.waitUntil(lambda: form.findings.took.isVisible())
    assert places() == began
    found = button()
    assert found == pressed or where == "dialog", "the dialog grows, once, at the click"
    QTest.keyClicks(form.key.edit, "4")
    assert not form.findings.took.isVisible()
    assert (places(), button()) == (began, found)
