"""The same changes have the same number in the report, in Compare and on Today, and it is the sum of who made them."""

from __future__ import annotations

import re

from petstore_desktop.desk.past import ALL_KINDS, SeenGroup, SeenKind, by_name, first_of_groups, group_changes
from petstore_desktop.desk.report.period import PeriodKind, period_of
from petstore_desktop.desk.report.report import Past, report_of
from petstore_desktop.desk.report.shop_now import ShopNow
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.seen_changes import Span, Who
from petstore_desktop.ui.compare.compare_texts import spoken_header
from petstore_desktop.ui.report.report_texts import group_row
from petstore_desktop.ui.text.changes.seen import part_words
from petstore_desktop.ui.today.since import count_words
from tests.desk.past.seen import came, changed, status, stock, went
from tests.desk.report.test_report import TODAY, run

PETS, STOCK, ORDERS = Resource.PETS, Resource.INVENTORY, Resource.ORDERS
CHANGES = (
    changed(PETS, 1, "name", "Koi", "Carp", who=Who.HERE),
    changed(PETS, 1, "category_id", 1, 2, who=Who.HERE),
    changed(PETS, 2, "name", "Ant", "Bat"),
    changed(ORDERS, 9, "quantity", 1, 2, who=Who.BOTH),
    status(3, "available", "sold"),
    stock(4, 9, 7, who=Who.HERE),
    came(PETS, 5),
    came(STOCK, 5, quantity=12),
    went(PETS, 6),
    went(STOCK, 6, quantity=3),
)


def numbers(words: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", words)]


def test_a_report_compare_and_today_say_the_same_numbers_and_they_add_up() -> None:
    period = period_of(PeriodKind.THIS_WEEK, TODAY, 0)
    now = ShopNow(TODAY, None, None, None, False)
    report = run(report_of(period, now, Past(Span(0.0, 1.0), None, None, CHANGES, 0.0), 0))
    compare = {group.kind: group for group in group_changes(CHANGES)}
    *_, today = first_of_groups(CHANGES, ALL_KINDS, by_name(str.casefold), 1)
    assert today is not None
    assert [group.kind for group in report.groups] == [group.kind for group in today] == list(compare)
    for group, brief in zip(report.groups, today, strict=True):
        _, said, _, who = group_row(group)
        assert int(said) == sum(numbers(who)), "who made them adds up"
        assert _in_compare(compare[group.kind]) == int(said)
        assert numbers(part_words(group))[0] == numbers(count_words(brief))[0] == int(said)
    assert {group.kind: group.count for group in report.groups}[SeenKind.OTHER] == 4


def _in_compare(group: SeenGroup) -> int:
    return numbers(spoken_header(group, folded=False))[0]
