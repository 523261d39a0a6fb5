"""What needs a person: three values side by side, decided by single keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.changes.review import cases_of
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, Reason, SetFields, SetStock
from petstore_desktop.domain.commands import Choice, Decided
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.ui.activity.review_page import BASE, MINE, STANDS, THEIRS, ReviewModel, ReviewPage
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import editor_of_view
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import NOON, RecordingShop

Key = Qt.Key
KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)
BUDGIE = Ref(Resource.PETS, 877)
ACTS = (
    NewChange(KOI, SetFields({"name": "Kai"}), {"name": "Koi"}),
    NewChange(STOCK, SetStock(40), {"quantity": 24}),
    NewChange(BUDGIE, SetFields({"name": "Budgie", "status": "sold"}), {"name": "Budgerigar", "status": "pending"}),
    NewChange(Ref(Resource.PETS, LocalId("g")), Create({"name": "Guppy", "category_id": 1})),
)


@pytest.fixture
def review(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> ReviewPage:
    """A name and a count in conflict, two fields of one pet, a creation of unknown fate."""
    shop.events.tell(shop.saved(ACTS, "b"))
    theirs = ({"name": "Kim"}, {"quantity": 31}, {"name": "Birdie", "status": "available"})
    for number, values in enumerate(theirs):
        shop.move(number + 1, ChangeState.CONFLICT, Reason("moved", "", None, None, values))
    shop.move(4, ChangeState.UNCERTAIN, Reason("unfound", "no answer"))
    qtbot.waitUntil(lambda: shop.desk.outbox.needs_person == 4)
    window.parts.actions["showReview"].trigger()
    page = window.activity().review
    qtbot.waitUntil(lambda: page.model.rowCount() == 5 and page.view.hasFocus())
    return page


def texts(page: ReviewPage, row: int) -> list[str]:
    return [str(page.model.index(row, column).data()) for column in (BASE, MINE, THEIRS)]


def stand(page: ReviewPage, row: int) -> None:
    """Keys come to this row; offscreen no window stays active by itself."""
    page.view.setCurrentIndex(page.model.index(row, MINE))
    activate(page)


def activate(page: ReviewPage) -> None:
    page.window().activateWindow()
    QApplication.processEvents()
    page.view.setFocus()
    assert page.view.hasFocus()


def test_three_values_stand_side_by_side_in_plain_text(review: ReviewPage) -> None:
    assert [texts(review, row) for row in range(5)] == [
        ["Koi", "Kai", "Kim"],
        ["24", "40", "31"],
        ["Budgerigar", "Budgie", "Birdie"],
        ["pending", "sold", "available"],
        ["–", "Guppy", "not known"],
    ]
    assert review.counts == "4 need attention"


def test_by_single_keys_each_is_decided_and_the_next_one_is_there(
    qtbot: QtBot, review: ReviewPage, shop: RecordingShop
) -> None:
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_M)
    qtbot.waitUntil(lambda: review.model.rowCount() == 4)
    assert review.view.currentIndex().row() == 0
    qtbot.keyClick(review.view, Key.Key_T)
    qtbot.waitUntil(lambda: review.model.rowCount() == 3)
    assert shop.asked_for("decide") == [
        (Decided((1,), Choice.MINE, {"name": "Kim"}),),
        (Decided((2,), Choice.THEIRS),),
    ]


def test_enter_goes_on_and_from_the_last_to_the_first(qtbot: QtBot, review: ReviewPage) -> None:
    stand(review, 3)
    for row in (4, 0, 1):
        qtbot.keyClick(review.view, Key.Key_Return)
        assert review.view.currentIndex().row() == row


def test_a_record_with_two_fields_is_decided_when_both_are(
    qtbot: QtBot, review: ReviewPage, shop: RecordingShop
) -> None:
    stand(review, 2)
    qtbot.keyClick(review.view, Key.Key_M)
    assert shop.asked_for("decide") == []
    assert review.model.index(2, STANDS).data() == "Chosen; 1 more field to choose"
    qtbot.waitUntil(lambda: review.view.currentIndex().row() == 3)
    qtbot.keyClick(review.view, Key.Key_T)
    instead = NewChange(BUDGIE, SetFields({"name": "Budgie"}), {"name": "Birdie"})
    assert shop.asked_for("decide") == [(Decided((3,), Choice.THEIRS, {}, (instead,)),)]


def test_another_value_is_typed_in_the_cell_of_mine(qtbot: QtBot, review: ReviewPage, shop: RecordingShop) -> None:
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_E)
    editor = editor_of_view(review.view)
    qtbot.keyClicks(editor, "Mette")  # M, T and E type here
    qtbot.keyClick(editor, Key.Key_Return)
    instead = NewChange(KOI, SetFields({"name": "Mette"}), {"name": "Kim"})
    qtbot.waitUntil(lambda: shop.asked_for("decide") == [(Decided((1,), Choice.THEIRS, {}, (instead,)),)])
    qtbot.waitUntil(lambda: not review.view.edit_open() and review.model.rowCount() == 4)


@pytest.mark.parametrize("leave", ["tab", "click", "elsewhere"])
def test_leaving_the_editor_decides_nothing(qtbot: QtBot, review: ReviewPage, shop: RecordingShop, leave: str) -> None:
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_E)
    editor = editor_of_view(review.view)
    qtbot.keyClicks(editor, "Mett")
    if leave == "tab":
        qtbot.keyClick(editor, Key.Key_Tab)
    elif leave == "click":
        at = review.view.visualRect(review.model.index(3, THEIRS)).center()
        qtbot.mouseClick(review.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    else:
        editor.clearFocus()
    qtbot.waitUntil(lambda: not review.view.edit_open())
    assert shop.asked_for("decide") == []
    assert texts(review, 0) == ["Koi", "Kai", "Kim"]


def test_a_value_that_a_column_cuts_begins_its_tool_tip(review: ReviewPage) -> None:
    said = [str(review.model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)) for column in (BASE, MINE, THEIRS)]
    for tip, value in zip(said, ("Koi", "Kai", "Kim"), strict=True):
        assert tip.startswith(f"<p style='white-space:pre-wrap'>{value}")
    assert "\nYou, " in said[1]
    assert "\nAs seen " in said[2]


def test_a_booking_is_added_to_theirs(qtbot: QtBot, review: ReviewPage, shop: RecordingShop) -> None:
    stand(review, 1)
    qtbot.keyClick(review.view, Key.Key_E)
    editor = editor_of_view(review.view)
    qtbot.keyClicks(editor, "+5")
    assert editor.accessibleDescription() == "= 36"
    qtbot.keyClick(editor, Key.Key_Return)
    instead = NewChange(STOCK, AddStock(5), {"quantity": 31})
    qtbot.waitUntil(lambda: shop.asked_for("decide") == [(Decided((2,), Choice.THEIRS, {}, (instead,)),)])


def test_a_status_is_chosen(qtbot: QtBot, review: ReviewPage, shop: RecordingShop) -> None:
    stand(review, 3)
    review.edit.trigger()
    (box,) = review.view.viewport().findChildren(QComboBox)
    box.setCurrentIndex(box.findData("available"))
    qtbot.keyClick(box, Key.Key_Return)
    qtbot.waitUntil(lambda: not review.view.edit_open())
    assert texts(review, 3)[1] == "available"
    assert shop.asked_for("decide") == []


def test_all_of_them_are_decided_at_once(qtbot: QtBot, review: ReviewPage, shop: RecordingShop) -> None:
    activate(review)
    review.view.selectAll()
    qtbot.keyClick(review.view, Key.Key_T)
    (decided,) = shop.asked_for("decide")
    assert [(one.change_ids, one.choice) for one in decided] == [
        ((1,), Choice.THEIRS),
        ((2,), Choice.THEIRS),
        ((3,), Choice.THEIRS),
        ((4,), Choice.DONE),
    ]
    qtbot.waitUntil(lambda: review.empty.isVisible())
    assert review.empty.accessibleName() == "Nothing needs attention"


def test_undo_and_the_toast_take_back_the_decision_even_when_it_is_sent(
    qtbot: QtBot, review: ReviewPage, window: MainWindow, shop: RecordingShop
) -> None:
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_M)
    qtbot.waitUntil(lambda: bool(shop.desk.outbox.decisions))
    toast = window.findChild(Toast)
    assert toast is not None
    assert "Decided: yours is sent again" in toast.accessibleName()
    (decision,) = shop.desk.outbox.decisions
    shop.move(1, ChangeState.DONE)
    qtbot.waitUntil(lambda: all(change.id != 1 for change in shop.desk.outbox.open))
    toast.undoRequested.emit()
    window.parts.actions["undo"].trigger()
    assert shop.asked_for("take_back") == [decision, decision]


def test_a_creation_of_unknown_fate_has_its_own_choices(review: ReviewPage) -> None:
    stand(review, 4)
    review.view.selectRow(4)
    assert (review.mine.text(), review.theirs.text()) == ("Send again", "It was done")
    assert not review.edit.isEnabled()


def test_theirs_that_moves_again_is_shown_anew_and_decided_on(
    qtbot: QtBot, review: ReviewPage, shop: RecordingShop
) -> None:
    shop.clock.advance(60)
    shop.tell_rows(Resource.PETS, [Pet(1234, "Kurt", 1, "available")], done=False)
    qtbot.waitUntil(lambda: texts(review, 0) == ["Koi", "Kai", "Kurt"])
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_M)
    assert shop.asked_for("decide") == [(Decided((1,), Choice.MINE, {"name": "Kurt"}),)]


def test_the_badge_and_the_cell_lead_here(
    qtbot: QtBot, review: ReviewPage, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("pets")
    window.status.needs.click()
    assert window.activity().page() is review
    window.show_tab("pets")
    tab = tab_of(window)
    tab.view.setCurrentIndex(tab.model.index_of(877, 2))
    window.parts.actions["showReview"].trigger()
    assert window.activity().page() is review
    assert review.view.currentIndex().row() == 2


def test_what_moves_while_a_value_is_typed_is_shown_when_the_editor_closes(
    qtbot: QtBot, review: ReviewPage, shop: RecordingShop
) -> None:
    stand(review, 0)
    qtbot.keyClick(review.view, Key.Key_E)
    editor = editor_of_view(review.view)
    shop.clock.advance(60)
    shop.tell_rows(Resource.PETS, [Pet(1234, "Kurt", 1, "available")], done=False)
    qtbot.waitUntil(lambda: shop.desk.title(KOI) == "Kai" and not shop.events.waiting)
    assert editor.isVisible()
    assert texts(review, 0)[2] == "Kim"
    qtbot.keyClick(editor, Key.Key_Escape)
    qtbot.waitUntil(lambda: texts(review, 0)[2] == "Kurt")


def test_the_details_lead_here(qtbot: QtBot, review: ReviewPage, window: MainWindow) -> None:
    window.show_tab("pets")
    tab = tab_of(window)
    tab.show_ref(KOI)
    decide = [one for one in tab.side.findChildren(LinkLabel) if one.accessibleName() == "Decide"]
    decide[0].click()
    assert window.activity().page() is review


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester, review: ReviewPage, shop: RecordingShop) -> None:
    model = ReviewModel()
    qtmodeltester.check(model)
    cases = cases_of(shop.desk.shop, shop.desk.outbox.open, None)
    model.set_cases(cases, NOON)
    model.set_cases(cases[1:], NOON)
    model.set_cases(cases[1:], NOON + 1)
    qtmodeltester.check(model)
    assert model.row_about(4) == 3
