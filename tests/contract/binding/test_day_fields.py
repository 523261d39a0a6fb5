"""A ship date that is a day without a time is known from the document."""

from __future__ import annotations

import pytest

from petstore_desktop.contract import cache
from petstore_desktop.contract.operations import Op
from tests.contract.documents import SCHEMAS, answer, body, bound, list_of, ref

PATHS = f"""
  /orders: {{get: {{{answer(list_of("Order"))}}}, post: {{{body(ref("Order"))}}}}}
  /orders/{{id}}: {{patch: {{{body(ref("Order"))}}}}}"""


@pytest.mark.parametrize(("format_", "wanted"), [("date", ("ship_date",)), ("date-time", ())])
def test_the_format_of_a_ship_date_says_whether_it_is_a_day(format_: str, wanted: tuple[str, ...]) -> None:
    contract = bound(PATHS, SCHEMAS.replace("format: date-time", f"format: {format_}"))
    made = [contract.operations[op].day_fields for op in (Op.ORDER_CREATE, Op.ORDER_CHANGE)]
    assert made == [wanted, wanted]
    kept = cache.from_json(cache.to_json(contract))
    assert kept.operations[Op.ORDER_CREATE].day_fields == wanted
