"""Writes pictures of the window with invented data, light and dark: `python -m tests.ui.render_window FOLDER`.

For eyes, not a test: to be laid beside the design. The platform's font is used; with `--family NAME` another one.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QLocale
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import (
    AddStock,
    ChangeState,
    Create,
    Delete,
    NewChange,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass, SentRequest, Window
from petstore_desktop.domain.records import Category, InventoryItem, LocalId, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import GateMoved, QuotaMoved, RequestsSent
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.grid.editors import StockEditor
from petstore_desktop.ui.questions import confirm
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.status.quota_popup import QuotaPopup
from petstore_desktop.ui.window import dialogs as opening
from petstore_desktop.ui.window.closing import open_closing
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.pictures import write
from tests.ui.recording_shop import CONNECTION, NOON, RecordingApp, RecordingShop
from tests.ui.settled import settle

PETS = """1187 African grey, hand-reared|Birds|available|6
988 Angelfish, marbled|Fish|available|31
1410 Axolotl, leucistic|Amphibians|available|7
1422 Ball python, pastel|Reptiles|pending|5
1065 Bearded dragon, juvenile|Reptiles|available|12
1301 Betta, indigo half-moon|Fish|available|18
877 Budgerigar, sky blue|Birds|available|24
1203 Canary, red factor|Birds|available|14
1342 Chinchilla, standard grey, brothers from the same litter|Small animals|pending|5
940 Clownfish|Fish|available|22
1388 Cockatiel, lutino|Birds|available|9
1129 Corn snake, amelanistic|Reptiles|pending|6
1254 Crested gecko|Reptiles|available|11
1017 Discus, turquoise|Fish|available|4
1356 Fancy mouse, agouti|Small animals|available|26
1166 Ferret, sable|Small animals|pending|5
903 Guinea pig, Abyssinian|Small animals|available|16
1279 Hermit crab|Invertebrates|available|40
1234 Koi|Fish|available|24
1091 Leopard gecko, high yellow|Reptiles|available|13
1377 Lovebird, peach-faced|Birds|available|10
866 Neon tetra|Fish|available|1240
1098 Rosy barb|Fish|available|44
1290 Cherry shrimp|Invertebrates|available|310
1401 Zebra finch|Birds|available|28"""
SOLD = [CellInput(Ref(Resource.PETS, int(line.split()[0])), "status", "sold") for line in PETS.splitlines()]
CATEGORIES = ("Birds", "Fish", "Amphibians", "Reptiles", "Small animals", "Invertebrates", "Pond fish")
DAY = 86400


def fill(shop: RecordingShop) -> None:
    """Pets, stock, orders and changes much as in the design's pictures."""
    shop.tell_ready()
    ids = {name: number + 1 for number, name in enumerate(CATEGORIES)}
    pets: list[Pet] = []
    stock: list[InventoryItem] = []
    for line in PETS.splitlines():
        head, category, status, quantity = line.split("|")
        number, _, name = head.partition(" ")
        pets.append(Pet(int(number), name, ids[category], status))
        stock.append(InventoryItem(int(number), int(quantity), status))
    many = [Pet(20_000 + n, f"Minnow, lot {n}", ids["Fish"], "sold") for n in range(1879)]
    shop.tell_rows(Resource.CATEGORIES, [Category(number, name) for name, number in ids.items()])
    shop.tell_rows(Resource.PETS, [*pets, *many])
    shop.tell_rows(Resource.INVENTORY, stock)
    shop.tell_rows(Resource.ORDERS, orders(pets))
    stock_ref = lambda key: Ref(Resource.INVENTORY, key)  # noqa: E731  a word for eight uses
    pet_ref = lambda key: Ref(Resource.PETS, key)  # noqa: E731  as above
    pond = ids["Pond fish"]
    acts = (
        NewChange(stock_ref(1234), AddStock(12), {"quantity": 24}),
        NewChange(pet_ref(1234), SetFields({"category_id": pond}), {"category_id": ids["Fish"]}),
        NewChange(stock_ref(1017), SetStock(8), {"quantity": 4}),
        NewChange(pet_ref(1356), SetFields({"status": "sold"}), {"status": "available"}),
        NewChange(stock_ref(1203), AddStock(0), {"quantity": 14}),
        NewChange(pet_ref(1065), SetFields({"status": "available"}), {"status": "pending"}),
        NewChange(stock_ref(1301), AddStock(-2), {"quantity": 18}),
        NewChange(stock_ref(1290), SetStock(296), {"quantity": 310}),
        NewChange(stock_ref(1401), AddStock(-30), {"quantity": 28}),
    )
    shop.events.tell(shop.saved(acts, "b"))
    refusal = Reason("refused", "unknown category 7", 400, '{"code":"bad","message":"unknown category 7","status":400}')
    shop.move(2, ChangeState.REFUSED, refusal)
    shop.move(3, ChangeState.CONFLICT, Reason("conflict", "", 412, None, {"quantity": 6}))
    shop.move(5, ChangeState.SENDING)
    shop.move(6, ChangeState.DONE)
    shop.move(9, ChangeState.REFUSED, Reason("refused", "below zero", 400, "{}"))
    quota = Quota(Window(60, 52, NOON + 30), Window(1000, 943, NOON + DAY / 2, own_count=True))
    shop.events.tell(QuotaMoved(CONNECTION, quota), RequestsSent(CONNECTION, requests()))


def requests() -> tuple[SentRequest, ...]:
    """Two hours of a day: reading, booking, a pause with its question, an answer that did not come."""
    made: list[SentRequest] = []
    for n in range(120):
        at, lists = NOON - 7200 + 60 * n, ("/pets", "/categories", "/store/orders", "/inventory")
        if n % 5 == 0:
            made.append(SentRequest(at, RequestClass.CHANGES, "PATCH", "/inventory/1234", 200, 0.2 * (n % 7), 0.31))
        else:
            cls = (RequestClass.VISIBLE, RequestClass.BACKGROUND)[n % 2]
            status = 304 if n % 3 else 200
            made.append(SentRequest(at, cls, "GET", f"{lists[n % 4]}?limit=500", status, 0.0, 0.04 + n % 9 / 30))
    made[-4] = SentRequest(NOON - 200, RequestClass.PERSON, "GET", "/pets/1234", 429, 0.0, 0.05)
    made[-3] = SentRequest(NOON - 130, RequestClass.PERSON, "GET", "/categories?limit=1", 200, 70.2, 0.05, probe=True)
    made[-2] = SentRequest(NOON - 100, RequestClass.CHANGES, "PATCH", "/pets/877", None, 0.1, 30.0, "deadline")
    return tuple(made)


def orders(pets: list[Pet]) -> list[Order]:
    """Late, today, tomorrow, later, without date, complete."""
    made: list[Order] = []
    for n, pet in enumerate(pets[:20]):
        when = NOON + (n - 5) * DAY
        date = None if n == 18 else time.strftime("%Y-%m-%dT09:00:00Z", time.gmtime(when))
        made.append(Order(1198 + 3 * n, 1777 if n == 8 else pet.id, 1 + n % 4, date, n in (3, 19)))
    return made


def shoot(widget: QWidget, folder: Path, name: str) -> None:
    """One picture."""
    settle(widget.window())
    write(widget.grab(), folder, name)


def scenes(window: MainWindow, shop: RecordingShop, folder: Path, theme: str, *, with_dialogs: bool) -> None:
    """Each picture of one theme."""
    window.parts.navigation.open(Ref(Resource.PETS, 1234))
    shoot(window, folder, f"pets-{theme}")
    tab = window.tab()
    if tab is not None:
        tab.view.selectAll()
    shoot(window, folder, f"pets-selected-{theme}")
    window.parts.navigation.open(Ref(Resource.ORDERS, 1198))
    shoot(window, folder, f"orders-{theme}")
    window.show_tab("categories")
    shoot(window, folder, f"categories-{theme}")
    window.show_tab("pets")
    tab = window.tab()
    if tab is not None:
        tab.set_filter("koi sold")
    shoot(window, folder, f"filtered-{theme}")
    if tab is not None:
        tab.set_filter("")
    gate = GateView(GatePhase.PAUSED, NOON - 13, NOON + 47, "too many requests", 429, '{"code":"rate_limited"}')
    shop.events.tell(GateMoved(CONNECTION, gate))
    shop.events.tell(QuotaMoved(CONNECTION, Quota(Window(60, 0, NOON + 47), Window(1000, 940, None, own_count=True))))
    window.show_tab("inventory")
    settle(window)
    stock = window.tab()
    if stock is not None:
        stock.view.setFocus()
        stock.view.setCurrentIndex(stock.model.index_of(877, 4))
        QTest.keyClick(stock.view, "+")
        for editor in stock.view.findChildren(StockEditor):
            QTest.keyClicks(editor, "24")
    shoot(window, folder, f"inventory-paused-{theme}")
    if stock is not None:
        stock.view.setFocus()
    activity_scenes(window, shop, folder, theme)
    if with_dialogs:
        dialogs(window, shop, folder, theme)
    welcome(window, folder, theme)
    window.resize(1024, 600)
    window.show_tab("pets")
    shoot(window, folder, f"small-{theme}")


def get_stuck(shop: RecordingShop) -> None:
    """One of each kind that a person decides about."""
    pet_ref = lambda key: Ref(Resource.PETS, key)  # noqa: E731  a word for four uses
    guppy = Create({"name": "Guppy, red delta", "category_id": 2, "status": "available"})
    two = SetFields({"name": "Rosy barb, neon", "status": "sold"})
    acts = (
        NewChange(pet_ref(940), SetFields({"status": "sold"}), {"status": "available"}),
        NewChange(pet_ref(1098), two, {"name": "Rosy barb", "status": "available"}),
        NewChange(Ref(Resource.INVENTORY, 866), AddStock(60), {"quantity": 1240}),
        NewChange(Ref(Resource.ORDERS, 1204), Delete(), {"complete": False}),
        NewChange(Ref(Resource.PETS, LocalId("guppy")), guppy),
        NewChange(pet_ref(1377), SetFields({"name": "Lovebird"}), {"name": "Lovebird, peach-faced"}),
    )
    first = max(shop.journal) + 1
    shop.events.tell(shop.saved(acts, "stuck"))
    conflicts = ({"status": "pending"}, {"name": "Rosy barb, wild", "status": "pending"}, {"quantity": 1250})
    for number, theirs in enumerate((*conflicts, {"complete": True})):
        shop.move(first + number, ChangeState.CONFLICT, Reason("moved", "", None, None, theirs))
    shop.move(first + 4, ChangeState.UNCERTAIN, Reason("unfound", ""))
    shop.move(first + 5, ChangeState.UNCERTAIN, Reason("interrupted", ""))


def activity_scenes(window: MainWindow, shop: RecordingShop, folder: Path, theme: str) -> None:
    """The pages of the Activity tab, and what the meter opens."""
    window.show_tab("activity")
    shoot(window, folder, f"activity-{theme}")
    get_stuck(shop)
    window.parts.actions["showReview"].trigger()
    shoot(window, folder, f"review-{theme}")
    window.parts.actions["showRequests"].trigger()
    shoot(window, folder, f"requests-{theme}")
    window.parts.actions["showQuota"].trigger()
    for popup in window.findChildren(QuotaPopup):
        shoot(popup, folder, f"quota-{theme}")
        popup.close()


def price_of(changes: tuple[NewChange, ...]) -> Price:
    """As if each were one request, on a day of 1,000 of which 940 are left."""
    requests = len(changes)
    today = min(requests, 840)
    days = (requests - today + 899) // 900
    seconds = 62.0 * (requests // 54) + DAY * days
    return Price(requests, 0, 0, today, seconds, 940 - today, 1_000, own_count=True, days=days)


def dialogs(window: MainWindow, shop: RecordingShop, folder: Path, theme: str) -> None:
    """Each dialog."""
    desk = shop.desk
    koi, paused = Ref(Resource.PETS, 1234), shop.desk.send_block()
    assert paused is not None
    pets = tuple(Ref(Resource.PETS, key) for key in (866, 877, 903, 940, 988, 1017))
    sold = tuple(NewChange(Ref(Resource.PETS, key), SetFields({"status": "sold"})) for key in range(640))
    makers = {
        "preview": lambda: opening.open_preview(window, Preview(desk, SOLD)),
        "bulk-edit": lambda: opening.open_bulk_edit(window, pets),
        "new-pet": lambda: opening.open_new_pet(window, 1),
        "edit-pet": lambda: opening.open_record(window, koi),
        "delete": lambda: confirm.ask_to_delete(window.parts.edits, (koi,), lambda: None, window),
        "delete-many": lambda: confirm.ask_to_delete(window.parts.edits, pets, lambda: None, window),
        "price": lambda: confirm.ask_price(sold, price_of(sold), window.shop.desk, lambda: None, window),
        "price-days": lambda: confirm.ask_price(sold * 3, price_of(sold * 3), window.shop.desk, lambda: None, window),
        "resume": lambda: confirm.ask_to_resume(paused, 5, NOON, lambda: None, window),
        "key": lambda: opening.open_key(window),
        "connect": lambda: opening.open_connect(window),
        "doctor": lambda: opening.open_doctor(window),
        "preferences": lambda: opening.open_preferences(window),
        "about": lambda: opening.open_about(window),
        "help": lambda: opening.open_help(window),
        "raw": lambda: open_raw(window, "Server response", desk.gate.raw or "", "Goes on by itself."),
        "error": lambda: open_error(window, ValueError("odd")),
        "closing": lambda: open_closing(
            window, "5 changes are saved on this computer and go out at the next start.", lambda _n: None, lambda: None
        ),
    }
    for name, make in makers.items():
        make()
        settle(window)
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible():
                write(dialog.grab(), folder, f"dialog-{name}-{theme}")
                dialog.reject()
        settle(window)


def welcome(window: MainWindow, folder: Path, theme: str) -> None:
    """What somebody without a shop sees."""
    page = WelcomePage(window.parts.app.welcome)
    page.show()
    shoot(page, folder, f"welcome-{theme}")
    page.close()


def main(themes: Sequence[str] = ("light", "dark"), *, with_dialogs: bool = True) -> None:
    """Parse the arguments and write the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--family", default="")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    font = QFont(app.font())
    if given.family:
        font = QFont(given.family)
    font.setPixelSize(13)
    app.setFont(font)
    controller = ThemeController(app, "light")
    for theme in themes:
        controller.set_preference("dark" if theme == "dark" else "light")
        shop = RecordingShop(price_of=price_of)
        window = MainWindow(shop, RecordingApp())
        window.resize(1280, 800)
        window.show()
        window.activateWindow()
        fill(shop)
        settle(window)
        scenes(window, shop, given.folder, theme, with_dialogs=with_dialogs)
        window.close_now = True
        window.close()


if __name__ == "__main__":
    main()
