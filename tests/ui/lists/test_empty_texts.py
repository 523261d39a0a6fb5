"""Each state of a list has its own words and its own next action."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import NotFound, ServiceFailed, Unreachable
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import Link, LinkMoved, LoadEnded, LoadFailed, LoadMoved, MirrorRead
from petstore_desktop.ui.questions.raw_answer import RawDialog
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract

PETS = Resource.PETS


def page_says(qtbot: QtBot, window: MainWindow, title: str) -> None:
    page = tab_of(window).state.instead.page
    qtbot.waitUntil(lambda: page.isVisible() and title in page.accessibleName())


def buttons(window: MainWindow) -> dict[str, Button]:
    """The buttons of the page that stands instead of rows."""
    return {
        button.words(): button
        for button in tab_of(window).state.instead.page.findChildren(Button)
        if button.isVisible()
    }


def test_before_anything_is_known_it_says_that_it_reads(qtbot: QtBot, open_window: OpenWindow) -> None:
    page_says(qtbot, open_window(), "Reading the pets")


def test_loading_counts_and_can_be_stopped(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = open_window()
    shop.events.tell(LoadMoved(CONNECTION, PETS, 0, 10_000))
    page_says(qtbot, window, "Reading the pets")
    qtbot.waitUntil(lambda: "Stop reading" in buttons(window))
    buttons(window)["Stop reading"].click()
    assert shop.asked_for("cancel_load") == [PETS]
    shop.tell_rows(PETS, [Pet(1, "Koi", 1, "sold")], done=False)
    shop.events.tell(LoadMoved(CONNECTION, PETS, 1200, 10_000))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: not tab.state.instead.page.isVisible())
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "Stop")
    tab.bar.notice.click()
    assert shop.asked_for("cancel_load") == [PETS, PETS]


def test_a_stopped_load_goes_on_when_asked(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = open_window()
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, cancelled=True))
    page_says(qtbot, window, "Reading was stopped")
    buttons(window)["Try again"].click()
    assert shop.asked_for("refresh")[-1] == (PETS,)


def test_an_empty_shop_offers_to_make_the_first_pet(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(PETS, [])
    page_says(qtbot, window, "This shop has no pets yet")
    qtbot.waitUntil(lambda: "New pet" in buttons(window))


def test_a_list_that_the_service_does_not_offer_says_so(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_ready(full_contract(Op.PETS_LIST))
    page_says(qtbot, window, "does not offer this list")


def test_offline_without_rows_says_since_when(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = open_window()
    shop.events.tell(MirrorRead(CONNECTION, PETS, 0, None), LinkMoved(CONNECTION, Link.OFFLINE, NOON - 60))
    page_says(qtbot, window, "Nothing is on this computer yet")
    assert "13:21" in tab_of(window).state.instead.page.accessibleDescription()


def test_a_failure_says_what_is_safe_and_shows_the_raw_answer(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    error = ServiceFailed(status=503, message="<b>down</b>", raw="<html>down</html>")
    shop.events.tell(LoadFailed(CONNECTION, PETS, error))
    page_says(qtbot, window, "The pets could not be read")
    assert "<b>down</b>" in tab_of(window).state.instead.page.accessibleDescription()
    buttons(window)["Server response"].click()
    (dialog,) = window.findChildren(RawDialog)
    assert dialog.text.toPlainText() == "<html>down</html>"
    dialog.accept()
    assert shop.asked_for("refresh")[-1] == (PETS,)


def test_a_list_that_is_not_where_it_should_be_is_no_record_that_is_gone(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.events.tell(LoadFailed(CONNECTION, PETS, NotFound(status=404, message="no route", operation="pets.list")))
    page_says(qtbot, window, "The pets could not be read")
    said = tab_of(window).state.instead.page.accessibleDescription()
    assert "the service has no such list: “no route”" in said
    assert "Check the address" in said


def test_a_failed_refresh_keeps_the_rows_and_says_so_beside_the_count(
    qtbot: QtBot, shop: RecordingShop, window: MainWindow
) -> None:
    shop.events.tell(LoadFailed(CONNECTION, PETS, ServiceFailed(status=500)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "Could not be refreshed")
    assert tab.table.row_count == 4


def test_of_records_that_may_be_gone_it_says_how_many_and_reads_again(
    qtbot: QtBot, shop: RecordingShop, window: MainWindow
) -> None:
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, gaps=Gaps(missing=2)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "2 records may be gone")
    tab.bar.notice.click()
    assert shop.asked_for("refresh")[-1] == (PETS,)
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON))
    qtbot.waitUntil(lambda: not tab.bar.notice.words())


def test_records_that_could_not_be_read_are_named(qtbot: QtBot, shop: RecordingShop, window: MainWindow) -> None:
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, gaps=Gaps(set_aside=1, reasons=("pets[3]: id is missing",))))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "1 record set aside")
    tab.bar.notice.click()
    (dialog,) = window.findChildren(RawDialog)
    assert dialog.text.toPlainText() == "pets[3]: id is missing"
    dialog.reject()


def test_of_many_records_that_could_not_be_read_some_are_named_and_the_others_counted(
    qtbot: QtBot, shop: RecordingShop, window: MainWindow
) -> None:
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, Gaps(set_aside=1_500, reasons=("pets 3: id is missing",))))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "1,500 records set aside")
    assert "+" in tab.bar._counts.text()
    tab.bar.notice.click()
    (dialog,) = window.findChildren(RawDialog)
    assert dialog.text.toPlainText().splitlines() == ["pets 3: id is missing", "and 1,499 more"]
    dialog.reject()


def test_a_list_of_which_nothing_can_be_read_is_not_called_empty(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    aside = ("pets ..: id is .., which cannot be an id", "pets rec_2: no")
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, Gaps(set_aside=len(aside), reasons=aside)))
    page_says(qtbot, window, "None of the pets can be shown")
    said = tab_of(window).state.instead.page.accessibleDescription()
    assert "sent 2 records that this program cannot read" in said
    assert "id is .., which cannot be an id" in said
    buttons(window)["Records set aside"].click()
    (dialog,) = window.findChildren(RawDialog)
    assert dialog.text.toPlainText() == "\n".join(aside)
    dialog.reject()


def test_a_list_of_which_the_service_counts_more_than_it_shows_is_not_called_empty(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, Gaps(cut_at=0)))
    page_says(qtbot, window, "None of the pets can be shown")
    said = "The service counts more than it shows."
    assert said in tab_of(window).state.instead.page.accessibleDescription()
    assert list(buttons(window)) == ["Refresh"]


def test_a_list_that_is_cut_says_how_much_the_service_shows(
    qtbot: QtBot, shop: RecordingShop, window: MainWindow
) -> None:
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON, gaps=Gaps(100)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.bar.notice.words() == "Incomplete")
    said = "The service shows at most 100 in one answer. The others are not here."
    assert said in tab.bar.notice.toolTip()
    tab.bar.notice.click()
    assert window.after_paint.notifier.toast.words() == said
    shop.events.tell(LoadEnded(CONNECTION, PETS, NOON))
    qtbot.waitUntil(lambda: not tab.bar.notice.isVisible())


def test_where_nothing_answered_no_answer_is_offered_and_nothing_is_counted(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.events.tell(MirrorRead(CONNECTION, PETS, 0, None), LoadFailed(CONNECTION, PETS, Unreachable("refused")))
    page_says(qtbot, window, "The pets could not be read")
    assert list(buttons(window)) == ["Try again"]
    counts = tab_of(window).bar.findChild(QLabel, "listCounts")
    assert counts is not None and counts.text() == "not known", "a list that was never read has no number"
