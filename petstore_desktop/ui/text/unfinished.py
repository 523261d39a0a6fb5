"""What lies at the stations of the stock room and is not booked yet, so that nobody forgets it."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.receiving import lines_kept
from petstore_desktop.desk.stocktake.drafts import goes_on
from petstore_desktop.domain.commands import Draft
from petstore_desktop.ui.text.translate import tr


def unfinished_words(drafts: Mapping[str, Draft]) -> tuple[str, str]:
    """That lines of a delivery are here, and that a count was begun; each empty where it is not so."""
    lines = lines_kept(drafts)
    delivery = tr("Delivery: {n} lines", "", lines, one="Delivery: {n} line") if lines else ""
    return delivery, tr("Stocktake begun") if goes_on(drafts) else ""
