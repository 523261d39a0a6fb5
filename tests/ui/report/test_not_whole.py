"""Of lists that are here in part only, a report has no number, and does not say that nothing changed."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.report.period import PeriodKind, period_of
from petstore_desktop.desk.report.report import Past, report_of
from petstore_desktop.desk.report.shop_now import look_at
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.sync.wire.events import LoadEnded
from petstore_desktop.ui.report.report_pages import lists_of
from petstore_desktop.ui.report.report_texts import figure_table, no_changes_words, no_stock_words, said_of
from petstore_desktop.ui.text.changes.seen import untold_words
from tests.desk.report.test_report import ALL, SHOP, TODAY, run, shop_of
from tests.desk.shopkit import NOON, new_desk

PETS, ORDERS, STOCK = Resource.PETS, Resource.ORDERS, Resource.INVENTORY
COUNTED_IN = {
    "Pets": {PETS},
    "available": {PETS},
    "sold": {PETS},
    "on loan": {PETS},
    "Pieces in stock": {STOCK, PETS},
    "Low stock": {STOCK, PETS},
    "None left": {STOCK, PETS},
    "Open orders": {ORDERS},
    "Overdue orders": {ORDERS},
}
"""The lists that a figure needs whole."""

pytestmark = pytest.mark.usefixtures("qapp")  # widths of texts are measured


@pytest.mark.parametrize("part", [{ORDERS}, {STOCK}, {PETS}, {PETS, ORDERS, STOCK}, set[Resource]()])
def test_a_figure_of_a_list_that_is_here_in_part_is_not_known(part: set[Resource]) -> None:
    shop = shop_of(*SHOP)
    shop.in_part = frozenset(part)
    now = run(look_at(shop, ALL))
    past = Past(Span(0.0, 1.0, frozenset(part)), None, None, (), 0.0)
    report = run(report_of(period_of(PeriodKind.THIS_WEEK, TODAY, 0), now, past, 0))
    _, lines = figure_table(report)
    for name, value in lines:
        assert (value == "not known") == bool(COUNTED_IN[name] & part), (name, value)
    for section in lists_of(report, shop):
        known = not ({STOCK, PETS} if "stock" in section.title else {ORDERS}) & part
        assert bool(re.search(r"\d", section.title)) == known, section.title
        assert known or section.none.endswith("is not known.") or section.none.endswith("are overdue is not known.")
    if part:
        assert no_changes_words(report) == "No change is known in these days."
        assert "not known" in untold_words(report.span.untold)
    else:
        assert no_changes_words(report) == "Nothing was seen to change in these days."
    if part & {STOCK, PETS}:
        assert no_stock_words(report) == "Not known."


def test_a_day_on_which_a_list_was_cut_has_no_total_to_compare_with() -> None:
    shop = shop_of(*SHOP)
    now = run(look_at(shop, ALL)).totals()
    past = Past(Span(0.0, 1.0), replace(now, open_orders=None, overdue=None), None, (), 0.0)
    report = run(report_of(period_of(PeriodKind.THIS_WEEK, TODAY, 0), run(look_at(shop, ALL)), past, 0))
    _, lines = figure_table(report)
    change = {line[0]: line[1:] for line in lines}["Open orders"]
    assert change[0] == "not known" and change[-1] == ""


@pytest.mark.parametrize(("unread", "said"), [(1, "1 record is set aside and not"), (3, "3 records are set aside")])
def test_records_that_could_not_be_read_are_left_out_of_its_figures_and_said(unread: int, said: str) -> None:
    desk = new_desk()
    for resource, gaps in ((PETS, Gaps(set_aside=unread)), (ORDERS, Gaps()), (STOCK, Gaps())):
        apply_event(desk, LoadEnded("shop", resource, NOON, gaps))
    (words,) = said_of(desk, "Shop").lines
    assert said in words and "not counted" in words
    apply_event(desk, LoadEnded("shop", PETS, NOON + 60))
    assert "set aside" not in "".join(said_of(desk, "Shop").lines)
