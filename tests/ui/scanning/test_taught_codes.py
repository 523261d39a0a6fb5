"""Taught codes: listed, forgotten, exported and imported; Undo takes each back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.ui.scanning.taught_codes import CodesDialog, TaughtCodes
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import spoken_words
from tests.ui.recording_shop import RecordingShop

EAN, UPC = "4006381333931", "036000291452"
KOI = Ref(Resource.PETS, 1234)


@pytest.fixture
def codes(window: MainWindow) -> TaughtCodes:
    return window.after_paint.scanning.codes


@pytest.fixture
def dialog(window: MainWindow, codes: TaughtCodes) -> CodesDialog:
    window.parts.actions["barCodes"].trigger()
    (shown,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, CodesDialog) and one.isVisible()]
    return shown


def test_codes_are_listed_with_their_pets_and_forgotten(
    window: MainWindow, shop: RecordingShop, codes: TaughtCodes, dialog: CodesDialog
) -> None:
    assert dialog.nothing.isVisible() and not dialog.remove.isEnabled() and not dialog.export.isEnabled()
    codes.teach(EAN, KOI)
    codes.teach(UPC, Ref(Resource.PETS, 877))
    shown = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert [UPC in shown[0], "#877" in shown[0], EAN in shown[1], "Koi" in shown[1]] == [True] * 4
    dialog.list.setCurrentRow(1)
    QTest.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert shop.views.codes == Codes({UPC: (877,)}) == shop.desk.codes
    dialog.accept()
    window.parts.actions["undo"].trigger()
    assert shop.views.codes == Codes({UPC: (877,), EAN: (1234,)})


def test_codes_go_to_a_file_and_come_from_one(
    window: MainWindow, shop: RecordingShop, codes: TaughtCodes, dialog: CodesDialog
) -> None:
    codes.teach(EAN, KOI)
    codes.write("here.json")
    assert shop.views.code_files == {"here.json": Codes({EAN: (1234,)})}
    shop.views.code_files["there.json"] = Codes({EAN: (877,), UPC: (1234,)})
    codes.read("there.json")
    assert shop.views.codes == Codes({EAN: (1234, 877), UPC: (1234,)}), "a code of both means the pets of both"
    codes.read("there.json")
    dialog.accept()
    window.parts.actions["undo"].trigger()
    assert shop.views.codes == Codes({EAN: (1234,)})
    window.parts.actions["redo"].trigger()
    assert shop.views.codes == Codes({EAN: (1234, 877), UPC: (1234,)})


def test_what_cannot_be_read_or_written_is_said(window: MainWindow, shop: RecordingShop, codes: TaughtCodes) -> None:
    codes.read("no.json")
    (said,) = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window]
    assert shop.desk.codes == Codes() and "no.json" in spoken_words(said)
    said.close()
    shop.views.trouble = StorageError("cannot-write", path="x.json")
    codes.write("x.json")
    assert [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window]


def test_a_code_is_kept_only_for_a_pet_that_the_service_knows(shop: RecordingShop, codes: TaughtCodes) -> None:
    codes.teach(EAN, Ref(Resource.PETS, LocalId.new()))
    shop.desk.codes = None
    codes.teach(EAN, KOI)
    assert not shop.views.codes, "the file is still being read"
