"""What is wrong with a file, what is safe and what to do, and the list that is offered of what a damaged one held."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.sync.wire.events import Trouble
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, RecordingShop

CODES = ["disk-full", "read-only", "locked", "damaged", "too-new", "io-error", "cannot-open"]
FILE = "/srv/x/journal.db"


def storage_words(error: StorageError) -> tuple[str, str, str]:
    words = error_words(error)
    return words.what, words.safe, words.do


@pytest.mark.parametrize("code", CODES)
def test_an_act_that_was_not_saved_is_told_otherwise_than_a_file_that_does_not_open(code: str) -> None:
    act, opening = (storage_words(StorageError(code, path=FILE, **more)) for more in ({}, {"opening": True}))
    assert "the last change is not" in act[1]
    assert "last change" not in " ".join(opening)
    assert "nothing can be changed" in opening[1]
    assert "try again" not in opening[2]


def test_an_act_of_which_the_disk_does_not_say_whether_it_is_saved_is_not_said_to_be_lost() -> None:
    words = storage_words(StorageError("disk-full", path=FILE, unsure=True))
    assert "may be saved" in words[1]
    assert "not saved" not in " ".join(words) and "only if it is missing" in words[2]


@pytest.mark.parametrize(
    "code", [*CODES[1:], "migration-failed", "network-folder", "set-aside", "journal-set-aside", "journal-gone"]
)
def test_the_file_is_named(code: str) -> None:
    assert FILE in storage_words(StorageError(code, path=FILE, opening=True))[0]


def test_what_cannot_be_read_is_said_to_be_listed_with_what_is_left_of_it() -> None:
    error = StorageError("journal-listed", path=FILE, list="/srv/x/list.csv", count=20, lost=2)
    assert "2 of them cannot be read" in storage_words(error)[1]


@pytest.mark.parametrize(("count", "said"), [(1, "One change that was"), (2_000, "2,000 changes that were")])
def test_the_list_of_what_a_damaged_journal_held_is_named_with_its_number(count: int, said: str) -> None:
    words = storage_words(StorageError("journal-listed", path=FILE, list="/srv/x/list.csv", count=count))
    assert FILE in words[0]
    assert said in words[1] and "/srv/x/list.csv" in words[1]


@pytest.mark.parametrize(("count", "said"), [(1, "One change was"), (2_000, "2,000 changes were")])
def test_what_waits_for_another_address_is_told_with_its_number_and_that_address(count: int, said: str) -> None:
    words = storage_words(StorageError("changes-elsewhere", path=FILE, address="https://old:443/v1", count=count))
    assert said in words[0] and "https://old:443/v1" in words[0]


def test_the_list_is_offered_in_the_window(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    listed = tmp_path / "journal.unsent.csv"
    error = StorageError("journal-listed", path=FILE, list=str(listed), count=3)
    shop.events.tell(Trouble(CONNECTION, error), Trouble(CONNECTION, StorageError("set-aside", path="mirror.db")))
    qtbot.waitUntil(lambda: bool(window.findChildren(ErrorDialog)))
    dialogs = window.findChildren(ErrorDialog)
    offers = [button for one in dialogs for button in one.findChildren(QPushButton, "openList")]
    assert len(offers) == 1
    offers[0].click()
    assert opened == [QUrl.fromLocalFile(str(listed))]
    for dialog in dialogs:
        dialog.accept()


def test_what_is_told_at_each_start_is_told_until_a_person_has_closed_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tmp_path: Path
) -> None:
    mark = tmp_path / "journal.db.damaged-1.told"
    shop.events.tell(Trouble(CONNECTION, StorageError("journal-set-aside", path=FILE, told=str(mark))))
    qtbot.waitUntil(lambda: bool(window.findChildren(ErrorDialog)))
    assert not mark.exists()
    (dialog,) = window.findChildren(ErrorDialog)
    dialog.accept()
    qtbot.waitUntil(mark.exists)
