"""Shows every tab and every dialog of the window, one after the other, and says where it is. Not a test.

    python -m tests.ui.window.open_each TEXT_SCALE [PICTURES] [dark] [in=LANGUAGE]

Prints one JSON object a line: the dialog's `name`, its `frame`, the `screen` (without panels), its `buttons` below the
content and its `view` of the content, all as [x, y, width, height] on the screen, and the texts that are `cut` without
a tool tip. A page of the window has a `name` and what is `cut`, and which of its parts lie `over` each other. PICTURES
is a folder for a bitmap of each; LANGUAGE one that ships or is made (tests/support/spoken.py).
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QLineEdit, QWidget

from petstore_desktop import ui
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.labels.sheets import SHEETS
from petstore_desktop.desk.past import SeenKind
from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.desk.stocktake.count import Count
from petstore_desktop.desk.stocktake.drafts import Scope
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Window
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour.camera import compose
from petstore_desktop.tour.pilot import until, wait
from petstore_desktop.ui.base.first_paint import screen_of
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.compare.compare_export import ComparePrintDialog
from petstore_desktop.ui.compare.moment_range import Moments
from petstore_desktop.ui.connection import forget
from petstore_desktop.ui.connection.connect import ConnectDialog
from petstore_desktop.ui.connection.connection import DemoDialog
from petstore_desktop.ui.context.navigation import COMPARED, PAGES, StationLine
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.files.import_file import ImportDialog
from petstore_desktop.ui.files.import_memory import ImportMemory
from petstore_desktop.ui.labels.label_settings import OwnSizeDialog
from petstore_desktop.ui.questions import confirm
from petstore_desktop.ui.questions.confirm import ask_before_leaving, ask_to_drop, open_clocks, open_discard
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.records.number_dialogs import MinimumDialog
from petstore_desktop.ui.stocktake.protocol import ProtocolDialog
from petstore_desktop.ui.stocktake.stocktake_page import NoteDialog
from petstore_desktop.ui.text import translate
from petstore_desktop.ui.views.views_menu import ViewNameDialog
from petstore_desktop.ui.widgets.dialogs import Dialog, show
from petstore_desktop.ui.widgets.scrolled import Scrolled
from petstore_desktop.ui.window import dialogs as opening
from petstore_desktop.ui.window.closing import open_closing
from petstore_desktop.ui.window.hosted_pages import HOSTED
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.rehearsal_dressing import EndDialog
from tests.desk.past.seen import status
from tests.support import spoken
from tests.support.seen_texts import Watch, name_of
from tests.support.spoken import Spoken
from tests.ui.pictures import write
from tests.ui.recording_shop import RecordingApp, RecordingShop, small_shop
from tests.ui.settled import settle

KOI, ORDER, FISH = Ref(Resource.PETS, 1234), Ref(Resource.ORDERS, 1198), Ref(Resource.CATEGORIES, 1)
LONG = "The service closed the connection before it answered, and nothing is known of what became of it. " * 30
BROAD = "id,name,category,status,stock," + ",".join(f"column {n}" for n in range(20)) + "\n1234,Koi,Herons,sold,x\n"
Opener = Callable[[], object]
TURNS = 60


def openers(window: MainWindow, shop: RecordingShop, app: RecordingApp, folder: Path) -> Iterator[Opener]:
    """What opens each dialog, with long words where there may be some."""
    parts, desk, now = window.parts, shop.desk, shop.clock.now().wall
    blocked = SendBlock(Cause.BANNED, GateView(GatePhase.BANNED, until=now + 9e6), now + 9e6, Window(), 90.0)
    inputs = [CellInput(Ref(Resource.PETS, key), "status", "sold") for key in (1234, 877)]
    tab, preview = window.tab(), partial(opening.open_preview, window)
    assert tab is not None
    yield from (partial(opening.open_new_pet, window, 1), partial(opening.open_new_order, window, None))
    yield lambda: opening.open_record(window, KOI)
    yield lambda: confirm.ask_price((), Price(9_000), window.shop.desk, bool, window)
    yield lambda: opening.open_record(window, FISH)
    yield lambda: confirm.ask_to_delete(window.parts.edits, (KOI, FISH), bool, window)
    yield lambda: confirm.ask_to_cancel_orders(window.parts.edits, (ORDER,), bool, window)
    yield lambda: open_discard(window, 12, bool)
    yield lambda: confirm.ask_to_resume(blocked, 12, now, bool, window)
    yield lambda: open_clocks(window, 400.0)
    yield lambda: open_closing(window, LONG[:300], lambda _: None, bool)
    yield lambda: opening.open_key(window)
    yield lambda: show(asking_for_values(app, window))
    yield lambda: opening.open_doctor(window)
    yield lambda: opening.open_connection(window)
    yield lambda: show(DemoDialog(shop, window))
    yield lambda: show(forget.ForgetDialog(app.shops, shop.connection, window))
    yield lambda: forget.open_forgotten(window, shop.name, 12, str(folder / "unsent.csv"), 3)
    yield lambda: opening.open_look_up(window, Resource.PETS, bool)
    yield lambda: opening.open_operations(window)
    yield from (partial(way, window) for way in (opening.open_preferences, opening.open_about))
    yield from (window.after_paint.scanning.show_codes, lambda: opening.open_help(window))
    yield lambda: open_raw(window, LONG[:200], LONG, LONG[:400], "Try again", bool)
    yield lambda: open_error(window, Unreachable("connect"), LONG, [f"Koi {n}" for n in range(40)], bool)
    yield lambda: opening.open_preview(window, Preview(desk, inputs))
    yield lambda: opening.open_bulk_edit(window, (KOI, Ref(Resource.PETS, 877)))
    yield lambda: show(MinimumDialog(desk, (KOI,), bool, window))
    pets, memory = str(folder / "pets.csv"), ImportMemory(parts.app)
    yield lambda: show(ImportDialog(shop, preview, pets, Resource.PETS, memory, window))
    yield lambda: show(ViewNameDialog("Save view", "Low", lambda _: None, bool, replaces=True, parent=window))
    yield from (partial(paper, window, tab) for paper in (opening.open_export, opening.open_print))
    yield lambda: opening.open_report(window, "days")
    yield from (partial(show_made, partial(size, window)), *on_paper(window, shop))
    yield lambda: ask_before_leaving(window, "previewLeaveDialog", "Close without saving?", 3, bool)
    yield lambda: ask_to_drop(window, bool)
    yield from (partial(opening.open_rehearse, window), lambda: show(EndDialog(bool, bool, window)))


def show_made(make: Callable[[], Dialog]) -> None:
    show(make())


def size(window: MainWindow) -> OwnSizeDialog:
    """The dialog that asks for a size of labels."""
    return OwnSizeDialog(SHEETS["a4-5x13"], bool, bool, window)


def on_paper(window: MainWindow, shop: RecordingShop) -> Iterator[Opener]:
    """The dialogs of a stocktake, and that which prints changes."""
    scope = Scope("pets", (1234,), LONG[:200])
    count = Count(shop.desk.shop, lambda: "c" * 32, bool, shop.desk.now, scope=scope)
    count.scan(1234)
    yield lambda: show(NoteDialog(LONG[:300], bool, window))
    yield lambda: window.after_paint.scanning.show_codes()
    yield lambda: show(printing_changes(window, shop))
    yield lambda: show(ProtocolDialog(shop, window.parts.say, count, window))


def printing_changes(window: MainWindow, shop: RecordingShop) -> ComparePrintDialog:
    """The dialog that prints what changed between two moments."""
    sold = [(SeenKind.SOLD, status(1234, "available", "sold", LONG[:200]))] * 200
    moments = Moments(shop.desk.now() - 9e5, shop.desk.now())
    return ComparePrintDialog(shop, window.parts.say, moments, sold, LONG[:300], window)


def asking_for_values(app: RecordingApp, window: MainWindow) -> ConnectDialog:
    """The dialog at a service that needs a value of each kind, and says much of them."""
    dialog = ConnectDialog(app.welcome, window)
    region = ServiceValue("X-Region", "header", "", "", ("north", "south"), ("inventory.list", "orders.list"))
    shop = ServiceValue("shopId", "path", LONG[:200], "1f0c2a66-7b1e-4d3a", operations=tuple(Op))
    dialog.form.values.show_values((shop, region), {})
    return dialog


def every_kind() -> set[type[Dialog]]:
    """Each class of dialog that the window has, but those that only others are made from."""
    for module in walk_packages(ui.__path__, f"{ui.__name__}."):
        import_module(module.name)

    def below(kind: type[Dialog]) -> set[type[Dialog]]:
        found = {kind} | {one for sub in kind.__subclasses__() for one in below(sub)}
        return found if len(found) == 1 else found - {kind} | ({kind} if kind is Dialog else set())

    return below(Dialog)


def numbers(place: QRect) -> list[int]:
    return [place.x(), place.y(), place.width(), place.height()]


def on_screen(widget: QWidget) -> list[int]:
    return numbers(QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()))


def lasting(faults: Callable[[], Iterable[str]]) -> list[str]:
    """What is still wrong when all is in its place: on a busy machine that takes more turns."""
    found = sorted(set(faults()))
    for _ in range(TURNS):
        if not found:
            break
        wait(50)
        found = sorted(set(faults()))
    return found


def told(dialog: Dialog, watch: Watch) -> dict[str, object]:
    """What is printed of a dialog."""
    cut = lasting(partial(watch.faults, dialog))
    view = dialog.findChild(Scrolled)
    content = view.widget() if view is not None else None
    buttons = [one for one in dialog.findChildren(QAbstractButton) if one.isVisible()]
    below = [one for one in buttons if content is None or not content.isAncestorOf(one)]
    return {
        "name": f"{type(dialog).__name__} {dialog.objectName()}",
        "frame": numbers(dialog.frameGeometry()),
        "screen": numbers(screen_of(dialog)),
        "buttons": [on_screen(one) for one in below],
        "view": on_screen(view) if view is not None else [],
        "whole": view is None or view.verticalScrollBar().maximum() == 0,
        "cut": cut,
    }


def overlaps(window: QWidget) -> Iterator[str]:
    """The pairs of buttons, fields and labels below one parent that lie over each other."""
    for parent in window.findChildren(QWidget):
        if not parent.isVisible() or isinstance(parent, QAbstractItemView):
            continue
        kinds = QAbstractButton | QLabel | QLineEdit
        kept = [one for one in parent.children() if isinstance(one, kinds) and one.isVisible()]
        for place, one in enumerate(kept):
            for other in kept[place + 1 :]:
                if one.geometry().adjusted(1, 1, -1, -1).intersects(other.geometry()):
                    yield f"{name_of(one)} {one.geometry()} and {name_of(other)} {other.geometry()}"


def shown() -> list[Dialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, Dialog) and one.isVisible()]


def speak(application: QApplication, language: str) -> None:
    """Show the window in a language that ships, or in one that is made."""
    Spoken(language).begin()
    (spoken.speak if language in spoken.MADE else translate.speak)(application, language)


def pages_of(window: MainWindow) -> list[tuple[str, Opener]]:
    """What shows each tab, each page of Activity, and each desk, by its name."""
    paths = window.parts.navigation
    pages: list[tuple[str, Opener]] = [(name, partial(window.show_tab, name)) for name in TABS]
    pages += [(f"activity-{name}", partial(paths.open_page, name)) for name in PAGES]
    pages += [(n, paths.open_compared if n == COMPARED else partial(paths.open_station, n)) for n in HOSTED]
    lines = tuple(StationLine(Ref(Resource.PETS, pet), 2) for pet in (1234, 877))
    return [*pages, ("labels-with-lines", partial(paths.open_station, "labels", lines))]


def filled_window(shop: RecordingShop, app: RecordingApp) -> MainWindow:
    """A window over a small shop, with all its parts."""
    window = MainWindow(shop, app)
    shop.tell_ready(default())
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    window.show()
    _ = window.after_paint
    until(lambda: window.tab() is not None and window.tab().table.total == 4, "the pets did not come")
    wait(300)  # what is made a moment later, where nobody does anything, is there as well
    return window


def tell_pages(window: MainWindow, watch: Watch, pictures: Path | None) -> None:
    """Show and tell one tab after the other, each page of Activity, and each desk."""
    for name, show_it in pages_of(window):
        show_it()
        settle(window)
        cut, over = lasting(partial(watch.faults, window)), lasting(partial(overlaps, window))
        said = {"name": name, "cut": cut, "over": over}
        sys.stdout.write(json.dumps(said) + "\n")
        if pictures is not None:
            write(compose(window), pictures, f"page-{name}")
    window.show_tab("pets")


def main(arguments: Sequence[str]) -> int:
    application = QApplication(["open_each"])
    speak(application, next((one[3:] for one in arguments if one.startswith("in=")), "en_GB"))
    watch = Watch(application)
    font = application.font()
    font.setPointSizeF(font.pointSizeF() * float(arguments[0]))
    application.setFont(font)
    themes = ThemeController(application, "dark" if "dark" in arguments else "light")
    pictures = next((Path(one) for one in arguments[1:] if Path(one).is_dir()), None)
    folder, shop, app = Path(tempfile.mkdtemp(prefix="petstore-dialogs-")), RecordingShop(), RecordingApp()
    (folder / "pets.csv").write_text(BROAD)
    window = filled_window(shop, app)
    tell_pages(window, watch, pictures)
    seen: set[type[Dialog]] = set()
    for at, opener in enumerate(openers(window, shop, app, folder)):
        opener()
        until(shown, f"opener {at} opens nothing")
        (dialog,) = shown()
        settle(dialog)
        seen.add(type(dialog))
        sys.stdout.write(json.dumps(told(dialog, watch)) + "\n")
        if pictures is not None:
            write(compose(window), pictures, f"{at:02}-{dialog.objectName()}")
        dialog.hide()
        dialog.deleteLater()
        wait(1)
    missing = every_kind() - seen
    if missing:
        sys.stderr.write(f"not opened: {sorted(kind.__name__ for kind in missing)}\n")
    window.close_now = True
    window.close()
    themes.deleteLater()
    return int(bool(missing))


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
