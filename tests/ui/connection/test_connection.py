"""The plan of a connection: chosen when it is made, changed in its settings; with numbers of one's own where the name
says none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import PLANS, Plan
from petstore_desktop.preferences import ConnectionSettings, ShopConnection
from petstore_desktop.ui.connection.connect_parts import PlanFields
from petstore_desktop.ui.connection.connection import ConnectionDialog, DemoDialog
from petstore_desktop.ui.connection.forget import open_forgotten
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.context.ports import Forgetting
from petstore_desktop.ui.widgets.scrolled import Scrolled
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import RecordingApp, RecordingShop
from tests.ui.records.test_record_dialogs import opened, words

URL = "https://shop.example/v1"


@pytest.fixture
def fields(qtbot: QtBot) -> PlanFields:
    made = PlanFields()
    qtbot.addWidget(made)
    made.show()
    return made


def typed(fields: PlanFields, plan: str, minute: str = "", day: str = "") -> Plan | None:
    fields.choice.set_value(plan)
    fields.minute.set_text(minute)
    fields.day.set_text(day)
    return fields.plan()


def test_numbers_are_asked_for_where_the_plan_does_not_say_them(fields: PlanFields) -> None:
    shown = {}
    for plan in ("", *PLANS):
        fields.choice.set_value(plan)
        shown[plan] = (fields.minute.isVisible(), fields.day.isVisible())
    assert {plan for plan, both in shown.items() if both == (True, True)} == {"", "enterprise"}
    assert {plan for plan, both in shown.items() if both == (False, False)} == {"free", "pro", "business"}


def test_numbers_are_read_as_they_are_written_here_and_empty_is_not_known(fields: PlanFields) -> None:
    assert typed(fields, "enterprise", "600", " 20,000 ") == Plan("enterprise", 600, 20_000)
    assert typed(fields, "", "", "٩٠") == Plan("", None, 90)
    assert typed(fields, "enterprise") == PLANS["enterprise"]
    QLocale.setDefault(QLocale(QLocale.Language.German))
    assert typed(fields, "enterprise", "1.200", "9.223.372.036.854.775.807") == Plan("enterprise", 1_200, 2**63 - 1)
    fields.set_plan(Plan("enterprise", 1_200, None))
    assert (fields.minute.text(), fields.day.text()) == ("1.200", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "at least 1"),
        ("-5", "at least 1"),
        ("−5", "at least 1"),
        ("abc", "whole number"),
        ("²", "whole number"),
        ("1.5", "no fraction"),
        (str(2**63), "too large"),
        ("9" * 5_000, "whole number"),
    ],
)
def test_what_is_no_limit_is_said_at_its_field_and_goes_when_it_is_mended(
    fields: PlanFields, qtbot: QtBot, text: str, why: str
) -> None:
    assert typed(fields, "enterprise", "60", text) is None
    assert why in fields.day.note.text()
    assert fields.day.edit.accessibleDescription() == fields.day.note.text()
    assert not fields.minute.note.isVisible()
    fields.day.edit.selectAll()
    qtbot.keyClicks(fields.day.edit, "1000")
    assert not fields.day.note.isVisible()


def test_numbers_of_another_plan_do_not_count(fields: PlanFields) -> None:
    assert typed(fields, "free", "nonsense", "0") == PLANS["free"]


def test_fewer_a_day_than_a_minute_are_taken_and_wondered_at(fields: PlanFields) -> None:
    assert typed(fields, "enterprise", "600", "500") == Plan("enterprise", 600, 500)
    assert "less than the limit per minute" in fields.day.note.text()
    typed(fields, "enterprise", "600", "700")
    assert not fields.day.note.isVisible()


def test_a_shop_is_connected_with_the_numbers_and_not_asked_before_they_can_be_read(
    qtbot: QtBot, app_port: RecordingApp
) -> None:
    page = WelcomePage(app_port)
    qtbot.addWidget(page)
    page.form.url.set_text(URL)
    typed(page.form.plan, "enterprise", "x")
    page.form.button.click()
    assert app_port.asked == []
    typed(page.form.plan, "enterprise", "600")
    page.form.button.click()
    assert app_port.asked[-1] == ("connect", ("shop.example", URL, "", Plan("enterprise", 600, None)))


# ---------------------------------------------------------------- settings


def settings_of(window: MainWindow) -> ConnectionDialog:
    window.parts.actions["connectionSettings"].trigger()
    dialog = opened(window, "connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    return dialog


@pytest.fixture
def enterprise(open_window: OpenWindow, shop: RecordingShop) -> MainWindow:
    shop.connection = ShopConnection(shop.name, "riverside", URL, "enterprise", per_minute=1_200)
    return open_window()


def test_settings_show_what_there_is_but_the_key_and_change_only_what_was_changed(
    enterprise: MainWindow, app_port: RecordingApp, shop: RecordingShop
) -> None:
    dialog = settings_of(enterprise)
    shown = {edit.objectName(): edit.text() for edit in dialog.findChildren(QLineEdit)}
    assert shown == {
        "urlField": URL,
        "keyField": "",
        "nameField": shop.name,
        "perMinuteField": "1,200",
        "perDayField": "",
        "documentField": "",
        "caFileField": "",
    }
    dialog.plan.day.set_text("20,000")
    dialog.accept()
    settings = ConnectionSettings(shop.name, Plan("enterprise", 1_200, 20_000))
    assert app_port.asked == [("change", ("riverside", settings, ""))]
    assert not dialog.isVisible()


def test_the_dialog_is_as_high_as_what_it_asks(qtbot: QtBot, enterprise: MainWindow) -> None:
    dialog = settings_of(enterprise)
    dialog.plan.choice.set_value("pro")
    dialog.plan.choice.set_value("enterprise")
    (area,) = dialog.findChildren(Scrolled)
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible())
    before = dialog.height()
    dialog.plan.choice.set_value("pro")
    qtbot.waitUntil(lambda: dialog.height() < before)
    dialog.plan.choice.set_value("enterprise")
    qtbot.waitUntil(lambda: dialog.height() == before)
    dialog.reject()


def test_settings_that_were_not_changed_open_nothing_anew(enterprise: MainWindow, app_port: RecordingApp) -> None:
    dialog = settings_of(enterprise)
    dialog.accept()
    assert (dialog.isVisible(), app_port.asked) == (False, [])


def test_settings_that_cannot_be_kept_are_explained_and_stay_to_be_mended(
    enterprise: MainWindow, app_port: RecordingApp, shop: RecordingShop
) -> None:
    dialog = settings_of(enterprise)
    for field, text in ((dialog.plan.minute, "0"), (dialog.name, " ")):
        before = field.text()
        field.set_text(text)
        dialog.accept()
        assert (dialog.isVisible(), app_port.asked) == (True, [])
        field.set_text(before)
    app_port.recorded_shops.refusal = BadInput("name-taken")
    dialog.name.set_text("Riverside Pets")
    dialog.key.set_text("another")
    dialog.accept()
    assert "Another connection has this name" in words(dialog)
    app_port.recorded_shops.refusal = None
    dialog.name.set_text("Riverside Pets II")
    dialog.accept()
    (_, (known, settings, key)) = app_port.asked[-1]
    assert (known, settings.name, key, dialog.key.text()) == ("riverside", "Riverside Pets II", "another", "")


def test_everything_of_a_connection_can_be_changed_but_its_address(
    enterprise: MainWindow, app_port: RecordingApp, shop: RecordingShop
) -> None:
    dialog = settings_of(enterprise)
    dialog.colour.set_value("#1F8F8A")
    dialog.document.set_text("https://shop.example/openapi.json")
    dialog.ca_file.set_text("/etc/shop.pem")
    dialog.read_only.setChecked(True)
    dialog.accept()
    told = ("#1F8F8A", "https://shop.example/openapi.json", "/etc/shop.pem", True)
    settings = ConnectionSettings(shop.name, Plan("enterprise", 1_200, None), *told)
    assert app_port.asked == [("change", ("riverside", settings, ""))]


def test_forgetting_says_what_is_unsent_what_goes_and_what_stays_before_it_can_be_agreed_to(
    enterprise: MainWindow, app_port: RecordingApp
) -> None:
    told: list[Callable[[Forgetting], None]] = []
    app_port.recorded_shops.look_forgetting = lambda _, done: told.append(done)
    settings_of(enterprise).findChild(QAbstractButton, "forgetButton").click()
    dialog = opened(enterprise, "forgetDialog")
    assert not dialog.button.isEnabled()
    told[0](Forgetting(4, "/data/forgotten", unsure=1))
    said = words(dialog)
    assert "3 changes are not sent yet" in said and "/data/forgotten" in said
    assert "It is not known whether 1 change arrived: check at the service before you make it again." in said
    assert "keyring" in said and "ban" in said
    dialog.button.click()
    assert app_port.asked == [("forget", "riverside")]


def test_what_may_have_arrived_is_not_said_to_be_unsent_at_the_end(enterprise: MainWindow) -> None:
    open_forgotten(enterprise, "Riverside", 1, "/data/forgotten/riverside.csv", unsure=1)
    said = words(opened(enterprise, "forgottenDialog"))
    assert "It is not known whether 1 change arrived" in said
    assert "not sent" not in said


def test_where_no_keyring_was_found_no_key_is_said_to_be_removed(enterprise: MainWindow) -> None:
    open_forgotten(enterprise, "Riverside", 0, "", keyring=False)
    said = words(opened(enterprise, "forgottenDialog"))
    assert "No key was removed, because no keyring was found." in said
    assert "Its key and its data" not in said


def test_of_the_demo_shop_only_the_plan_can_be_chosen_and_counts_at_once(
    open_window: OpenWindow, shop: RecordingShop, app_port: RecordingApp
) -> None:
    shop.connection = ShopConnection("Demo shop", "", URL, "free", demo=True)
    window = open_window()
    window.parts.actions["connectionSettings"].trigger()
    dialog = opened(window, "connectionDialog")
    assert isinstance(dialog, DemoDialog)
    assert dialog.plan.choice.value() == "free"
    assert not [edit for edit in dialog.findChildren(QLineEdit) if edit.isVisible()]
    dialog.plan.choice.set_value("")
    dialog.plan.day.set_text("x")
    dialog.accept()
    assert (dialog.isVisible(), shop.asked_for("use_plan")) == (True, [])
    dialog.plan.day.set_text("")
    dialog.accept()
    assert (dialog.isVisible(), shop.asked_for("use_plan"), app_port.asked) == (False, [Plan("", None, None)], [])
