"""What a service counts by itself is shown beside what its lists showed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Pet, Resource, StatusCount, StatusCounts
from petstore_desktop.sync.wire.events import CountsRead
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.widgets.labels import PlainLabel
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.lists.test_empty_texts import buttons, page_says
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract


@pytest.fixture
def contract() -> Contract:
    counts = Operation(Op.INVENTORY_LIST, "GET", "/store/inventory")
    return replace(full_contract(Op.INVENTORY_LIST, Op.STOCK_READ), counts=counts)


def told(*counts: StatusCount) -> CountsRead:
    return CountsRead(CONNECTION, StatusCounts(NOON, counts))


def counts(tab: ResourceTab) -> str:
    """The line of counts and ages."""
    label = tab.bar.findChild(PlainLabel, "listCounts")
    assert isinstance(label, PlainLabel)
    return label.text()


def line(text: str) -> str:
    """A text without the marks that keep foreign words apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def test_the_tab_of_stock_has_the_counts_instead_of_a_list(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow, contract: Contract
) -> None:
    window = open_window()
    shop.tell_ready(contract)
    window.parts.actions["inventoryTab"].trigger()
    page_says(qtbot, window, "does not offer this list")
    shop.events.tell(told(StatusCount("available", 12, 12), StatusCount("in care", 1_300, 3)))
    page_says(qtbot, window, "counts its pets by status only")
    words = line(tab_of(window).state.instead.page.accessibleDescription())
    assert "It counts 12 available, 1,300 in care." in words
    assert list(buttons(window)) == ["Operations"]


def test_the_line_of_the_pets_names_only_what_the_service_counts_otherwise(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow, contract: Contract
) -> None:
    window = open_window()
    shop.tell_ready(contract)
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "sold")])
    shop.events.tell(told(StatusCount("sold", 1, 1)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: line(counts(tab)).startswith("1, as of"))
    assert "service" not in counts(tab)
    shop.events.tell(told(StatusCount("sold", 1, 1), *(StatusCount(f"<b>{n}", n, 0) for n in range(1, 8))))
    qtbot.waitUntil(lambda: "service" in counts(tab))
    said = line(counts(tab)).partition(" · ")[2]
    assert said.startswith("the service counts 1 <b>1, 2 <b>2, 3 <b>3, 4 <b>4 and 3 others as of ")
