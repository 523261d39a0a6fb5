"""The protocol of a count: who counted what and when, as CSV and as PDF."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from pytestqt.qtbot import QtBot

from petstore_desktop.ui.paper.printed_list import CsvSaving
from petstore_desktop.ui.stocktake.protocol import ProtocolDialog, rows_of, titles
from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.pdf_text import PdfReader
from tests.ui.recording_shop import RecordingShop

KOI, BUDGIE = 1234, 877


def counted(page: StocktakePage) -> None:
    for pet, number in ((KOI, 25), (BUDGIE, 3)):
        page.take_scan(str(pet))
        page.count.number(number)
    page.take_scan("4006381333931")
    page.count.set_head(note="aisle 3")


def test_the_csv_has_each_line_with_what_was_expected_and_counted(
    page: StocktakePage, shop: RecordingShop, qtbot: QtBot, tmp_path: Path
) -> None:
    counted(page)
    path = tmp_path / "count.csv"
    saving = CsvSaving(page, shop, page.ways.say, titles(), rows_of(shop, page.count))
    saving.write(str(path))
    qtbot.waitUntil(path.is_file)
    head, *rows = csv.reader(io.StringIO(path.read_text("utf-8-sig")))
    assert head == titles()
    assert [row[:7] for row in rows] == [
        ["1234", "Koi", "Fish", "25", "24", "1", "not booked yet"],
        ["877", "Budgerigar, sky blue", "Birds", "3", "3", "0", ""],
        ["", "Unknown code 4006381333931", "", "1", "", "", ""],
    ]
    assert {row[9] for row in rows} == {"aisle 3"}


def test_the_pdf_has_the_lines_and_what_was_covered(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot, tmp_path: Path
) -> None:
    counted(page)
    dialog = ProtocolDialog(shop, page.ways.say, page.count, window)
    path = tmp_path / "count.pdf"
    dialog.path.edit.setText(str(path))
    dialog.accept()
    qtbot.waitUntil(path.is_file)
    reader = PdfReader(path.read_bytes())
    assert reader.title == "Stocktake: All stock"
    texts = " ".join(one.text for one in reader.pages()[0])
    for words in ("Koi (#1234)", "25", "+1", "2 of 3 counted.", "1 differs.", "1 unknown code.", "aisle 3"):
        assert words in texts
