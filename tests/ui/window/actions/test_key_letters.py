"""Key letters of menus: in every language, no two that can be chosen on the same tab have the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.context.actions import ACTIONS, MENUS
from petstore_desktop.ui.text.translate import speak

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


def test_a_letter_that_stands_twice_is_found() -> None:
    assert twice(["&Open", "Cl&ose", "&Save", "Fish && Chips"]) == ["&Open", "Cl&ose"]
    assert twice(["開く(&O)", "閉じる(&o)"]) == ["開く(&O)", "閉じる(&o)"]
