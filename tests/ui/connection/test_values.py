"""Values that a service needs beside the records: asked for once, kept with the connection."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Contract
from petstore_desktop.domain.checks import About, Check
from petstore_desktop.domain.commands import ServiceKey, ServiceValue
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.ui.connection.connect import ConnectForm
from petstore_desktop.ui.connection.connection import ConnectionDialog
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import RecordingApp, RecordingShop, full_contract, report_of
from tests.ui.records.test_record_dialogs import opened

URL = "https://shop.example/v1"
ALL = ("pets.list", "categories.list", "orders.list", "inventory.list")
SHOP = ServiceValue("shopId", "path", "Which of your shops", "17", operations=ALL)
REGION = ServiceValue("X-Region", "header", "", "", ("north", "south"), ("inventory.list",))
NEEDED = Check(About.DOCUMENT, False, "document-values", {"names": "shopId"}, DocumentUnusable("document-values"))


@pytest.fixture
def form(qtbot: QtBot, app_port: RecordingApp) -> ConnectForm:
    page = WelcomePage(app_port)
    qtbot.addWidget(page)
    page.show()
    app_port.report = replace(report_of(NEEDED), values=(SHOP, REGION))
    page.form.url.set_text(URL)
    page.form.key.set_text("key-4711")
    page.form.button.click()
    return page.form


def edit_of(form: ConnectForm, name: str) -> QLineEdit:
    found = form.findChild(QLineEdit, f"valueField {name}")
    assert isinstance(found, QLineEdit)
    return found


def region_of(form: ConnectForm) -> ChoiceField:
    found = form.values.fields["header", "X-Region"]
    assert isinstance(found, ChoiceField)
    return found


def test_each_value_has_a_field_with_the_documents_words_and_the_first_has_the_keyboard(form: ConnectForm) -> None:
    shop, region = edit_of(form, "shopId"), region_of(form)
    assert shop.isVisible()
    assert shop.accessibleName() == "shopId"
    assert "Which of your shops" in shop.accessibleDescription()
    assert "17" in shop.placeholderText()
    assert [region.box.itemData(n) for n in range(region.box.count())] == ["", "north", "south"]
    assert region.box.accessibleName() == "X-Region"
    assert "Not possible without it: see the stock." in region.box.accessibleDescription()
    assert form.values.first_empty() is form.values.fields["path", "shopId"]
    assert form.button.words() == "Test and connect"


def test_what_is_typed_is_tested_and_kept(form: ConnectForm, app_port: RecordingApp) -> None:
    QTest.keyClicks(edit_of(form, "shopId"), "42")
    region_of(form).set_value("south")
    app_port.report = replace(report_of(), values=(SHOP, REGION))
    form.button.click()
    assert [name for name, _ in app_port.asked] == ["check", "check", "connect"]
    assert [inputs.values for inputs in app_port.inputs[1:]] == [{"shopId": "42", "X-Region": "south"}] * 2


def test_a_value_that_cannot_be_sent_is_said_at_its_field(form: ConnectForm, app_port: RecordingApp) -> None:
    edit_of(form, "shopId").setText("..")
    form.button.click()
    assert edit_of(form, "shopId").accessibleDescription() == "This value cannot be sent."
    assert [name for name, _ in app_port.asked] == ["check"]


def test_what_is_not_needed_stands_in_nobodys_way(form: ConnectForm, app_port: RecordingApp) -> None:
    app_port.report = replace(report_of(Check(About.LIMITS, False, "limits-absent")), values=(REGION,))
    form.button.click()
    assert edit_of(form, "shopId").isHidden() or not edit_of(form, "shopId").isVisible()
    assert form.button.words() == "Connect"
    form.button.click()
    assert app_port.inputs[-1].values == {}


def test_a_service_that_does_not_answer_now_is_asked_with_the_same_values(
    form: ConnectForm, app_port: RecordingApp
) -> None:
    edit_of(form, "shopId").setText("42")
    app_port.report = report_of(
        Check(About.ADDRESS, False, "refused", {"host": "x"}), Check(About.DOCUMENT, None, "not-reached")
    )
    form.button.click()
    assert edit_of(form, "shopId").isVisible()
    assert app_port.inputs[-1].values == {"shopId": "42"}


# ---------------------------------------------------------------- settings


def settings_of(qtbot: QtBot, window: MainWindow, shop: RecordingShop, contract: Contract) -> ConnectionDialog:
    shop.tell_ready(contract)
    qtbot.waitUntil(lambda: shop.desk.contract is not None)
    window.parts.actions["connectionSettings"].trigger()
    dialog = opened(window, "connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    return dialog


def test_settings_show_a_known_value_and_ask_for_a_missing_one(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop, app_port: RecordingApp
) -> None:
    shop.connection = ShopConnection(shop.name, "riverside", URL, bindings={"parameters.shopId": "42"})
    contract = replace(full_contract(), values=(SHOP, REGION), by_hand={"parameters.shopId": "42"})
    assert contract.missing_values == (REGION,)
    dialog = settings_of(qtbot, open_window(), shop, contract)
    known = dialog.findChild(QLineEdit, "valueField shopId")
    assert isinstance(known, QLineEdit)
    assert (known.text(), known.isReadOnly()) == ("42", True)
    region = dialog.values.fields["header", "X-Region"]
    assert isinstance(region, ChoiceField)
    region.set_value("north")
    dialog.accept()
    (asked,) = [arguments for name, arguments in app_port.asked if name == "change"]
    assert asked[1].values == {"X-Region": "north"}


def test_of_several_keys_each_says_where_it_goes_and_all_that_is_missing_is_asked_for_at_once(
    qtbot: QtBot, form: ConnectForm, app_port: RecordingApp
) -> None:
    keys = (
        ServiceKey("", "appId", place="header", parameter="X-App-Id"),
        ServiceKey("apiKey", "apiKey", place="query", parameter="key"),
    )
    missing = Check(About.KEY, False, "key-missing", {"key": "apiKey"})
    app_port.report = replace(report_of(missing, NEEDED), values=(SHOP,), keys=keys)
    form.button.click()
    second = form.keys.further["apiKey"]
    assert "appId (header X-App-Id)" in plain_of(form.key)
    assert "apiKey (in the address, as key)" in plain_of(second)
    assert form.key.text() == "key-4711"
    qtbot.waitUntil(second.edit.hasFocus)
    assert edit_of(form, "shopId").isVisible()
    assert form.findings.advice.text() == "Fill in the empty fields above."


def plain_of(field: FormField) -> str:
    """The label without the marks that keep foreign words apart."""
    return "".join(letter for letter in field.label.text() if letter.isprintable())
