"""The page Today: what needs a person, where its lines lead, and the way back to the same line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.past import SeenKind, group_changes
from petstore_desktop.desk.stocktake.drafts import Head, Scope, head_draft
from petstore_desktop.domain.changes import ChangeState, NewChange, Reason, SetFields, SetStock
from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import Link, Quota, Window
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, Span, What, Who
from petstore_desktop.sync.wire.events import LinkMoved
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.navigation import ListTarget
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TODAY
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.text.changes.seen import totals_words
from petstore_desktop.ui.today.section import Line, TodaySection
from petstore_desktop.ui.today.sentence import TodaySentence, linked
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.today import ABSENCE_S, last_here
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingApp, RecordingShop

Key = Qt.Key
KOI, BUDGIE = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 877)
STOCK = Ref(Resource.INVENTORY, 1234)
ACTS = (
    NewChange(STOCK, SetStock(40), {"quantity": 24}),
    NewChange(BUDGIE, SetFields({"name": "Budgie"}), {"name": "Budgerigar"}),
    NewChange(KOI, SetFields({"name": "Kai"}), {"name": "Koi"}),
)


@pytest.fixture
def today(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> TodayPage:
    """A count in conflict and two names that were refused."""
    shop.events.tell(shop.saved(ACTS, "b"))
    shop.move(1, ChangeState.CONFLICT, Reason("moved", "", None, None, {"quantity": 31}))
    for number in (2, 3):
        shop.move(number, ChangeState.REFUSED, Reason("refused", "the till is closed", 422))
    qtbot.waitUntil(lambda: shop.desk.outbox.needs_person == 3)
    window.parts.actions["todayTab"].trigger()
    page = window.page()
    assert isinstance(page, TodayPage)
    return page


def test_what_needs_a_person_stands_with_its_reason_and_the_verb(today: TodayPage) -> None:
    conflict, refused = (button.line for button in today.needs.buttons())
    assert (conflict.head, conflict.act) == ("1 conflict", "Decide")
    assert conflict.names.replace("\u2068", "").replace("\u2069", "") == "Kai: in stock 40 here, 31 elsewhere"
    assert (refused.head, refused.act) == ("2 refused", "Look at them")
    assert "“the till is closed”" in refused.names and "Budgie" in refused.names


def test_a_line_leads_to_the_decision_and_the_way_back_ends_on_the_same_line(
    qtbot: QtBot, window: MainWindow, today: TodayPage
) -> None:
    refused = today.needs.buttons()[1]
    refused.setFocus()
    qtbot.keyClick(refused, Key.Key_Return)
    assert (window.shown(), window.activity().page_name()) == (ACTIVITY, "review")
    assert window.activity().review.view.currentIndex().isValid()
    qtbot.keyClick(window, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.shown() == TODAY
    assert refused.hasFocus()


def test_escape_in_the_rows_behind_a_line_comes_back_to_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, today: TodayPage
) -> None:
    line = today.needs.buttons()[1]
    line.setFocus()
    window.parts.navigation.open_list(ListTarget(Resource.PETS, filters={"status": "available"}))
    tab = tab_of(window)
    assert dict(tab.table.column_filters) == {"status": "available"}
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert window.shown() == TODAY and line.hasFocus()
    window.show_tab("pets")
    QApplication.processEvents()
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert window.shown() == "pets", "whoever came by the tab stays, and the filter goes"
    assert not tab.table.column_filters


def test_what_a_link_leads_to_does_not_stand_under_the_name_of_another_view(
    qtbot: QtBot, window: MainWindow, today: TodayPage
) -> None:
    views, navigation = window.parts.views, window.parts.navigation
    pending = next(one for one in views.all() if one.id == "pets.pending")
    views.open(pending)
    navigation.open_list(ListTarget(Resource.PETS, filters={"status": "available"}))
    assert views.current(Resource.PETS).is_all
    assert dict(tab_of(window).table.column_filters) == {"status": "available"}
    navigation.open_list(ListTarget(Resource.PETS, filters={"status": "pending"}))
    assert views.current(Resource.PETS) == pending


def test_lines_that_stay_keep_the_keyboard_when_others_come_and_go(qtbot: QtBot) -> None:
    section = TodaySection("probe", "Probe")
    qtbot.addWidget(section)
    section.show()
    section.activateWindow()
    QApplication.processEvents()
    lines = [Line(name, name, lambda: None, head=name) for name in "abc"]
    section.set_lines(lines)
    kept = section.buttons()[1]
    kept.setFocus()
    section.set_lines([lines[2], lines[1]])
    assert [button.line.key for button in section.buttons()] == ["c", "b"]
    assert section.buttons()[1] is kept and kept.hasFocus()
    section.set_lines([], "Nothing here")
    assert section.empty.isVisible() and section.empty.text() == "Nothing here"


def test_today_opens_at_the_first_start_of_a_day_and_not_at_the_second(
    open_window: OpenWindow, shop: RecordingShop, app_port: RecordingApp
) -> None:
    app_port.preferences["todayFirst"] = ""
    first = open_window()
    assert first.shown() == TODAY
    first.show_tab("orders")
    first.state.save()
    again = RecordingShop(state=shop.state)
    assert open_window(again).shown() == "orders"
    next_day = RecordingShop(state=shop.state)
    next_day.clock.advance(86_400.0)
    assert open_window(next_day).shown() == TODAY


@pytest.mark.parametrize(("kept", "shown"), [(0, "pets"), (2, "orders"), (4, ACTIVITY), ("today", TODAY), (9, "pets")])
def test_a_tab_is_kept_by_its_name_and_old_numbers_are_understood(
    open_window: OpenWindow, kept: object, shown: str
) -> None:
    shop = RecordingShop(state={"tab": kept})
    window = open_window(shop)
    assert window.shown() == shown
    window.state.save()
    assert shop.state["tab"] == shown


def test_an_absence_is_half_an_hour_without_use_whether_or_not_the_program_is_closed(
    open_window: OpenWindow, shop: RecordingShop
) -> None:
    here = last_here(open_window())
    assert here.since is None
    shop.clock.advance(ABSENCE_S - 1)
    here.seen(True)
    assert here.since is None, "a short break is no absence"
    left = shop.clock.now().wall
    shop.clock.advance(ABSENCE_S)
    here.seen(True)
    assert here.since == left
    shop.clock.advance(60)
    here.seen(True)
    assert here.since == left, "it stays until the next absence"
    window = here.parent()
    assert isinstance(window, MainWindow)
    window.state.save()
    again = RecordingShop(state=shop.state, clock=shop.clock)
    shop.clock.advance(ABSENCE_S - 1)
    assert last_here(open_window(again)).since == left, "closed and opened again within a short break"
    shop.clock.advance(ABSENCE_S)
    third = RecordingShop(state=shop.state, clock=shop.clock)
    assert last_here(open_window(third)).since == left + ABSENCE_S + 60


def test_the_age_says_since_when_nothing_answers(qtbot: QtBot, today: TodayPage, shop: RecordingShop) -> None:
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON - 3600, None))
    qtbot.waitUntil(lambda: "offline since" in today.age.text())


def test_where_nothing_is_counted_yet_the_page_bears_its_name(qtbot: QtBot, open_window: OpenWindow) -> None:
    shop = RecordingShop()
    window = open_window(shop)
    window.show_tab(TODAY)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Koi {n}") for n in range(1, 4)])
    page = window.page()
    assert isinstance(page, TodayPage)
    qtbot.waitUntil(lambda: page.sentence.words() == "Today")


def sold(key: int, name: str, who: Who = Who.ELSEWHERE) -> SeenChange:
    """A pet that was sold while nobody looked."""
    ref = Ref(Resource.PETS, key)
    return SeenChange(ref, What.CHANGED, who, "status", "available", "sold", NOON - 90, NOON - 60, {}, name)


def counted(key: int, before: int, after: int) -> SeenChange:
    """The stock of a pet that changed."""
    ref = Ref(Resource.INVENTORY, key)
    return SeenChange(ref, What.CHANGED, Who.HERE, "quantity", before, after, NOON - 90, NOON - 60, {}, f"Pet {key}")


def came_back(qtbot: QtBot, window: MainWindow, shop: RecordingShop, *changes: SeenChange) -> TodayPage:
    """Today of somebody who was away for three days, with what the history tells."""
    shop.past.spanned, shop.past.changes = Span(NOON - 900_000, NOON), changes
    last_here(window).since = NOON - 3 * 86_400
    window.show_tab(TODAY)
    page = window.page()
    assert isinstance(page, TodayPage)
    qtbot.waitUntil(lambda: bool(page.sentence.words()))
    return page


def test_the_sentence_and_the_list_say_what_changed_since_the_person_left(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    changes = [*(sold(n, f"Pet {n}", Who.HERE if n == 3 else Who.ELSEWHERE) for n in range(1, 10)), counted(877, 5, 3)]
    page = came_back(qtbot, window, shop, *changes)
    assert page.sentence.words() == "Since Tuesday 13:22: 9 pets sold, stock of 1 pet changed."
    assert [link.accessibleName() for link in page.sentence.links()] == ["9 pets sold", "stock of 1 pet changed"]
    pets = page.since.lists[SeenKind.SOLD]
    assert [button.line.spoken for button in pets.buttons()] == [
        f"Pet {n}: available → sold, {'here' if n == 3 else 'elsewhere'}" for n in range(1, 5)
    ]
    (stock,) = page.since.lists[SeenKind.STOCK].buttons()
    assert stock.line.spoken == "Pet 877: 5 → 3, here"
    qtbot.mouseClick(stock, Qt.MouseButton.LeftButton)
    assert tab_of(window).current_ref() == Ref(Resource.INVENTORY, 877)
    qtbot.keyClick(tab_of(window).view, Key.Key_Escape)
    assert window.shown() == TODAY and stock.hasFocus()


def test_the_keyboard_stays_on_the_count_it_is_on_when_the_sentence_changes(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    page = came_back(qtbot, window, shop, sold(1, "Koi", Who.HERE), counted(877, 5, 3))
    shop.past.changes = [sold(1, "Koi", Who.HERE), sold(2, "Kai", Who.HERE), counted(877, 5, 3)]
    for place, words in enumerate(("2 pets sold", "stock of 2 pets changed")):
        page.sentence.links()[place].setFocus()
        page.renew()
        qtbot.waitUntil(lambda said=words: said in page.sentence.words())
        focused = window.focusWidget()
        assert isinstance(focused, QWidget) and focused.accessibleName() == words
        shop.past.changes = [*shop.past.changes, counted(878, 5, 3)]


def test_nothing_new_a_first_day_and_a_damaged_history_are_said(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    page = came_back(qtbot, window, shop)
    assert page.sentence.words() == "Nothing changed since Tuesday 13:22. 1 order is overdue."
    page.sentence.links()[0].click()
    assert window.shown() == "orders" and tab_of(window).table.row_count == 1
    window.show_tab(TODAY)
    last_here(window).since = NOON + 60
    page.renew()
    qtbot.waitUntil(lambda: page.sentence.words().startswith("The shop has not been read since 13:23. "))
    last_here(window).since = NOON - 3 * 86_400
    shop.past.spanned = Span(NOON - 3_600, NOON)
    page.renew()
    qtbot.waitUntil(lambda: page.sentence.words().startswith("Nothing changed since 12:22, when the history began. "))
    shop.past.trouble = StorageError("unreadable", path="/shop/history.db")
    page.renew()
    qtbot.waitUntil(lambda: page.sentence.words().startswith("What changed since Tuesday 13:22 is not known. "))
    assert "history.db" in page.since.empty.text() and page.since.empty.isVisible()
    shop.past.trouble = None
    last_here(window).since = None
    page.renew()
    qtbot.waitUntil(lambda: page.sentence.words() == "1 order is overdue.")
    assert page.since.title.text() == "Changes" and page.since.link.isVisible(), "two days can be compared all the same"
    assert page.since.empty.isVisible() and "while you are away" in page.since.empty.text()


def test_today_counts_as_the_comparison_does(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    done, gone = counted(1, 5, 3), counted(2, 5, 3)
    done = replace(done, ref=Ref(Resource.ORDERS, 7), field="complete", before=False, after=True)
    gone = replace(gone, ref=Ref(Resource.PETS, 9), what=What.GONE, field="")
    ship = {"pet_id": 1, "quantity": 3, "ship_date": f"{shop.desk.shop.today + timedelta(days=1)}T09:00:00Z"}
    new = replace(gone, ref=Ref(Resource.ORDERS, 8), what=What.NEW, record=ship)
    page = came_back(qtbot, window, shop, done, gone, new)
    said = page.sentence.words()
    assert said == f"Since Tuesday 13:22: {totals_words(group_changes([done, gone, new]))}".replace(
        "order placed, 1 completed", "new order, 1 order completed"
    )
    (order,) = page.since.lists[SeenKind.PLACED].buttons()
    assert ": 3, tomorrow, here" in order.line.spoken


def test_very_many_changes_are_counted_in_short_turns_and_few_are_kept(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    page = came_back(qtbot, window, shop)
    shop.past.changes = [counted(n, 5, 3) for n in range(8_000)]
    turns: list[None] = []
    clock = timer(page, 0, lambda: turns.append(None))
    clock.start()
    page.renew()
    page.renew()
    qtbot.waitUntil(lambda: "stock of 8,000 pets changed" in page.sentence.words())
    assert len(turns) > 10
    (group,) = page.since._reader.since.groups
    assert (len(group.changes), group.here) == (6, 8_000)


def test_an_answer_that_comes_after_the_next_question_is_let_go(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    page = came_back(qtbot, window, shop, sold(1, "Koi"))
    waiting: list[Callable[[], None]] = []
    answer = shop.past.changes_between

    def slow(then: float, now: float, done: Callable[[Any], None]) -> None:
        told = shop.past.changes
        waiting.append(lambda: done(told))

    shop.past.changes_between = slow  # pyright: ignore[reportAttributeAccessIssue] -- it answers when it is told to
    page.renew()
    qtbot.waitUntil(lambda: len(waiting) == 1)
    shop.past.changes_between = answer  # pyright: ignore[reportAttributeAccessIssue] -- as before
    shop.past.changes = [sold(1, "Koi"), sold(2, "Ara")]
    page.renew()
    qtbot.waitUntil(lambda: "2 pets sold" in page.sentence.words())
    waiting[0]()
    assert "2 pets sold" in page.sentence.words()


@pytest.mark.parametrize(
    ("day", "count", "words"),
    [
        (Window(1_000, 786, NOON + 30_000), "214 of 1,000", "How long they last is not known yet"),
        (Window(1_000, 0, NOON + 3_600), "1,000 of 1,000", "Used up. Full again at 14:22."),
        (Window(), "0 sent", "Limit not known"),
    ],
)
def test_the_requests_of_today_are_counted_and_it_is_said_whether_they_last(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, day: Window, count: str, words: str
) -> None:
    shop.desk.quota = Quota(Window(60, 58, NOON + 30), day)
    page = came_back(qtbot, window, shop)
    assert (page.requests.link.words(), page.requests.words.text()) == (count, words)
    page.requests.link.click()
    assert (window.shown(), window.activity().page_name()) == (ACTIVITY, "requests")


def test_tab_goes_over_the_page_as_it_is_read(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.events.tell(shop.saved(ACTS, "b"))
    shop.move(2, ChangeState.REFUSED, Reason("refused", "the till is closed", 422))
    qtbot.waitUntil(lambda: shop.desk.outbox.needs_person == 1)
    page = came_back(qtbot, window, shop, sold(1, "Koi"), counted(877, 5, 3))
    page.sentence.links()[0].setFocus()
    seen: list[str] = []
    while "today.requests" not in seen and len(seen) < 60:
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.append(focused.objectName())
        qtbot.keyClick(focused, Key.Key_Tab)
    lists = [name for name in seen if name.startswith(("today.orders", "today.stock"))]
    assert lists and seen[4 : 4 + len(lists)] == lists, "orders and stock come after what needs a person"
    assert [name for name in seen if name not in lists] == [
        "today.sentence.sold",
        "today.sentence.stock",
        "todayRefresh",
        "today.needs.refused",
        "today.compare",
        "today.since.pets.1.status",
        "today.since.inventory.877.quantity",
        "today.requests",
    ]


def test_today_costs_no_request(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.asked.clear()
    came_back(qtbot, window, shop, sold(1, "Koi"))
    assert {name for name, _ in shop.asked} <= {"watch"}


def test_the_page_takes_the_width_that_the_window_gets_after_it_was_shown(qtbot: QtBot, today: TodayPage) -> None:
    today.resize(40, 400)
    today.refresh_state()
    assert today.sentence.width() < 60
    today.resize(1200, 700)
    qtbot.waitUntil(lambda: today.sentence.width() > 600)


def test_what_was_begun_at_a_desk_stands_on_the_page_until_it_is_booked_and_leads_back(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, today: TodayPage
) -> None:
    assert today.begun.isHidden()
    line = KeepDraft("receive:b:p1234", {"count": "2", "typed": "0", "at": "1.0"})
    head = head_draft(Head("c" * 32, NOON, Scope()))
    shop.keep_drafts((line, head))
    qtbot.waitUntil(lambda: len(today.begun.buttons()) == 2)
    assert [button.line.spoken for button in today.begun.buttons()] == ["Delivery: 1 line", "Stocktake begun"]
    assert today.begun.isVisible()
    qtbot.mouseClick(today.begun.buttons()[0], Qt.MouseButton.LeftButton)
    page = window.page()
    assert isinstance(page, ReceivePage)
    page.go()
    window.parts.actions["todayTab"].trigger()
    qtbot.waitUntil(lambda: [button.line.key for button in today.begun.buttons()] == ["begun.stocktake"])


def test_the_ring_of_a_link_leaves_the_sign_behind_it_free(qtbot: QtBot) -> None:
    sentence = TodaySentence()
    qtbot.addWidget(sentence)
    sentence.resize(600, 60)
    sentence.show_words(f"{linked('2 orders')}. {linked('3 pets')} are low", {"orders": lambda: 0, "pets": lambda: 0})
    followed, alone = sentence.links()
    free = [link.width() - current().advance(link.text(), 24, 500) for link in (followed, alone)]
    assert free[0] + 3 < free[1]
