"""The stock room and the phone: a scan from anywhere, and an order for a caller."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QWidget

from petstore_desktop.domain.codes import label_code
from petstore_desktop.tour.pilot import click, hold, press, scan, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell_of, column_of, expect, keys, middle
from petstore_desktop.tour.steps.change import stock_of, stock_pet, written_once
from petstore_desktop.tour.steps.views import jump
from petstore_desktop.ui.cells.cell_model import KeyRole
from petstore_desktop.ui.labels.labels_page import LabelsPage
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage

_MORE, _LABELS, _PETS, _CAME = 12, 7, 3, 5
_UNKNOWN_CODE = "4006381333931"
_SALE = "SELECT p.id, i.quantity FROM pets p JOIN inventory i ON i.pet_id = p.id WHERE p.name = ?"
_ORDER = "SELECT id FROM orders WHERE pet_id = ? AND quantity = ? AND complete = 0 ORDER BY id DESC LIMIT 1"


def scanned(stage: Stage, place: int = 6) -> None:
    """With the keyboard in another list's filter, the scan of a label leads to the pet's stock, to be typed in."""
    stage.go("Pets")
    stage.filter("koi")
    pet = stock_pet(stage, place)
    stage.notes |= {"scanned": pet, "was": stock_of(stage, pet)}
    scan(label_code(pet))
    until(lambda: stage.shows("inventoryTable"), "the scan does not lead to the stock")
    table = stage.find(QTableView, "inventoryTable")
    until(lambda: table.currentIndex().data(KeyRole) == str(pet), "the scanned pet is not the current row")
    until(table.hasFocus, "the keyboard is not in the list")
    write(f"+{_MORE}")
    editor = table.viewport().findChild(QLineEdit)
    hold(editor is not None and editor.text() == f"+{_MORE}", "what is typed after a scan does not stand in the cell")


def scan_booked(stage: Stage) -> None:
    """Enter books it, once; the filter of the other list is as it was."""
    pet, mark = stage.notes["scanned"], stage.shop.mark()
    press("Return")
    wanted = stage.notes["was"] + _MORE
    until(lambda: stock_of(stage, pet) == wanted, lambda: f"the shop has {stock_of(stage, pet)}, not {wanted}")
    table = stage.find(QTableView, "inventoryTable")
    until(lambda: cell_of(table, pet, "In stock").mark in ("sent", None), "the cell does not say that it was sent")
    written_once(stage, f"/v1/inventory/{pet}", mark)
    stage.go("Pets")
    hold(stage.filter_text() == "koi", f"the filter holds {stage.filter_text()!r}")
    press("Ctrl+F")
    stage.unfilter()


def _order_typed(stage: Stage, name: str) -> None:
    stage.go("Orders")
    ((pet, stock),) = stage.shop.rows(_SALE, name)
    stage.notes |= {"ordered": int(pet), "pieces": int(stock) + 1}
    press("Ctrl+N")
    dialog = stage.dialog("newOrderDialog")
    write(name)
    press("Return")
    write(str(int(stock) + 1))
    press("Return")
    write("+4")
    said = stage.find(QLabel, "orderSentence", dialog)
    until(lambda: f"{stock + 1} {name} (#{pet})" in bare(said.text()), lambda: f"the sentence is {said.text()!r}")
    expect(dialog, f"Only {stock} in stock", "1 request", "leaves")


def _receive(stage: Stage, first: int) -> None:
    """F8; each scan and number is a line, and a code that nobody knows is one too."""
    stage.go("Inventory")
    pets = [stock_pet(stage, first + place) for place in range(_PETS)]
    stage.notes |= {f"pet{number}": pet for number, pet in enumerate(pets)}
    stage.notes |= {f"was{number}": stock_of(stage, pet) for number, pet in enumerate(pets)}
    requests = len(stage.shop.requests())
    press("F8")
    until(lambda: stage.shows("receivePage"), "F8 does not show what is received")
    page = stage.find(ReceivePage, "receivePage")
    scan(_UNKNOWN_CODE)
    for number, pet in enumerate(pets, 1):
        scan(label_code(pet))
        until(lambda: len(page.delivery.lines) == number, "a scan is not a line")  # noqa: B023  asked in this turn
        write(str(_CAME + number))
        press("Return")
    counts = {pet: line.counted for pet, line in page.delivery.lines.items()}
    hold(counts == {pet: _CAME + number for number, pet in enumerate(pets, 1)}, f"the lines are {counts}")
    hold(len(page.delivery.codes) == 1, "the unknown code is no line")
    expect(page, "Receive goods", f"Book {_PETS} lines", f"{_PETS} requests")
    hold(len(stage.shop.requests()) == requests, "that cost requests")


def received(stage: Stage) -> None:
    """Goods come in: lines for three pets, and a code whose pet is to be chosen."""
    _receive(stage, 20)


def received_booked(stage: Stage) -> None:
    """Ctrl+Enter adds all of it, each once; the unknown code stays."""
    mark, page = stage.shop.mark(), stage.find(ReceivePage, "receivePage")
    press("Ctrl+Return")
    for number in range(_PETS):
        pet, wanted = stage.notes[f"pet{number}"], stage.notes[f"was{number}"] + _CAME + number + 1
        until(lambda: stock_of(stage, pet) == wanted, f"#{pet} is not booked")  # noqa: B023  asked in this turn
        written_once(stage, f"/v1/inventory/{pet}", mark)
    hold(len(page.delivery.codes) == 1 and not page.delivery.lines, "the unknown code did not stay alone")


def received_dark(stage: Stage) -> None:
    """The next delivery in the dark."""
    _receive(stage, 24)


def _begin_count(stage: Stage, first: int) -> None:
    """F9; each scan and number counts a pet, one of them more than there are; the next scan commits."""
    stage.go("Inventory")
    stage.notes |= {"counted": stock_pet(stage, first)}
    stage.notes["was"] = stock_of(stage, stage.notes["counted"])
    pets = [stock_pet(stage, first + place) for place in (3, 2, 1, 0)]
    requests = len(stage.shop.requests())
    press("F9")
    until(lambda: stage.shows("stocktakePage"), "F9 does not show the stocktake")
    page = stage.find(StocktakePage, "stocktakePage")
    if page.count.ended:
        press("Ctrl+Return")  # the last count is closed: a new one
        until(lambda: not page.count.ended, "Ctrl+Enter does not begin a new count")
    for number, pet in enumerate(pets, 1):
        scan(label_code(pet))
        until(lambda: len(page.count.lines) == number, "a scan is not counted")  # noqa: B023  asked in this turn
        write(str(stock_of(stage, pet) + (2 if pet == stage.notes["counted"] else 0)))
    scan(_UNKNOWN_CODE)
    until(lambda: len(page.count.codes) == 1, "an unknown code is not counted")
    expect(page, "Stocktake", "Counted", "Unknown codes")
    hold(len(stage.shop.requests()) == requests, "counting costs requests")


def counted(stage: Stage) -> None:
    """Four pets are counted, one of them more than there are, and a code that nobody knows."""
    _begin_count(stage, 8)


def count_previewed(stage: Stage) -> None:
    """Ctrl+Enter shows what is booked: only the difference."""
    press("Ctrl+Return")
    dialog = stage.dialog("previewDialog")
    expect(dialog, "Save 1 change", "1 request")


def count_booked(stage: Stage) -> None:
    """The difference is added, once; nothing else is sent."""
    pet, mark = stage.notes["counted"], stage.shop.mark()
    press("Ctrl+Return")
    stage.closed("previewDialog")
    until(lambda: stock_of(stage, pet) == stage.notes["was"] + 2, "the difference is not booked")
    written_once(stage, f"/v1/inventory/{pet}", mark)


def desk_left(stage: Stage) -> None:
    """Esc shows the list again."""
    press("Esc")
    until(lambda: stage.shows("inventoryTable"), "Esc does not lead back to the stock")


def labels(stage: Stage) -> None:
    """Ctrl+L for pets that are selected: the sheet as it is printed, for 0 requests."""
    table = stage.go("Inventory")
    requests = len(stage.shop.requests())
    click(table.viewport(), middle(table, 2, column_of(table, "Pet")))
    press("Shift+Down", _LABELS - 1)
    chosen = [int(key) for key in keys(table)[2 : 2 + _LABELS]]
    press("Ctrl+L")
    until(lambda: stage.shows("labelsPage"), "Ctrl+L does not show the labels")
    page = stage.find(LabelsPage, "labelsPage")
    expect(page, f"{_LABELS} labels", "0 requests")
    hold([pet.key for pet in page.job.pets] == chosen, "the labels are of other pets")
    until(lambda: stage.find(QWidget, "labelsPrint").isEnabled() or stage.find(QWidget, "labelsPdf").isEnabled(), "off")
    hold(len(stage.shop.requests()) == requests, "that cost requests")


def order_typed(stage: Stage) -> None:
    """Ctrl+N in Orders: the pet by its name, how many, and when; the sentence warns of more than there is."""
    _order_typed(stage, "Koi")


def order_placed(stage: Stage) -> None:
    """Ctrl+Enter places it, once."""
    pet, pieces, mark = stage.notes["ordered"], stage.notes["pieces"], stage.shop.mark()
    press("Ctrl+Return")
    stage.closed("newOrderDialog")
    until(lambda: stage.shop.value(_ORDER, pet, pieces) is not None, "the shop did not get the order")
    until(lambda: stage.badge("outboxBadge") == "", "the order is still unsent")
    made = [line["status"] for line in stage.shop.writes("/v1/store/orders", mark)]
    hold(len(made) == 1, f"the order was sent {len(made)} times")


def rehearse(stage: Stage) -> None:
    """Shop > Rehearse says what happens before a window of its own opens, for 0 requests of this shop."""
    requests = len(stage.shop.requests())
    jump(stage, "rehearse")
    expect(stage.dialog("rehearseDialog"), "Nothing in it reaches the shop", "Limits", "Scene")
    hold(len(stage.shop.requests()) == requests, "that cost requests")


def not_rehearsed(stage: Stage) -> None:
    """Esc opens no window."""
    stage.escape("rehearseDialog")


def scanned_dark(stage: Stage) -> None:
    """The same scan in the dark."""
    scanned(stage, 7)


def scan_dropped(stage: Stage) -> None:
    """Esc books nothing."""
    press("Esc")
    hold(stage.find(QTableView, "inventoryTable").viewport().findChild(QLineEdit) is None, "the cell is still edited")
    hold(stock_of(stage, stage.notes["scanned"]) == stage.notes["was"], "Esc booked something")


def counted_dark(stage: Stage) -> None:
    """The next stocktake in the dark."""
    _begin_count(stage, 12)


def order_typed_dark(stage: Stage) -> None:
    """The order of another pet in the dark."""
    _order_typed(stage, "Betta")


def order_dropped(stage: Stage) -> None:
    """Esc places nothing."""
    orders = stage.shop.count("orders")
    stage.drop("newOrderDialog")
    hold(stage.shop.count("orders") == orders, "an order was placed")
    stage.go("Pets")
    press("Ctrl+F")
    stage.unfilter()


DESKS = (
    TourStep("scanned-light", scanned),
    TourStep("scan-booked", scan_booked, picture=False),
    TourStep("labels-light", labels),
    TourStep("labels-left", desk_left, picture=False),
    TourStep("receive-light", received),
    TourStep("received-booked", received_booked, picture=False),
    TourStep("receive-left", desk_left, picture=False),
    TourStep("stocktake-light", counted),
    TourStep("stocktake-preview-light", count_previewed),
    TourStep("stocktake-booked", count_booked, picture=False),
    TourStep("stocktake-left", desk_left, picture=False),
    TourStep("new-order-light", order_typed),
    TourStep("order-placed", order_placed, picture=False),
    TourStep("rehearse-light", rehearse),
    TourStep("not-rehearsed", not_rehearsed, picture=False),
)
DESKS_DARK = (
    TourStep("scanned-dark", scanned_dark),
    TourStep("scan-dropped", scan_dropped, picture=False),
    TourStep("labels-dark", labels),
    TourStep("labels-left-dark", desk_left, picture=False),
    TourStep("receive-dark", received_dark),
    TourStep("receive-left-dark", desk_left, picture=False),
    TourStep("stocktake-dark", counted_dark),
    TourStep("stocktake-left-dark", desk_left, picture=False),
    TourStep("new-order-dark", order_typed_dark),
    TourStep("order-dropped", order_dropped, picture=False),
    TourStep("rehearse-dark", rehearse),
    TourStep("not-rehearsed-dark", not_rehearsed, picture=False),
)
