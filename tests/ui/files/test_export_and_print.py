"""What a list shows, as a file and on paper."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QRectF, QStandardPaths, Qt
from PySide6.QtGui import QDesktopServices, QImage, QPainter
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Pet, Ref, Resource, Row
from petstore_desktop.ui.files import list_output
from petstore_desktop.ui.files.list_output import ExportDialog, PrintDialog
from petstore_desktop.ui.paper.paper_dialog import file_name
from petstore_desktop.ui.paper.printed_list import Paper, PaperColumn, PrintedList
from petstore_desktop.ui.text.cell import to_cell
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import spoken_words
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop

Key = Qt.Key


def dialogs(kind: type[QWidget]) -> list[QWidget]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()]


def dialog(kind: type[QWidget]) -> QWidget:
    (found,) = dialogs(kind)
    return found


def opened(window: MainWindow, action: str, kind: type[QWidget]) -> QWidget:
    window.parts.actions[action].trigger()
    return dialog(kind)


def exported(qtbot: QtBot, window: MainWindow, path: Path, kind: str, rows: str = "shown") -> Path:
    export = opened(window, "exportList", ExportDialog)
    export.rows.set_value(rows)
    export.format.set_value(kind)
    export.write(str(path))
    qtbot.waitUntil(lambda: not dialogs(ExportDialog))
    return path


def test_the_export_begins_with_the_format_of_the_last_one(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    exported(qtbot, window, tmp_path / "pets.json", "json")
    again = opened(window, "exportList", ExportDialog)
    assert again.format.value() == "json"
    again.reject()


def test_a_file_is_what_its_name_says(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """A workbook under the name p.csv was text to nobody."""
    path = exported(qtbot, window, tmp_path / "p.CSV", "xlsx")
    assert path.read_text("utf-8-sig").startswith("id,name,")
    again = opened(window, "exportList", ExportDialog)
    assert again.format.value() == "csv"
    again.reject()


def test_the_file_holds_the_rows_of_the_view_in_its_order_and_says_how_many(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    tab = tab_of(window)
    tab.filters.set_text("e")
    tab.table.sort_by("id", descending=True)
    shown, total = tab.table.keys(), tab.table.total
    assert 1 < len(shown) < total
    path = exported(qtbot, window, tmp_path / "pets.csv", "csv")
    header, *rows, end = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    assert header == ["id", "name", "category_id", "category", "status", "stock", "orders"]
    assert [int(row[0]) for row in rows] == shown
    assert end == [f"# {len(shown)} of {total} pets"]
    everything = exported(qtbot, window, tmp_path / "all.json", "json", "all")
    assert json.loads(everything.read_text("ascii"))["count"] == total


def test_fields_that_the_program_does_not_know_are_in_the_file_where_a_list_has_any(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tmp_path: Path
) -> None:
    koi = Pet(1234, "Koi", 1, "sold", {"tags": ["old"]})
    shop.desk.show_rows(Resource.PETS, (Row(1234, koi, 0.0),))
    path = exported(qtbot, window, tmp_path / "pets.csv", "csv")
    header, *rows, _ = list(csv.reader(path.read_text("utf-8-sig").splitlines()))
    assert header[-1] == "other_fields"
    assert {row[-1] for row in rows if row[0] != "1234"} == {""}
    assert [row[-1] for row in rows if row[0] == "1234"] == ['{"tags":["old"]}']
    sheet = load_workbook(exported(qtbot, window, tmp_path / "pets.xlsx", "xlsx"))["pets"]
    assert {row[0].value: row[-1].value for row in sheet.iter_rows()}["1234"] == '{"tags":["old"]}'


def test_what_is_not_sent_yet_is_in_the_file_as_it_is_on_the_screen(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tmp_path: Path
) -> None:
    window.show_tab("inventory")
    before = shop.desk.shop.stock(1234)
    assert before is not None
    shop.events.tell(shop.saved([NewChange(Ref(Resource.INVENTORY, 1234), AddStock(12))], "b"))
    qtbot.waitUntil(lambda: shop.desk.shop.stock(1234).result == before.result + 12)
    export = opened(window, "exportList", ExportDialog)
    assert "1 row holds a change that is not sent yet" in spoken_words(export)
    export.reject()
    path = exported(qtbot, window, tmp_path / "stock.json", "json")
    rows = {row["pet_id"]: row["quantity"] for row in json.loads(path.read_text("ascii"))["rows"]}
    assert rows[1234] == before.result + 12


def test_a_file_that_cannot_be_written_is_said_in_the_dialog_which_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    export = opened(window, "exportList", ExportDialog)
    export.write(str(tmp_path / "no such folder" / "pets.xlsx"))
    qtbot.waitUntil(lambda: "Nothing was written" in spoken_words(export))
    assert export.isVisible()
    assert not list(tmp_path.iterdir())
    export.write(str(tmp_path / "pets.xlsx"))
    qtbot.waitUntil(lambda: not dialogs(ExportDialog))
    assert (tmp_path / "pets.xlsx").exists()


def test_an_export_that_is_given_up_leaves_no_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    export = opened(window, "exportList", ExportDialog)
    export.write(str(tmp_path / "pets.csv"))
    export.reject()
    qtbot.waitUntil(lambda: export.rows.isEnabled())
    assert not list(tmp_path.iterdir())
    assert export.isVisible()


def test_enter_asks_for_the_file(qtbot: QtBot, window: MainWindow) -> None:
    export = opened(window, "exportList", ExportDialog)
    qtbot.keyClick(export, Key.Key_Return)
    assert "All pets" in dialog(QFileDialog).selectedFiles()[0]
    dialog(QFileDialog).reject()


@pytest.mark.parametrize("title", ["a/b\\c:d", "..", "", "<b>", "x" * 300, "Low\nstock"])
def test_a_views_name_makes_a_name_for_a_file(title: str) -> None:
    for shop in ("", title, "Riverside Pets"):
        name = file_name(shop, title, "2026-11-22")
        assert name.endswith("2026-11-22")
        assert len(name) < 120
        assert not set(name) & set('/\\:*?"<>|\n')
        assert not name.startswith((".", " "))
        assert shop != "Riverside Pets" or name.startswith(shop)


def test_enter_saves_a_pdf_and_a_second_one_takes_no_ones_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in ("pets.pdf", "pets (2).pdf"):
        paper = opened(window, "print", PrintDialog)
        paper.path.edit.setText(str(tmp_path / "pets.pdf"))
        qtbot.keyClick(paper, Key.Key_Return)
        qtbot.waitUntil(lambda: not dialogs(PrintDialog))
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_pdf_that_cannot_be_written_is_said_at_its_name(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    paper = opened(window, "print", PrintDialog)
    paper.path.edit.setText(str(tmp_path / "nowhere" / "pets.pdf"))
    qtbot.keyClick(paper, Key.Key_Return)
    qtbot.waitUntil(lambda: "nowhere" in spoken_words(paper))
    assert paper.isVisible()


def listed(count: int) -> Paper:
    columns = [PaperColumn("Id", 60, right=True), PaperColumn("Name", 300, right=False)]
    return Paper("All pets", ("In stock >4", "3, as of 14:02"), "Shop", columns, count, lambda n: [str(n), f"Pet {n}"])


@pytest.mark.parametrize("count", [0, 1, 37, 38, 39, 1000])
def test_each_row_stands_on_one_page_and_the_pages_are_as_many_as_they_say(count: int) -> None:
    report = PrintedList(listed(count), QRectF(0, 0, 520, 770))
    pages = [list(report.rows_of(page)) for page in range(report.pages)]
    assert [row for page in pages for row in page] == list(range(count))
    assert all(pages) or count == 0


def test_a_page_is_painted_within_its_sheet_with_the_header_on_each(qtbot: QtBot) -> None:
    report = PrintedList(listed(100), QRectF(0, 0, 520, 770))
    for page in range(report.pages):
        image = QImage(560, 800, QImage.Format.Format_Grayscale8)
        image.fill(255)
        painter = QPainter(image)
        report.paint(painter, page)
        painter.end()
        ink = [y for y in range(800) if any(image.pixelColor(x, y).lightness() < 128 for x in range(0, 560, 2))]
        assert ink[-1] < 770
        assert not any(image.pixelColor(x, y).lightness() < 250 for x in range(523, 560) for y in range(0, 800, 5))


def test_a_long_list_has_as_many_pages_in_its_pdf(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    paper = opened(window, "print", PrintDialog)
    paper.path.edit.setText(str(tmp_path / "pets.pdf"))
    said = re.search(r"(\d+) page", spoken_words(paper))
    assert said is not None
    qtbot.keyClick(paper, Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs(PrintDialog))
    content = (tmp_path / "pets.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == int(said[1])


def test_the_usual_folder_is_made_where_there_is_none(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "Documents"))
    paper = opened(window, "print", PrintDialog)
    qtbot.keyClick(paper, Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs(PrintDialog))
    (made,) = (tmp_path / "Documents").iterdir()
    assert made.name.startswith("Riverside Pets All pets ")


def test_a_long_name_is_cut_but_the_id_that_tells_it_apart_is_not(qtbot: QtBot) -> None:
    columns = [PaperColumn("Pet", 200, right=False, takes_rest=True)]
    long = f"{'Rabbit, Rex, litter-trained ' * 9}(#1234567)"
    said: list[str] = []

    class Pen(QPainter):
        def drawText(self, *args: object) -> None:
            said.append(str(args[-1]))

    image = QImage(300, 400, QImage.Format.Format_Grayscale8)
    pen = Pen(image)
    PrintedList(Paper("Stock", (), "", columns, 1, lambda _: [long]), QRectF(0, 0, 260, 380)).paint(pen, 0)
    pen.end()
    (row,) = [one for one in said if one.startswith("Rabbit")]
    assert row.endswith("… (#1234567)")
    assert len(row) < len(long)


def test_what_is_on_paper_says_its_day_with_the_year(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_tab("orders")
    painted: list[Paper] = []
    monkeypatch.setattr(
        list_output, "PrintedList", lambda paper, sheet: painted.append(paper) or PrintedList(paper, sheet)
    )
    paper = opened(window, "print", PrintDialog)
    (made, *_) = painted
    assert "as of Fri 21 Nov 2025, 13:" in made.lines[-1]
    assert "printed Fri 21 Nov 2025, 13:22" in made.foot
    today = CellFacts(kind="date", date=parse_ship_date("2025-11-21"), days=0)
    assert to_cell(today).text == "Today"
    assert to_cell(list_output.on_any_day(today)).text == "Fri 21 Nov 2025"
    paper.reject()


@pytest.mark.parametrize("gone", [False, True])
def test_the_toast_of_a_file_opens_it_while_it_is_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    opened_files: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened_files.append(url.toLocalFile()) or True)
    path = exported(qtbot, window, tmp_path / "pets.csv", "csv")
    toast = window.after_paint.notifier.toast
    assert toast.findChild(LinkLabel).words() == "Open"
    if gone:
        path.unlink()
    toast.undoRequested.emit()
    qtbot.waitUntil(lambda: bool(opened_files) or "not there any more" in toast.words())
    assert opened_files == ([] if gone else [str(path)])


def test_the_toast_of_a_pdf_opens_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_files: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened_files.append(url.toLocalFile()) or True)
    paper = opened(window, "print", PrintDialog)
    paper.path.edit.setText(str(tmp_path / "pets.pdf"))
    qtbot.keyClick(paper, Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs(PrintDialog))
    window.after_paint.notifier.toast.undoRequested.emit()
    qtbot.waitUntil(lambda: opened_files == [str(tmp_path / "pets.pdf")])
