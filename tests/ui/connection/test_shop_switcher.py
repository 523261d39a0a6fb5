"""Other shops in the window: the list to choose from, their colours, their news, and a connection that is read-only."""

from __future__ import annotations

from html import unescape

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from petstore_desktop.preferences import ShopConnection
from petstore_desktop.ui.connection.connection import SWATCHES, SwatchField
from petstore_desktop.ui.connection.shop_switcher import (
    elsewhere_words,
    news_words,
    standing_words,
    unsent_elsewhere_words,
)
from petstore_desktop.ui.context.ports import ShopFacts, ShopNews
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import CONNECTION, RecordingApp, RecordingShop, small_shop

HERE = ShopFacts(CONNECTION, "Riverside Pets", "#1F8F8A", shown=True, unsent=3)
HEBEL = ShopFacts("hebel", "Hebel & Söhne", "#CE5F3B", unsent=4, needs=2, works=True)
UHLAND = ShopFacts("uhland", "Uhland", unsent=12, works=True, trouble="banned")
ARCHIVE = ShopFacts("archive", "Archive", read_only=True)
PLANES = ("#F3F3F1", "#FFFFFF", "#EDEDEA", "#17181A", "#1E1F22", "#26272B", "#2B2C31")
"""On which a mark may stand, light and dark (`7-looks`)."""


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def bright(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF()
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [colour for colour, _ in SWATCHES if colour])
def test_every_swatch_stands_out_from_every_plane(colour: str) -> None:
    for plane in PLANES:
        low, high = sorted((bright(colour), bright(plane)))
        assert (high + 0.05) / (low + 0.05) >= 3.0, plane


def test_a_swatch_is_chosen_by_key_and_named(qtbot: QtBot) -> None:
    field = SwatchField("Colour")
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    qtbot.waitUntil(field.isActiveWindow)
    field.set_value("")
    names = {button.accessibleName() for button in field.findChildren(type(field._swatches[0]))}
    assert len(names) == len(SWATCHES), "nothing is told by colour alone"
    QTest.keyClick(field._swatches[1], Qt.Key.Key_Space)
    assert field.value() == "#4A7DE0"
    field._swatches[1].setFocus()
    QTest.keyClick(field._swatches[1], Qt.Key.Key_Right)
    assert field.value() == "#1F8F8A"
    field.set_value("#123456")
    assert field.value() == "#123456", "a colour of another version is kept"


def test_each_shop_says_how_it_stands() -> None:
    said = [standing_words(shop) for shop in (HERE, HEBEL, UHLAND, ARCHIVE)]
    assert said == ["in this window, 3 unsent", "4 unsent, 2 need attention", "key banned, 12 unsent", "read-only"]


def test_the_status_bar_names_the_one_shop_that_needs_somebody_and_counts_several() -> None:
    assert elsewhere_words([HERE]) == ("", False)
    words, needs = elsewhere_words([HERE, HEBEL])
    assert (plain(words), needs) == ("Hebel & Söhne needs attention", True)
    assert elsewhere_words([HERE, HEBEL, UHLAND]) == ("2 other shops need attention", True)
    assert elsewhere_words([HERE, ShopFacts("a", "A", unsent=4, works=True)]) == ("4 unsent elsewhere", False)
    assert elsewhere_words([HERE, ShopFacts("a", "A", unsent=4, read_only=True)]) == ("", False)


def test_every_news_names_its_shop_and_has_words_of_its_own() -> None:
    kinds = ("needs", "not-saved", "key", "banned", "failed")
    said = {news_words(ShopNews("hebel", "Hebel", kind, 2)) for kind in kinds}
    assert len(said) == len(kinds)
    assert all("Hebel" in words for words in said)


def test_at_closing_only_what_others_are_sending_is_counted() -> None:
    said = [plain(words) for words in unsent_elsewhere_words([HERE, HEBEL, ARCHIVE])]
    assert said == ["Hebel & Söhne: 4 changes unsent."]


@pytest.fixture
def window(open_window: OpenWindow, app_port: RecordingApp) -> MainWindow:
    app_port.recorded_shops.facts = [HERE, HEBEL, UHLAND, ARCHIVE]
    made = open_window()
    _ = made.after_paint
    return made


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_list_of_shops_opens_by_key_and_switches(window: MainWindow, app_port: RecordingApp) -> None:
    window.parts.actions["switchShop"].trigger()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    shown = [action.text() for action in menu.actions()]
    assert shown[1] == "Hebel && Söhne\t4 unsent, 2 need attention"
    assert not menu.actions()[1].icon().isNull()
    menu.actions()[1].trigger()
    menu.close()
    assert app_port.asked == [("switch", "hebel")]
    assert window.parts.actions["switchShop"].shortcut().toString() == "Ctrl+O"


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # as above
@pytest.mark.parametrize(
    ("typed", "slug"), [("u", "uhland"), ("hebel & s", "hebel"), ("söh", "hebel"), ("ARCH", "archive")]
)
def test_a_shop_is_chosen_by_typing_its_name(window: MainWindow, app_port: RecordingApp, typed: str, slug: str) -> None:
    window.parts.actions["switchShop"].trigger()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    for letter in typed:
        QTest.sendKeyEvent(QTest.KeyAction.Click, menu, Qt.Key.Key_unknown, letter, Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    menu.close()
    assert app_port.asked == [("switch", slug)]


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # as above
@pytest.mark.parametrize("listed", [False, True])
def test_the_demo_shop_can_be_gone_back_to(window: MainWindow, app_port: RecordingApp, *, listed: bool) -> None:
    app_port.recorded_shops.facts = [HERE, *([ShopFacts("demo", "Demo shop", demo=True)] if listed else [])]
    window.parts.actions["switchShop"].trigger()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    found = [action for action in menu.actions() if action.text() == "Open the demo shop"]
    assert len(found) == (not listed)
    for action in found:
        action.trigger()
        assert ("demo", None) in app_port.asked
    menu.close()


def test_news_of_another_shop_are_a_toast_that_leads_there(window: MainWindow, app_port: RecordingApp) -> None:
    app_port.recorded_shops.told(ShopNews("hebel", "Hebel", "needs", 2))
    toast = window.after_paint.notifier.toast
    assert "Hebel" in toast.words()
    toast.undoRequested.emit()
    assert app_port.asked == [("switch", "hebel")]


def test_the_status_bar_follows_the_other_shops(window: MainWindow, app_port: RecordingApp) -> None:
    assert window.status.others.words() == "2 other shops need attention"
    app_port.recorded_shops.facts = [HERE]
    app_port.recorded_shops.changed()
    assert not window.status.others.isVisible()


def test_of_a_read_only_connection_every_act_says_why_it_cannot_be_done(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    shop.connection = ShopConnection(shop.name, CONNECTION, "https://shop.example/v1", read_only=True)
    shop.desk.shop.read_only = True
    window = open_window()
    _ = window.after_paint
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: window.tab().table.row_count == 4)
    window.tab().view.selectRow(0)
    QApplication.processEvents()
    for name in ("newPet", "newCategory", "edit", "delete", "setSold", "undo", "redo"):
        action = window.parts.actions[name]
        assert not action.isEnabled(), name
        assert "This connection is read-only (File > Connection settings)." in unescape(action.toolTip()), name
    for name in ("refresh", "checkLive", "copy"):
        assert window.parts.actions[name].isEnabled(), name
    assert window.status.read_only.isVisible()
