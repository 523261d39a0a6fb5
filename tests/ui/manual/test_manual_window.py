"""F1 shows the manual at the page that fits the place, in a window that is searched, walked through and printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QPdfWriter
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop import ui
from petstore_desktop.ui.base.theme import DARK, ThemeController
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.context.actions import STATIONS
from petstore_desktop.ui.context.navigation import PAGES as ACTIVITY_PAGES
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TABS
from petstore_desktop.ui.manual.manual_text import page_html, picture, print_pages
from petstore_desktop.ui.manual.manual_window import FIRST, PLACES, ManualWindow, open_manual, page_at
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.text.manual import ENGLISH, LANGUAGES, PAGES, find_pages, manual_language, manual_pages
from petstore_desktop.ui.text.translate import speak, tr
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.pdf_text import PdfReader
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingApp

Key = Qt.Key
UI = Path(ui.__file__).parent
OF_FILES = re.compile(r"FileDialog$|^(?:pdfFile|exportFile|printer|(?:im|ex)port(?:Codes|Views)|export)Dialog$")
"""Dialogs of the system: they choose a file or a printer."""


@pytest.fixture(autouse=True)
def put_away() -> Iterator[None]:
    """Close the manual at the end of a test."""
    yield
    for shown in [one for one in QApplication.topLevelWidgets() if isinstance(one, ManualWindow)]:
        shown.close()
    QApplication.processEvents()


def shown(qtbot: QtBot) -> ManualWindow:
    """The manual, once it shows a page."""
    (manual,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, ManualWindow) and one.isVisible()]
    qtbot.waitUntil(lambda: manual.text.page is not None)
    return manual


def page_of(manual: ManualWindow) -> str:
    assert manual.text.page is not None
    return manual.text.page.name


def titles(manual: ManualWindow) -> list[str]:
    return [manual.list.item(row).text() for row in range(manual.list.count())]


# ---------------------------------------------------------------- places


def test_every_tab_page_plate_and_dialog_has_a_page() -> None:
    source = "\n".join(file.read_text("utf-8") for file in sorted(UI.rglob("*.py")) if file.parent.name != "manual")
    named = set(re.findall(r'"([a-z]\w*(?:Dialog|Popup|Plate|Banner))"', source))
    assert len(named) > 40
    assert {name for name in named if name not in PLACES and not OF_FILES.search(name)} == set()
    tabs = {f"{name}Tab" for name in TABS if name != ACTIVITY} | {
        f"{name}Page" for name in (*ACTIVITY_PAGES, *STATIONS)
    }
    assert tabs | {"comparePage", "welcomePage"} <= PLACES.keys()
    written = {*re.findall(r'"([a-z]\w*)"', source), *tabs}
    assert set(PLACES) <= written, "a place that is gone"


def test_every_place_has_a_page_in_english() -> None:
    assert {*PLACES.values(), FIRST} <= set(PAGES)
    assert all(page.language == ENGLISH for page in manual_pages(ENGLISH))


def test_f1_shows_the_page_of_the_tab(qtbot: QtBot, window: MainWindow) -> None:
    for tab in TABS:
        window.show_tab(tab)
        window.focus_list()
        expect_page(qtbot, window, window, PLACES["waitingPage" if tab == ACTIVITY else f"{tab}Tab"])


PAGES_OF_ACTIONS = {
    "showWaiting": "offline",
    "showReview": "attention",
    "showChanges": "compare",
    "showRequests": "limits",
    "compareDays": "compare",
    "receive": "receive",
    "stocktake": "stocktake",
    "labels": "labels",
    "find": "filter",
    "palette": "jump",
}


def test_f1_shows_the_page_of_what_has_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    for action, page in PAGES_OF_ACTIONS.items():
        window.show_tab("pets")
        window.focus_list()
        window.parts.actions[action].trigger()
        expect_page(qtbot, window, QApplication.focusWidget() or window, page)


def expect_page(qtbot: QtBot, window: MainWindow, widget: QWidget, page: str) -> None:
    """F1 shows it, in a manual that was not there before and is closed again."""
    qtbot.keyClick(widget, Key.Key_F1)
    manual = shown(qtbot)
    qtbot.waitUntil(lambda: page_of(manual) == page)
    manual.close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


DIALOGS = (
    ("newPet", "newPetDialog", "pets"), ("newOrder", "newOrderDialog", "orders"), ("print", "printDialog", "export"),
    ("preferences", "preferencesDialog", "accessibility"), ("report", "reportDialog", "report"),
    ("help", "helpDialog", "keyboard"),
)  # fmt: skip


def test_f1_is_heard_in_a_dialog_which_stays_usable(qtbot: QtBot, window: MainWindow) -> None:
    for action, dialog, page in DIALOGS:
        window.parts.actions[action].trigger()
        expect_page_of_dialog(qtbot, window, dialog, page)


def expect_page_of_dialog(qtbot: QtBot, window: MainWindow, dialog: str, page: str) -> None:
    """F1 in this dialog shows that page, beside it."""
    (opened,) = [one for one in window.findChildren(QDialog) if one.objectName() == dialog and one.isVisible()]
    fields = [one for one in opened.findChildren(QLineEdit) if one.isVisible() and one.isEnabled()]
    qtbot.keyClick(fields[0] if fields else opened, Key.Key_F1)
    manual = shown(qtbot)
    qtbot.waitUntil(lambda: page_of(manual) == page)
    assert manual.parentWidget() is None  # a modal dialog does not block it
    qtbot.keyClicks(manual.field, "ok")
    assert manual.field.text() == "ok"
    assert opened.isVisible()
    manual.field.clear()
    opened.reject()


class Reader(RecordingApp):
    """Counts how often the manual was asked for."""

    opened = 0

    def open_manual(self) -> None:
        self.opened += 1


def test_f1_is_heard_on_the_welcome_page(qtbot: QtBot) -> None:
    reader = Reader()
    page = WelcomePage(reader)
    qtbot.addWidget(page)
    page.show()
    qtbot.keyClick(page.demo, Key.Key_F1)
    assert reader.opened == 1
    page.findChild(QWidget, "manualLink").click()
    assert reader.opened == 2


def test_keys_and_marks_are_still_one_key_away(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert dialog.objectName() == "helpDialog"
    dialog.reject()


def test_a_widget_nobody_named_has_no_page(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    assert page_at(widget) == page_at(None) == ""


# ---------------------------------------------------------------- the window


def test_links_lead_on_and_back(qtbot: QtBot) -> None:
    open_manual("stock")
    manual = shown(qtbot)
    assert titles(manual) == [page.title for page in manual_pages(ENGLISH)]
    assert manual.list.currentItem().text() == "Stock"
    assert not manual.back.isEnabled()
    manual.text.anchorClicked.emit(QUrl("receive.md"))
    assert page_of(manual) == "receive"
    qtbot.keyClick(manual, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert page_of(manual) == "stock"
    qtbot.keyClick(manual, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert page_of(manual) == "receive"
    manual.text.anchorClicked.emit(QUrl("../en/labels.md"))
    assert page_of(manual) == "labels"


def test_tab_goes_from_link_to_link_and_enter_follows_one(qtbot: QtBot) -> None:
    open_manual("stock")
    manual = shown(qtbot)
    qtbot.waitUntil(manual.text.hasFocus)
    qtbot.keyClick(manual.text, Key.Key_Tab)
    assert manual.text.textCursor().selectedText() == "Receive goods"
    qtbot.keyClick(manual.text, Key.Key_Return)
    assert page_of(manual) == "receive"


@pytest.mark.parametrize("address", ["https://shop.example/x.md", "file:///x.md", "mailto:x@shop.example", "x.exe"])
def test_nothing_else_is_opened(qtbot: QtBot, address: str) -> None:
    open_manual("stock")
    manual = shown(qtbot)
    manual.text.anchorClicked.emit(QUrl(address))
    assert page_of(manual) == "stock"
    assert picture(address, 100) is None


def test_ctrl_f_finds_pages_by_their_words_and_marks_them(qtbot: QtBot) -> None:
    open_manual("stock")
    manual = shown(qtbot)
    qtbot.keyClick(manual, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(manual.field.hasFocus)
    qtbot.keyClicks(manual.field, "blind COUNT")
    assert titles(manual) == ["Stocktake"]
    qtbot.keyClick(manual.field, Key.Key_Return)
    assert page_of(manual) == "stocktake"
    assert manual.text.extraSelections()
    qtbot.keyClick(manual, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(manual.field, "qqqq")
    assert titles(manual) == []
    assert manual.nothing.isVisible()
    qtbot.keyClick(manual.field, Key.Key_Escape)
    assert manual.field.text() == ""
    assert manual.isVisible()
    qtbot.keyClick(manual.field, Key.Key_Down)
    assert manual.list.hasFocus()
    qtbot.keyClick(manual.list, Key.Key_Escape)
    assert not manual.isVisible()


def test_there_is_one_manual_which_comes_forward_with_the_next_page(qtbot: QtBot) -> None:
    first = open_manual("stock")
    assert open_manual("labels") is first
    assert page_of(shown(qtbot)) == "labels"
    first.close()
    assert open_manual("pets") is not first


def test_it_takes_the_colours_of_the_theme_at_once(qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    themes = ThemeController(application, "light")
    open_manual("stock")
    manual = shown(qtbot)
    themes.set_preference("dark")
    qtbot.waitUntil(lambda: DARK["text"].lower() in manual.text.toHtml().lower())
    themes.set_preference("light")
    qtbot.waitUntil(lambda: DARK["text"].lower() not in manual.text.toHtml().lower())


def test_a_page_of_the_manual_is_printed(qtbot: QtBot, tmp_path: Path) -> None:
    open_manual("stock")
    manual = shown(qtbot)
    qtbot.keyClick(manual, Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = manual.findChildren(QPrintDialog)
    assert dialog.printer().docName() == "Stock"
    dialog.reject()
    file = tmp_path / "manual.pdf"
    writer = QPdfWriter(str(file))
    pages = {page.name: page for page in manual_pages(ENGLISH)}
    print_pages([pages["stock"], pages["receive"]], writer)
    del writer
    words = " ".join("".join(PdfReader(file.read_bytes()).words()).split())
    for heading in ("Know what is low", "Step by step"):
        assert heading.replace(" ", "") in words.replace(" ", "")


# ---------------------------------------------------------------- languages


@pytest.fixture
def spoken(qapp: QApplication) -> Iterator[Callable[[str], None]]:
    """Makes the window speak a language; in the end it is as before."""
    before, direction = QLocale(), qapp.layoutDirection()
    yield partial(speak, qapp)
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


@pytest.mark.parametrize(
    ("chosen", "language"),
    [("de_AT", "de"), ("pt_BR", "pt_BR"), ("pt_PT", "pt_BR"), ("ar_EG", "ar"), ("ja_JP", "ja"), ("sv_SE", ENGLISH)],
)
def test_pages_are_in_the_language_of_the_texts(spoken: Callable[[str], None], chosen: str, language: str) -> None:
    spoken(chosen)
    assert manual_language() == language


def test_another_language_reaches_the_whole_open_manual(qtbot: QtBot, spoken: Callable[[str], None]) -> None:
    spoken("ar")
    open_manual("stock")
    manual = shown(qtbot)
    assert manual.back.words() == "رجوع"
    spoken("de")
    qtbot.waitUntil(lambda: manual.back.words() == "Zurück")
    assert [one.words() for one in (manual.back, manual.forward, manual.print_page)] == [
        "Zurück",
        "Vorwärts",
        "Drucken…",
    ]
    assert manual.field.placeholderText() == manual.field.accessibleName() == "Handbuch durchsuchen"
    qtbot.waitUntil(lambda: manual.text.page is not None and manual.text.page.language == "de")
    pages = {page.title: page.language for page in manual_pages("de")}
    languages = [pages.get(title, "") for title in titles(manual)]
    translated = languages.count("de")
    assert languages == ["de"] * translated + [""] + [ENGLISH] * (len(pages) - translated)
    manual.list.setCurrentRow(translated - 1)
    qtbot.keyClick(manual.list, Key.Key_Down)
    assert manual.list.currentRow() == translated + 1, "the heading is no page"


def test_where_digits_are_arabic_and_the_texts_english_numbers_are_written_as_english_ones(
    spoken: Callable[[str], None],
) -> None:
    spoken("ckb_IQ")
    assert (tr("{n} pets", "", 12), QLocale().language()) == ("12 pets", QLocale.Language.English)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_a_language_does_not_have_is_in_english(language: str) -> None:
    spoken = {page.name: page.language for page in manual_pages(language)}
    assert spoken["stock"] == language
    assert spoken["labels"] == ENGLISH
    assert list(spoken) == list(PAGES)


def test_pages_are_found_by_all_words_first_by_their_titles() -> None:
    found = [page.name for page in find_pages(manual_pages(ENGLISH), "labels")]
    assert found[0] == "labels"
    assert len(found) > 3
    assert find_pages(manual_pages("ar"), "الجرد")[0].name == "stocktake"
    assert find_pages(manual_pages(ENGLISH), "") == list(manual_pages(ENGLISH))


def test_what_a_page_says_is_shown_letter_by_letter() -> None:
    html = page_html("# A & B\n\nType `<b>` or `a\\|b`, **C**.\n\n| x | y |\n|---|---|\n| 1 | `p\\|q` |", rtl=False)
    assert "<h1>A &amp; B</h1>" in html
    assert "&lt;b&gt;" in html
    assert "a|b" in html
    assert "p|q" in html
    assert html.count("<td") == 4
    assert page_html("| x | y |\n|---|---|", rtl=True).index("y") < page_html("| x | y |\n|---|---|", rtl=True).index(
        "x</td>"
    )


# ---------------------------------------------------------------- Ctrl+K


def test_ctrl_k_finds_pages_last_and_opens_them(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    window.parts.actions["palette"].trigger()
    popup = window.findChild(QWidget, "palettePopup")
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClicks(window.palette_field, "blind")
    ids = popup.model
    qtbot.waitUntil(lambda: ids.rowCount() > 0 and ids.rows[0].id == "manual:stocktake")
    window.palette_field.setText("stocktake")
    qtbot.waitUntil(lambda: not popup.is_searching and ids.rowCount() > 1)
    found = [result.id for result in ids.rows]
    assert found[0] == "action:stocktake"
    assert found.index("manual:stocktake") > 0
    assert ids.index(found.index("manual:stocktake"), 0).data(CellRole).spoken == "Stocktake, Manual"
    window.palette_field.setText("blind")
    qtbot.waitUntil(lambda: not popup.is_searching and ids.rowCount() == 1)
    qtbot.keyClick(window.palette_field, Key.Key_Return)
    assert page_of(shown(qtbot)) == "stocktake"
    assert tab_of(window) is tab
