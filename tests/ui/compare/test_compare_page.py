"""The page that compares two days: its groups, its keys, its states, and what it gives to other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, Span, Who
from petstore_desktop.ui.base import theme as theme_module
from petstore_desktop.ui.base.colours import DARK
from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.compare.compare_export import ComparePrintDialog
from petstore_desktop.ui.compare.compare_page import ComparePage
from petstore_desktop.ui.compare.moment_range import Moments
from petstore_desktop.ui.context.message import Message
from tests.desk.past.seen import changed, stock, went
from tests.ui.compare.week import NOW, WEEK, changes, fill
from tests.ui.recording_shop import RecordingShop

Key = Qt.Key
DAY = 86_400.0


class Opened:
    """A page with what it told."""

    def __init__(self, shop: RecordingShop, left: float | None = NOW - DAY) -> None:
        self.shop, self.left = shop, left
        self.said: list[Message] = []
        self.records: list[Ref] = []
        self.closed = 0
        self.page = ComparePage(shop, self.said.append, self.records.append, lambda: self.left)
        self.page.closed.connect(self._close)

    def _close(self) -> None:
        self.closed += 1

    def lines(self) -> list[str]:
        """The rows as a screen reader says them."""
        model = self.page.model
        return [str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]

    def asked(self) -> list[tuple[object, ...]]:
        return [one for one in self.shop.past.asked if one[0] == "changes_between"]


Open = Callable[..., Opened]


@pytest.fixture
def opened(qtbot: QtBot, shop: RecordingShop) -> Iterator[Open]:
    fill(shop)
    for event in shop.events.drain(1):
        apply_event(shop.desk, event)

    def make(found: list[SeenChange] | None = None, left: float | None = NOW - DAY) -> Opened:
        if found is not None:
            shop.past.changes = found
        made = Opened(shop, left)
        qtbot.addWidget(made.page)
        made.page.resize(1280, 720)
        made.page.show()
        made.page.start(NOW - WEEK, NOW)
        made.page.activateWindow()
        made.page.focus_list()
        qtbot.waitUntil(made.page.isActiveWindow)
        return made

    yield make


def test_a_week_is_summed_up_and_grouped_with_three_records_of_each_kind(opened: Open) -> None:
    one = opened()
    assert one.page.totals.text() == (
        "31 pets sold, 14 orders placed, 27 completed, stock of 63 pets changed by −218 pieces."
    )
    lines = one.lines()
    assert lines[0] == "Pets sold, 31: 27 elsewhere, 4 here, expanded"
    assert lines[1] == (
        "Angelfish, marbled, group of six (#1007), Status: from available to sold, elsewhere, Fri 13 Nov 18:00"
    )
    assert lines[4] == "28 more: Pets sold"
    assert [line for line in lines if "more" in line] == [
        "28 more: Pets sold", "11 more: Orders placed", "24 more: Orders completed", "60 more: Stock changed"
    ]  # fmt: skip
    assert lines[-5] == "Stock changed, 63: −218 pieces, expanded"
    assert one.asked() == [("changes_between", NOW - WEEK, NOW)]


def test_right_and_left_fold_and_enter_shows_the_rest_and_opens_records(opened: Open) -> None:
    one = opened()
    view = one.page.view
    assert view.currentIndex().row() == 0
    QTest.keyClick(view, Key.Key_Left)
    assert one.lines()[:2] == [
        "Pets sold, 31: 27 elsewhere, 4 here, collapsed",
        "Orders placed, 14: 11 elsewhere, 3 here, expanded",
    ]
    QTest.keyClick(view, Key.Key_Right)
    QTest.keyClick(view, Key.Key_Right)
    assert view.currentIndex().row() == 1
    for _ in range(3):
        QTest.keyClick(view, Key.Key_Down)
    QTest.keyClick(view, Key.Key_Return)
    assert one.page.model.rowCount() == 1 + 31 + 5 + 5 + 5
    assert view.currentIndex().row() == 4  # the first of those that came
    QTest.keyClick(view, Key.Key_Return)
    assert one.records == [one.page.model.rows[4].change.ref]
    QTest.keyClick(view, Key.Key_Left)
    assert view.currentIndex().row() == 0


def test_a_click_folds_and_shows_more(opened: Open) -> None:
    one = opened()
    view = one.page.view

    def click(row: int) -> None:
        place = view.visualRect(one.page.model.index(row, 0)).topLeft() + QPoint(40, 20)
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    click(4)
    assert one.page.model.rowCount() == 1 + 31 + 5 + 5 + 5
    click(0)
    assert one.lines()[0].endswith("collapsed")


def test_a_record_that_is_gone_is_not_opened_but_said(opened: Open) -> None:
    one = opened([went(Resource.PETS, 9, "Ghost", status="sold", at=NOW - 60)])
    QTest.keyClick(one.page.view, Key.Key_Down)
    QTest.keyClick(one.page.view, Key.Key_Return)
    assert (one.records, [said.text for said in one.said]) == ([], ["Ghost (\u2068#9\u2069) is no longer there"])


def test_what_both_changed_is_said_so_and_found_by_either_word(qtbot: QtBot, opened: Open) -> None:
    one = opened([stock(1, 10, 6, who=Who.BOTH, at=NOW - 60), stock(2, 9, 8, at=NOW - 60)])
    for typed, count in (("here", 1), ("elsewhere", 2), ("here and elsewhere", 1)):
        with qtbot.waitSignal(one.page.model.filtered):
            one.page.filter.setText(typed)
        assert sum(len(group.changes) for group in one.page.model.grouped.groups) == count, typed


def test_the_filter_finds_names_ids_fields_and_who(qtbot: QtBot, opened: Open) -> None:
    one = opened()
    page = one.page
    for typed, count in (
        ("marbled", 15),
        ("#1007", 1),
        ("here", 16),
        ("in stock", 63),
        ("ball elsewhere", 10),
        ("elsewh here", 0),
    ):
        with qtbot.waitSignal(page.model.filtered):
            page.filter.setText(typed)
        found = sum(len(group.changes) for group in page.model.grouped.groups)
        assert found == count, typed
        assert all("more" not in line for line in one.lines())
    with qtbot.waitSignal(page.model.filtered):
        page.filter.setText("nothing of the kind")
    assert page.empty.accessibleName() == "No matching change"
    with qtbot.waitSignal(page.model.filtered):
        page.mend.trigger()
    assert page.filter.text() == ""
    assert page.stack.currentWidget() is page.view


def test_escape_ends_the_filter_first_and_then_closes(opened: Open) -> None:
    one = opened()
    one.page.filter.setText("marbled")
    QTest.keyClick(one.page.view, Key.Key_Escape)
    assert (one.page.filter.text(), one.closed) == ("", 0)
    QTest.keyClick(one.page.view, Key.Key_Escape)
    assert one.closed == 1
    QTest.keyClick(one.page.range.first, Key.Key_Escape)
    assert one.closed == 2


def test_up_and_down_change_the_part_under_the_caret_and_what_is_compared(qtbot: QtBot, opened: Open) -> None:
    one = opened()
    first = one.page.range.first
    assert first.text() == "Fri 13 Nov 2026, 18:00"
    first.setFocus()
    first.setSelectedSection(first.Section.DaySection)
    QTest.keyClick(first, Key.Key_Up)
    first.setSelectedSection(first.Section.HourSection)
    QTest.keyClick(first, Key.Key_Down)
    assert first.text() == "Sat 14 Nov 2026, 17:00"
    qtbot.waitUntil(lambda: len(one.asked()) == 2)
    assert one.asked()[-1] == ("changes_between", NOW - WEEK + DAY - 3600, NOW)


def test_the_present_minute_counts_as_far_as_it_has_gone(opened: Open, shop: RecordingShop) -> None:
    one = opened()
    shop.clock.set_wall(NOW + 42)
    one.page.range.last.setDateTime(one.page.range.last.dateTime().addSecs(-60))
    one.page.range.last.setDateTime(one.page.range.last.dateTime().addSecs(60))
    assert one.page.range.moments() == Moments(NOW - WEEK, NOW + 42)


def test_quick_ranges_end_now_and_since_you_left_begins_to_the_second(opened: Open, shop: RecordingShop) -> None:
    one = opened(left=NOW - 1234.5)
    left, day, week = one.page.range.ranges
    for button in (left, day, week):
        button.click()
    expected = [NOW - 1234.5, NOW - DAY, NOW - WEEK]
    assert one.asked()[1:] == [("changes_between", then, NOW) for then in expected]
    never = opened(left=None)
    assert not never.page.range.ranges[0].isEnabled()
    assert never.page.range.ranges[0].accessibleDescription() == "You have not been away yet."


def test_without_moments_it_begins_when_the_person_left(opened: Open) -> None:
    one = opened(left=NOW - 555.0)
    one.page.start()
    assert one.asked()[-1] == ("changes_between", NOW - 555.0, NOW)


def test_nothing_changed_is_said_with_both_moments(opened: Open) -> None:
    one = opened([])
    one.page.range.use(Moments(NOW - 39 * 3600, NOW - 3 * 3600))
    assert one.page.empty.accessibleName() == "Nothing changed between Thursday 03:00 and Friday 15:00."
    assert not one.page.save_button.isEnabled()


def test_of_a_list_of_which_nothing_is_told_it_is_not_said_that_nothing_changed(
    opened: Open, shop: RecordingShop
) -> None:
    shop.past.spanned = replace(shop.past.spanned, untold=frozenset({Resource.PETS, Resource.ORDERS}))
    one = opened([])
    one.page.range.use(Moments(NOW - 39 * 3600, NOW - 3 * 3600))
    assert one.page.empty.accessibleName() == "No change is known between Thursday 03:00 and Friday 15:00."
    words = "What changed in Pets, Orders is not known: these lists have not been read whole."
    assert words in one.page.empty.accessibleDescription()
    shop.past.changes = [stock(1, 5, 3)]
    one.page.compare()
    assert one.page.note.text().startswith(words) and one.page.note.isVisible()


def test_a_list_that_is_cut_now_counts_as_untold_whatever_the_history_has_of_it(
    opened: Open, shop: RecordingShop
) -> None:
    shop.desk.set_load(Resource.PETS, LoadState("ready", as_of=NOW, gaps=Gaps(100)))
    one = opened([])
    assert one.page.empty.accessibleName().startswith("No change is known")
    assert "Pets" in one.page.empty.accessibleDescription()


def test_before_the_first_reading_the_earliest_moment_is_said_and_offered(opened: Open, shop: RecordingShop) -> None:
    one = opened()
    shop.past.spanned = Span(NOW - 2 * DAY, NOW)
    one.page.compare()
    said = one.page.empty.accessibleDescription()
    assert "This computer first read the whole shop on Wednesday 18:00" in said
    assert one.page.mend.text() == "Compare from Wednesday 18:00"
    one.page.mend.trigger()
    assert one.asked()[-1] == ("changes_between", NOW - 2 * DAY, NOW)


@pytest.mark.parametrize(
    ("then", "now", "title", "mended"),
    [
        (NOW, NOW - DAY, "The first moment is after the second one", (NOW - DAY, NOW)),
        (NOW - DAY, NOW + DAY, "That has not happened yet", (NOW - DAY, NOW)),
        (NOW + DAY, NOW + 2 * DAY, "That has not happened yet", (NOW - DAY, NOW)),
    ],
)
def test_moments_that_cannot_be_compared_are_mended_with_one_key(
    opened: Open, then: float, now: float, title: str, mended: tuple[float, float]
) -> None:
    one = opened()
    one.page.range.use(Moments(then, now))
    assert one.page.empty.accessibleName() == title
    assert len(one.asked()) == 1
    one.page.mend.trigger()
    assert one.asked()[-1] == ("changes_between", *mended)


def test_no_history_and_a_damaged_one_are_said(opened: Open, shop: RecordingShop) -> None:
    one = opened()
    shop.past.spanned = Span(None, None)
    one.page.compare()
    assert one.page.empty.accessibleName() == "There is no history yet"
    shop.past.trouble = StorageError("database-damaged")
    one.page.compare()
    assert one.page.empty.accessibleName() == "The history cannot be read"


def test_an_answer_to_an_earlier_question_is_not_shown(
    opened: Open, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened()
    late: list[Callable[[list[SeenChange]], None]] = []

    def later(_then: float, _now: float, done: Callable[[list[SeenChange]], None]) -> None:
        late.append(done)

    monkeypatch.setattr(shop.past, "changes_between", later)
    one.page.range.use(Moments(NOW - DAY, NOW))
    one.page.range.use(Moments(NOW - 2 * DAY, NOW))
    late[1]([stock(1, 4, 3, at=NOW - 5)])
    late[0](changes())
    assert one.page.totals.text() == "Stock of 1 pet changed by −1 piece."


def test_copy_gives_what_the_filter_leaves_as_lines_and_as_a_table(opened: Open) -> None:
    one = opened([stock(7, 1204, 9, "=Koi\t1", at=NOW - 60), changed(Resource.PETS, 8, "name", "A", "B", "B", at=NOW)])
    QTest.keyClick(one.page.view, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    lines = bytes(mime.data("text/plain").data()).decode().split("\n")
    assert lines[0] == "Change\tRecord\tId\tWhat\tThen\tNow\tWho\tSeen"
    assert lines[1].startswith("Stock changed	")
    assert lines[1].endswith("	7	In stock	1204	9	elsewhere	2026-11-20 17:59")
    assert lines[2] == "Other changes\tB\t8\tName\tA\tB\telsewhere\t2026-11-20 18:00"
    assert "<td>1204</td>" in bytes(mime.data("text/html").data()).decode()
    assert [said.text for said in one.said] == ["2 rows copied"]


def test_copy_takes_selected_rows_where_several_are(opened: Open) -> None:
    one = opened()
    one.page.view.go_to_row(1)
    QTest.keyClick(one.page.view, Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    one.page.copy()
    assert one.said[-1].text == "2 rows copied"


def test_a_csv_file_has_the_rows_that_are_shown_and_no_formulas(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    one = opened([*changes(), stock(7, 4, 9, "=Koi", at=NOW - 60)])
    page, path = one.page, tmp_path / "week.csv"
    for row in reversed(range(page.model.rowCount())):
        if page.model.rows[row].kind == "more":
            page.model.show_whole(page.model.rows[row])
    page.save()
    qtbot.waitUntil(lambda: page.saving is not None)
    assert page.saving is not None
    page.saving.write(str(path))
    qtbot.waitUntil(lambda: bool(one.said))
    assert one.said[0].text == "136 rows are in \u2068week.csv\u2069"
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    rows_shown = [page.model.rows[row] for row in range(page.model.rowCount())]
    shown = [row.change for row in rows_shown if row.kind == "change"]
    assert [row[2] for row in rows[1:]] == [str(change.ref.key) for change in shown]
    assert [row[1] for row in rows if row[2] == "7"] == ["'=Koi"]
    assert sum(int(row[5]) - int(row[4]) for row in rows[1:] if row[0] == "Stock changed") == -218 + 5


def test_printing_lays_all_changes_out(opened: Open) -> None:
    one = opened()
    one.page.print()
    (dialog,) = one.page.findChildren(ComparePrintDialog)
    paper = dialog.document()
    assert paper.title == "Changes from Fri 13 Nov 2026, 18:00 to Fri 20 Nov 2026, 18:00"
    assert sum(len(paper.rows_of(page)) for page in range(paper.pages)) == 135
    dialog.reject()


def test_of_a_long_result_only_the_rows_on_the_screen_are_made(qtbot: QtBot, opened: Open) -> None:
    many = [stock(n, n, n + 2, f"Pet {n % 900}", at=NOW - n) for n in range(20_000)]
    one = opened(many)
    qtbot.waitUntil(lambda: one.page.model.rowCount() == 5)
    one.page.focus_list()
    QTest.keyClick(one.page.view, Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(one.page.view, Key.Key_Return)
    assert one.page.model.rowCount() == 20_001
    assert len(one.page.view.rows_on_screen()) < 40
    assert len(one.page.view.findChildren(QWidget)) < 20


def test_in_a_small_window_fields_stand_below_each_other_and_names_keep_their_room(qtbot: QtBot, opened: Open) -> None:
    one = opened()
    page = one.page
    page.resize(1600, 700)
    first, last = page.range.first, page.range.last
    qtbot.waitUntil(lambda: page.copy_button.width() == page.copy_button.width_at(0))
    assert first.y() == last.y()
    page.resize(480, 600)
    assert page.width() == 480
    qtbot.waitUntil(lambda: first.geometry().bottom() < last.geometry().top())
    assert page.view.columnWidth(0) >= 150
    assert [page.view.isColumnHidden(column) for column in range(5)] == [False, True, False, True, True]
    qtbot.waitUntil(lambda: page.copy_button.width() < page.copy_button.width_at(1))


def test_another_theme_reaches_the_fields_and_the_rows(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    one = opened()
    field, view = one.page.range.first, one.page.view
    dark = Theme(DARK, dark=True)
    monkeypatch.setattr(theme_module, "_applied", [dark])
    for widget in (field, view):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
    assert field.lineEdit().palette().color(QPalette.ColorRole.Text) == dark.color("text")
    assert view.rowHeight(0) == dark.height(40)


def test_what_is_typed_while_very_many_changes_are_sorted_counts_too(qtbot: QtBot, opened: Open) -> None:
    one = opened([])
    one.page.model.start([stock(n, n, n + 2, f"Pet {n % 900}", at=NOW) for n in range(20_000)], NOW)
    one.page.model.set_filter("#19999")
    qtbot.waitUntil(lambda: one.page.model.rowCount() == 2)
    assert one.page.model.total == 20_000


def test_a_change_seen_at_no_time_that_calendars_have_is_shown(opened: Open, qtbot: QtBot) -> None:
    wild = [replace(changed(Resource.PETS, 5000, "name", "a", "b"), seen_by=time) for time in (1e300, -1e12)]
    one = opened(wild)
    one.page.grab()
    assert len(one.lines()) == 3
