"""Every menu of the window: a letter means one thing, the button opens what the bar holds, Ctrl+K finds it all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar
from pytestqt.qtbot import QtBot

import translations
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.first_paint import screen_of
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, ROW_MENUS, SUBMENUS
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.palette.palette_texts import FOUND_BY, OWN, action_entries
from petstore_desktop.ui.text.manual import ENGLISH
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of


def double_letters(menu: QMenu | QMenuBar) -> list[str]:
    """The letters by which more than one visible entry of a menu is chosen."""
    texts = [action.text().replace("&&", "") for action in menu.actions() if action.isVisible()]
    counts = Counter(text[text.index("&") + 1].lower() for text in texts if "&" in text)
    return [letter for letter, count in counts.items() if count > 1]


def menus_of(window: MainWindow) -> Iterator[tuple[str, QMenu | QMenuBar]]:
    """The menus of the bar, and of the rows and the header of the list that is shown."""
    yield "bar", window.menus.bar
    yield from window.menus.menus.items()
    tab = window.tab()
    if tab is not None:
        yield "rows", window.parts.actions.menu_of(ROW_MENUS[tab.resource], tab)
        yield "header", tab.extras.header_menu.menu_for(len(tab.table.columns) - 1)


def test_no_letter_means_two_things_in_a_menu(window: MainWindow) -> None:
    for tab in TABS:
        window.show_tab(tab)
        assert {name: double for name, menu in menus_of(window) if (double := double_letters(menu))} == {}, tab


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_menu_button_opens_what_the_bar_holds_and_views_stand_in_it_once(window: MainWindow) -> None:
    window.menus.button.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [one.text() for one in menu.actions()] == [one.text() for one in window.menus.bar.actions()]
    assert window.menus.menus["views"].menuAction() not in menu.actions()
    assert window.menus.menus["views"].menuAction() in window.menus.menus["view"].actions()
    menu.close()


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_a_menu_that_is_higher_than_the_screen_scrolls_and_stays_one_column(window: MainWindow) -> None:
    menu = QMenu(window)
    menu.setStyleSheet(current().stylesheet())
    for number in range(80):
        menu.addAction(f"Entry {number}")
    menu.popup(window.mapToGlobal(QPoint(20, 20)))
    lefts = {menu.actionGeometry(action).left() for action in menu.actions()}
    high = menu.height()
    menu.close()
    assert len(lefts) == 1
    assert high <= screen_of(menu).height()


def test_the_palette_finds_every_action_and_most_by_further_words(window: MainWindow) -> None:
    entries = {entry.id: entry for entry in action_entries(window.parts.actions)}
    assert set(entries) == {f"action:{spec.name}" for spec in ACTIONS if spec.name != OWN}
    assert set(FOUND_BY) <= {spec.name for spec in ACTIONS}
    wanted = {"dark": "preferences", "csv": "exportList", "quota": "showQuota", "key": "changeKey", "log": "openLog"}
    assert {word for word, name in wanted.items() if word not in entries[f"action:{name}"].also + name.lower()} == set()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_escape_on_a_list_filtered_to_nothing_closes_the_menu_bar_then_drops_the_filter(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    tab.view.setFocus()
    for _ in range(2):
        tab.filters.use("zzz", {})
        qtbot.keyClick(tab.view, Qt.Key.Key_F10)
        assert window.menuBar().hasFocus()
        qtbot.keyClick(window.menuBar(), Qt.Key.Key_Escape)
        assert not window.menuBar().isVisible() and tab.view.hasFocus()
        qtbot.keyClick(window.status.shop, Qt.Key.Key_Escape)
        assert tab.table.filter_text == "" and tab.table.row_count


@pytest.mark.parametrize("language", [ENGLISH, *translations.FORMS])
def test_no_two_entries_of_a_menu_that_are_there_together_have_one_key_letter(language: str) -> None:
    texts = {} if language == ENGLISH else translations.read(language)

    def letter(title: Callable[[], str]) -> str:
        said = texts.get((title(), ""))
        found = re.search(r"&(\w)", title() if said is None else said.forms[0])
        return found[1].lower() if found else ""

    for tab in Resource:
        menus = {"": [title for _, title in MENUS]} | {name: [] for name, _ in MENUS}
        for spec in ACTIONS:
            if not spec.only or tab in spec.only:
                menus.setdefault(spec.menu or "none", []).append(spec.text)
        for _, above, title, _ in SUBMENUS:
            menus[above].append(title)
        menus.pop("none", None)
        menus["rows"] = [spec.text for spec in ACTIONS if spec.name in ROW_MENUS[tab]]
        for name, titles in menus.items():
            letters = Counter(filter(None, map(letter, titles)))
            assert [one for one, count in letters.items() if count > 1] == [], (tab, name)
