"""Key letters of menus: in every language, no two that can be chosen on the same tab have the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, ROW_MENUS, Need
from petstore_desktop.ui.lists.list_extras import HeaderMenu
from petstore_desktop.ui.text.translate import speak
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of

ORDERS, STOCK = Resource.ORDERS, Resource.INVENTORY
OF_BLOCKS = {"copyWithHeaders", "fillSelection", "selectRows", "selectColumns", "freezeColumns"}
"""Of a block of cells, or of columns: the menu bar has them."""
LANGUAGES = ("en", "de", "fr", "es", "pt_BR", "ar", "ja")


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    before, direction = QLocale(), qapp.layoutDirection()
    speak(qapp, request.param)
    yield request.param
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


def letter(text: str) -> str:
    """The letter after the mark; empty without one."""
    found = re.search(r"&(\w)", text.replace("&&", ""))
    return found[1].casefold() if found else ""


def twice(texts: list[str]) -> list[str]:
    counted = Counter(filter(None, map(letter, texts)))
    return [text for text in texts if counted[letter(text)] > 1 and letter(text)]


@pytest.mark.usefixtures("language")
def test_no_two_menus_have_the_same_letter() -> None:
    titles = [title() for _, title in MENUS]
    assert all(map(letter, titles))
    assert twice(titles) == []


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("tab", list(Resource))
def test_no_two_entries_that_fit_a_tab_have_the_same_letter(tab: Resource) -> None:
    for name, _ in MENUS:
        texts = [spec.text() for spec in ACTIONS if spec.menu == name and (not spec.only or tab in spec.only)]
        assert len(texts) > 2, name
        assert twice(texts) == [], (name, tab)


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("tab", list(Resource))
def test_no_two_entries_of_a_rows_menu_have_the_same_letter(tab: Resource) -> None:
    words = {spec.name: spec.text() for spec in ACTIONS}
    assert twice([words[name] for name in ROW_MENUS[tab] if name]) == []


@pytest.mark.parametrize("tab", list(Resource))
def test_what_is_done_with_rows_stands_in_their_menu(tab: Resource) -> None:
    of_rows = {spec.name for spec in ACTIONS if spec.need is not Need.NOTHING and (not spec.only or tab in spec.only)}
    assert of_rows - set(ROW_MENUS[tab]) <= OF_BLOCKS | ({"editCell"} if tab in (ORDERS, STOCK) else set()), tab


def test_no_two_entries_of_a_columns_menu_have_the_same_letter(qapp: QApplication, window: MainWindow) -> None:
    before, pets = QLocale(), tab_of(window)
    pets.columns.freeze("name")
    for language in LANGUAGES:
        speak(qapp, language)
        menu = HeaderMenu(pets).menu_for(1)
        assert len(menu.actions()) > 10
        assert twice([action.text() for action in menu.actions()]) == [], language
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_a_letter_that_stands_twice_is_found() -> None:
    assert twice(["&Open", "Cl&ose", "&Save", "Fish && Chips"]) == ["&Open", "Cl&ose"]
    assert twice(["開く(&O)", "閉じる(&o)"]) == ["開く(&O)", "閉じる(&o)"]
