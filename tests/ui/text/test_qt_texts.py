"""What Qt itself says in the window (menus of text fields, buttons of its dialogs) is said in the person's language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QMessageBox, QPlainTextEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.text.translate import speak

LANGUAGES = ("de", "fr", "es", "pt_BR", "ar", "ja")
SAME = {"fr": {"Pages", "Options >>"}, "es": {"Color", "No"}}
"""Words that a language has in common with English."""
NOT_IN_QT = {"Long side binding", "Short side binding", "Off", "Pages"}
"""Words of the printer's dialog that Qt 6.11 translates into few languages; the program has no part in them."""


@pytest.fixture
def back(qapp: QApplication) -> Iterator[None]:
    before, direction = QLocale(), qapp.layoutDirection()
    yield
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


def shown() -> list[str]:
    """The words of a text field's menu, of a larger one's, and of the dialogs for questions, files and printers."""
    found = list[str]()
    for field in (QLineEdit("text"), QPlainTextEdit("text")):
        menu = field.createStandardContextMenu()
        found += [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
        menu.deleteLater()
    buttons = QMessageBox.StandardButton
    box = QMessageBox()
    box.setStandardButtons(buttons.Yes | buttons.No | buttons.Cancel | buttons.Apply | buttons.Discard)
    files = QFileDialog()
    files.setOption(QFileDialog.Option.DontUseNativeDialog)
    printing = QPrintDialog(QPrinter())
    for dialog in (box, files, printing):
        found += [button.text().replace("&", "") for button in dialog.findChildren(QAbstractButton) if button.text()]
        dialog.deleteLater()
    return found


@pytest.mark.usefixtures("back")
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_is_left_and_it_comes_back_at_once(qtbot: QtBot, qapp: QApplication, language: str) -> None:
    speak(qapp, "en")
    english = shown()
    assert any("Undo" in word for word in english) and "Cancel" in english and len(english) > 20
    speak(qapp, language)
    own = shown()
    assert len(own) == len(english)
    same = {word for word, before in zip(own, english, strict=True) if word == before and any(map(str.isalpha, word))}
    assert same - SAME.get(language, set()) - NOT_IN_QT == set()
    speak(qapp, "en")
    assert shown() == english
