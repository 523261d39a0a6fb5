"""Types into every field, list, button, drop-down list and menu of every tab, desk and dialog of the window, and scans
there, at 1 to 60 ms a key. Not a test.

    python -m tests.ui.window.type_each SEED [SECONDS [PLACES]]

On an X server it presses real keys there (tests/support/xtest.py), and a window manager must run. Elsewhere each key
carries a time of its own, so that no load changes what happens.

The keys of an X server come late from a busy machine, or not at all where a list has closed: what did not come as it
was typed is not judged, and counted.

The judge is the same window with the scanner switched off: what is typed must leave there exactly what it leaves while
scans are recognised; a scan leaves everything as it was, and is told once. Nothing may raise. Prints one line for each
fault, and at the end how much was typed where.
"""

from __future__ import annotations

import os
import random
import string
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from petstore_desktop.threads import run_to_end
from petstore_desktop.tour.pilot import wait
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.context.scans import MADE_FOR_CODES, ScanSettings
from petstore_desktop.ui.grid.grid_view import GridView
from petstore_desktop.ui.scanning.burst import FEW_KEYS, GAP_MS, HAND_MS
from petstore_desktop.ui.text import translate
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.keyboard import Keyboard
from tests.support.patience import PATIENCE_S
from tests.support.xtest import XKeys
from tests.ui.recording_shop import RecordingApp, RecordingShop
from tests.ui.window.open_each import filled_window, openers, pages_of, shown

PACES = (1, 5, 12, 20, 30, 40, 60)
_SCAN_PACES = (1, 5, 12, 25)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LATE_MS = 2 * GAP_MS
_ANEW_MS = 2_500
"""After such a pause a letter begins another word in a list."""
_OF_THE_SCANNER = ("scannerChoice", "scanSoundChoice", "scanPrefixField", "scanSuffixField")
"""What is typed there changes what a scan is."""
_MAKE_ANEW = ("themeChoice", "languageChoice")
"""What is chosen there makes the dialog anew."""
_SHIFTS = {0xFFE1: "Shift_L", 0xFFE2: "Shift_R"}
"""The names of both Shift keys, by what the X server calls them in its events."""
_MARK_AGAIN_MS = 300
_NOT_AS_TYPED = "held back or dropped by the X server"
TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


def until(condition: Callable[[], object], said: str) -> None:
    """Let the program run until the condition is true: the pilot's gives up where an error is shown, as one is here."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(said)
        wait(5)


class Gaps(QObject):
    """How many keys came, and the longest pause between two of them: by the server's clock when they were pressed, and
    by this program's when they reached it. A busy machine brings late what was pressed in time. `marked` names the
    Shift that came last.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.installEventFilter(self)
        self.begin()

    def begin(self) -> None:
        self.came, self.longest, self._last = 0, 0.0, (0.0, 0.0)
        self.marked = ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        asked = event.type() is QEvent.Type.ShortcutOverride and watched.isWindowType()
        if not asked or not isinstance(event, QKeyEvent) or not event.spontaneous():
            return False
        if event.key() == Qt.Key.Key_Shift:
            self.marked = _SHIFTS.get(event.nativeVirtualKey(), "")
        else:
            now = float(event.timestamp()), time.monotonic() * 1000
            if self.came:
                self.longest = max(self.longest, now[0] - self._last[0], now[1] - self._last[1])
            self.came, self._last = self.came + 1, now
        return False


class EventHands:
    """Key events with times of their own."""

    def __init__(self) -> None:
        self._keys = Keyboard()

    def type(self, text: str, gap: int) -> bool:
        """Whether the keys came as they were typed."""
        self._keys.rest(_ANEW_MS)
        if text == "\n":
            self._keys.press(text)  # and no more: it may close the window that it came to
        else:
            self._keys.type(text, gap)
        return True


class ServerHands:
    """Keys of the X server. Two things can happen to them before the program gets them, and then nothing can be said of
    what it did: a busy machine holds some back, and Qt drops those that the server sent to a list or a menu that has
    closed meanwhile.

    A Shift after what is typed tells when all has come that does: the server keeps their order, and no place does
    anything with it. It may be dropped itself, and is pressed again then; each text has the other Shift than the text
    before, whose second Shift may still come.
    """

    def __init__(self, app: QApplication) -> None:
        self._keys, self._gaps = XKeys(os.environ["DISPLAY"]), Gaps(app)
        self._marks = cycle(_SHIFTS.values())

    def type(self, text: str, gap: int) -> bool:
        """Whether the keys came as they were typed."""
        wait(_LATE_MS)  # else an Enter would end what was typed before it
        self._gaps.begin()
        self._keys.type(text, gap)
        self._wait_for_all(next(self._marks), len(text) * gap)
        return self._gaps.came == len(text) and (gap >= GAP_MS or self._gaps.longest < GAP_MS)

    def _wait_for_all(self, mark: str, takes_ms: int) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while self._gaps.marked != mark:
            if time.monotonic() > deadline:
                raise TimeoutError("the X server's keys do not come to this program")
            self._keys.press(mark)
            again = time.monotonic() + (takes_ms + _MARK_AGAIN_MS) / 1000
            while self._gaps.marked != mark and time.monotonic() < again:
                wait(5)


@dataclass
class Typist:
    """Types and judges in one window."""

    window: MainWindow
    chance: random.Random
    hands: EventHands | ServerHands
    faults: list[str] = field(default_factory=list[str])
    scans: list[str] = field(default_factory=list[str])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    where: str = ""
    as_typed: bool = True
    """Whether all keys of the place came as they were typed: else nothing is said of it."""

    def __post_init__(self) -> None:
        self.keys = self.window.after_paint.scanning.keys
        self.keys.scanned.connect(self.scans.append)
        self.keys.hidden.connect(lambda: self.scans.append("(hidden)"))
        sys.excepthook = self._raised

    def _raised(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        last = traceback.extract_tb(trace)[-1:] if trace is not None else []
        place = "".join(f" at {Path(one.filename).name}:{one.lineno}" for one in last)
        self.fault(f"raised {kind.__name__}: {error}{place}")

    def fault(self, said: str) -> None:
        self.faults.append(f"{self.where}: {said}")
        sys.stdout.write(self.faults[-1] + "\n")
        sys.stdout.flush()

    def recognise(self, on: bool) -> None:
        self.keys.use(ScanSettings(on=on))

    def settle(self) -> None:
        """Nothing is held any more, and what was delivered has been done."""
        until(lambda: not self.keys.holds, "a key is held for ever")
        wait(1)

    def type(self, text: str, gap: int) -> None:
        self.as_typed &= self.hands.type(text, gap)
        self.settle()

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    # -- one place

    def typed_text(self, kind: str) -> tuple[str, int]:
        """What is typed, and at what pace, that is no scan at a place of this kind."""
        chance, pace = self.chance, self.chance.choice(PACES)
        long = kind == "text" or (kind == "rows" and pace < GAP_MS) or pace >= GAP_MS
        signs = _LETTERS if kind == "rows" and pace < GAP_MS else _LETTERS + string.digits
        text = "".join(chance.choices(signs, k=chance.randrange(1, 12 if long else 4)))
        return text, pace

    def code(self) -> str:
        """A code that no pet has, as scanners send one."""
        return "".join(self.chance.choices(_LETTERS + string.digits, k=self.chance.randrange(3, 20))) + "7q"

    def try_at(self, name: str, place: Place) -> None:
        """Type there with the scanner off and on, then scan."""
        self.where = f"{self.where.split(' > ')[0]} > {name}"
        text, pace = self.typed_text(place.kind)
        self.as_typed = True
        self.recognise(on=False)
        before = place.begin()
        self.type(text, pace)
        wanted = place.state()
        place.end()
        self.recognise(on=True)
        self.scans.clear()
        if not place.alive():
            self.count("not compared")
            return
        if place.begin() != before:
            place.end()  # what was typed has moved what is here: nothing can be compared
            self.count("not compared")
            return
        self.type(text, pace)
        got = place.state()
        place.end()
        self.count(f"typed in {place.kind}" if self.as_typed else _NOT_AS_TYPED)
        if self.as_typed and got != wanted:
            self.fault(f"{text!r} at {pace} ms left {got}, not {wanted}")
        if self.as_typed and self.scans:
            self.fault(f"{text!r} at {pace} ms was taken for {self.scans}")
        self.scan_at(place)

    def scan_at(self, place: Place) -> None:
        if not place.alive():
            return
        code, pace, ends = self.code(), self.chance.choice(_SCAN_PACES), self.chance.choice("\n\n\t")
        if pace >= HAND_MS:
            code = code.rjust(FEW_KEYS, "X")  # fewer at such a pace are typed by hand
        place.begin()
        before = place.chosen()
        self.scans.clear()
        self.as_typed = True
        self.type(code + ends, pace)
        if not self.as_typed:
            place.end()
            self.count(_NOT_AS_TYPED)
            return
        wait(1)
        after = place.chosen()
        place.end()
        self.count(f"scanned in {place.kind}")
        if self.scans != ["(hidden)" if place.is_secret else code]:
            self.fault(f"the scan {code!r} at {pace} ms was told as {self.scans}")
        if before != after:
            self.fault(f"the scan {code!r} at {pace} ms left {after}, not {before}")


class Place:
    """Where something is typed. `begin` puts the keyboard there and says what is there, as `state` does; `end` puts all
    back."""

    kind = "keys"
    is_secret = False

    def begin(self) -> object:
        raise NotImplementedError

    def state(self) -> object:
        raise NotImplementedError

    def alive(self) -> bool:
        """Whether it is still there: what is chosen may make a dialog anew."""
        return True

    def chosen(self) -> object:
        """What a scan leaves as it was; that it closes what is open is right."""
        return self.state()

    def end(self) -> None:
        pass


class WidgetPlace(Place):
    """A widget with the focus."""

    def __init__(self, widget: QWidget) -> None:
        self.widget = widget
        proxy = widget.focusProxy()
        self._of = widget if proxy is None else proxy
        line = isinstance(widget, QLineEdit)
        self.is_secret = line and widget.echoMode() is not QLineEdit.EchoMode.Normal
        read_only = isinstance(widget, TEXTS) and widget.isReadOnly()
        if isinstance(widget, TEXTS) and not read_only:
            self.kind = "rows" if widget.property(MADE_FOR_CODES) else "text"
        elif isinstance(widget, QComboBox | QAbstractItemView):
            self.kind = "text" if isinstance(widget, QComboBox) and widget.isEditable() else "rows"
        self._before: Any = None

    def alive(self) -> bool:
        return isValid(self.widget) and self.widget.isVisible()

    def begin(self) -> object:
        self.focus()
        self._before = self.state()
        return self._before

    def focus(self) -> None:
        """Give it the keyboard."""
        window = self.widget.window()
        window.activateWindow()
        self.widget.setFocus(Qt.FocusReason.OtherFocusReason)
        until(lambda: QGuiApplication.focusWindow() is window.windowHandle(), "the window does not get the keyboard")
        wait(1)
        one = self.widget
        if isinstance(one, QLineEdit):
            one.end(False)  # a field that is entered is selected by some ways and not by others
        if isinstance(one, QPlainTextEdit | QTextEdit):
            one.moveCursor(QTextCursor.MoveOperation.End)

    def state(self) -> object:
        one = self.widget
        if not isValid(one):
            return "gone"
        if isinstance(one, QLineEdit):
            return one.text()
        if isinstance(one, QPlainTextEdit | QTextEdit):
            return one.toPlainText()
        if isinstance(one, QAbstractSpinBox):
            return one.text()
        if isinstance(one, QComboBox):
            return one.currentIndex(), one.currentText()
        if isinstance(one, QAbstractItemView):
            now = one.currentIndex()
            return now.row(), now.column(), one.typed_text() if isinstance(one, GridView) else None
        return one.isChecked() if isinstance(one, QAbstractButton) else None

    def end(self) -> None:
        one, before = self.widget, self._before
        if not isValid(one):
            return
        if isinstance(one, GridView):
            one.drop_editor()
        if isinstance(one, QLineEdit):
            one.setText(str(before))
        elif isinstance(one, QPlainTextEdit | QTextEdit):
            one.setPlainText(str(before))
        elif isinstance(one, QComboBox) and before is not None:
            one.setCurrentIndex(int(before[0]))
        elif isinstance(one, QAbstractItemView) and before is not None:
            one.setCurrentIndex(
                one.model().index(int(before[0]), int(before[1])) if before[0] >= 0 else one.rootIndex()
            )
        leave_all(one.window())
        wait(1)


class OpenedPlace(WidgetPlace):
    """The list of a drop-down, open. `enter` presses Enter, which chooses. Python is to know nothing of that list:
    nor does the program."""

    kind = "rows"

    def __init__(self, widget: QWidget, enter: Callable[[], object]) -> None:
        super().__init__(widget)
        self._enter = enter

    def begin(self) -> object:
        assert isinstance(self.widget, QComboBox)
        self.focus()
        self._before = self.widget.currentIndex(), 0
        self.widget.showPopup()
        until(lambda: QApplication.activePopupWidget() is not None, "the list does not open")
        return self.chosen()

    def chosen(self) -> object:
        assert isinstance(self.widget, QComboBox)
        return self.widget.currentIndex() if isValid(self.widget) else "gone"

    def state(self) -> object:
        assert isinstance(self.widget, QComboBox)
        self._enter()
        if not isValid(self.widget):
            return "gone"
        return self.widget.currentIndex(), QApplication.activePopupWidget() is None

    def end(self) -> None:
        if not isValid(self.widget):
            return
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if isValid(self.widget):
            super().end()


def leave_all(keep: QWidget) -> None:
    """Close what typing has opened above a window: lists of suggestions, menus, dialogs."""
    for _ in range(10):
        popup = QApplication.activePopupWidget()
        if popup is None:
            break
        popup.close()
    for dialog in shown():
        if dialog is not keep and dialog.isVisible():
            dialog.setParent(None)
            dialog.deleteLater()


def places_in(root: QWidget, enter: Callable[[], object]) -> Iterator[tuple[str, Place]]:
    """Everything in a window that can have the keyboard. The lists of its drop-downs are windows of their own: Python
    would know of them from then on, if all children were asked for."""
    chain: list[QWidget] = []
    one = root.nextInFocusChain()
    while one is not None and one is not root and one not in chain:
        chain.append(one)
        one = one.nextInFocusChain()
    for one in chain:
        if not isValid(one) or not one.isVisible() or not one.isEnabled() or one.window() is not root:
            continue
        if not one.focusPolicy() & Qt.FocusPolicy.TabFocus or one.focusProxy() is not None:
            continue
        name = one.objectName() or type(one).__name__
        if name in _OF_THE_SCANNER:
            continue
        yield name, WidgetPlace(one)
        if isinstance(one, QComboBox) and one.count() > 1 and not one.isEditable() and name not in _MAKE_ANEW:
            yield f"{name}, open", OpenedPlace(one, enter)


def type_in(typist: Typist, where: str, root: QWidget) -> None:
    """Type everywhere in a window that is shown."""
    typist.where = where
    typist.window.parts.scans.go_to(lambda: lambda _: None)
    for name, place in list(places_in(root, lambda: typist.type("\n", 60))):
        widget = place.widget if isinstance(place, WidgetPlace) else root
        if isValid(widget) and widget.isVisible() and widget.isEnabled():
            typist.try_at(name, place)


class MenuPlace(Place):
    """An open menu of the window: what its letters do is written down instead."""

    def __init__(self, window: QWidget, menu: QMenu, done: list[str]) -> None:
        self._window, self._menu, self._done = window, menu, done

    def begin(self) -> object:
        self._done.clear()
        self._window.activateWindow()
        handle = self._window.windowHandle()
        until(lambda: QGuiApplication.focusWindow() is handle, "the window does not get the keyboard")
        self._menu.popup(QGuiApplication.primaryScreen().geometry().center())
        until(self._menu.isVisible, "the menu does not open")
        return self.state()

    def state(self) -> object:
        return list(self._done)

    def end(self) -> None:
        self._menu.close()
        wait(1)


def type_in_menus(typist: Typist) -> None:
    """A letter in each menu does the same with the scanner off and on, and a scan does nothing there."""
    parts, done = typist.window.parts, list[str]()
    parts.actions.run = done.append
    for name, menu in typist.window.menus.menus.items():
        place = MenuPlace(typist.window, menu, done)
        texts = [one.text() for one in menu.actions() if "&" in one.text()]
        for letter in sorted({text[text.find("&") + 1].lower() for text in texts}):
            if letter in _LETTERS:
                typist.where = f"menu > {name}"
                _letter_in_menu(typist, place, letter)


def _letter_in_menu(typist: Typist, place: MenuPlace, letter: str) -> None:
    outcomes: list[object] = []
    typist.as_typed = True
    for on in (False, True):
        typist.recognise(on)
        place.begin()
        typist.type(letter, 60)
        outcomes.append(place.state())
        place.end()
        leave_all(typist.window)
    typist.count("typed in menus" if typist.as_typed else _NOT_AS_TYPED)
    if typist.as_typed and outcomes[0] != outcomes[1]:
        typist.fault(f"{letter!r} did {outcomes[1]}, not {outcomes[0]}")
    typist.scan_at(place)


def close(dialog: Dialog) -> None:
    dialog.setParent(None)
    dialog.deleteLater()
    wait(1)


def walk(
    typist: Typist, shop: RecordingShop, app: RecordingApp, ends: Callable[[], bool], places: int | None = None
) -> None:
    """The menus, which Python must know, then every tab, desk and dialog in some order, as far as there is time; or so
    many of the tabs and desks, and as many dialogs, and no menus."""
    if places is None:
        type_in_menus(typist)
    window, folder = typist.window, Path(tempfile.mkdtemp(prefix="petstore-typing-"))
    (folder / "pets.csv").write_text("id,name,category,status,stock\n1234,Koi,Herons,sold,x\n")
    pages = pages_of(window)
    typist.chance.shuffle(pages)
    for name, show_it in pages[:places]:
        if ends():
            return
        show_it()
        wait(100)
        type_in(typist, f"page {name}", window)
    window.show_tab("pets")
    ways = list(openers(window, shop, app, folder))
    typist.chance.shuffle(ways)
    for way in ways[:places]:
        if ends():
            return
        way()
        until(shown, "nothing opens")
        wait(50)
        dialog = shown()[0]
        type_in(typist, f"{type(dialog).__name__} {dialog.objectName()}", dialog)
        for one in shown():
            close(one)


def main(arguments: Sequence[str]) -> int:
    seed, seconds = int(arguments[0]), float(arguments[1]) if len(arguments) > 1 else 600.0
    places = int(arguments[2]) if len(arguments) > 2 else None
    application = QApplication(["type_each"])
    translate.speak(application, "en_GB")
    themes = ThemeController(application, "light")
    shop, app = RecordingShop(), RecordingApp()
    app.set_preference("scanSound", "off")
    window = filled_window(shop, app)
    hands = ServerHands(application) if QGuiApplication.platformName() == "xcb" else EventHands()
    typist, over = Typist(window, random.Random(seed), hands), time.monotonic() + seconds
    walk(typist, shop, app, lambda: time.monotonic() > over, places)
    sys.stdout.write(f"seed {seed}: {typist.counts}, {len(typist.faults)} faults\n")
    window.close_now = True
    window.close()
    themes.deleteLater()
    return int(bool(typist.faults))


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
