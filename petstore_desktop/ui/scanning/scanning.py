"""Scans in one window: recognised whatever has the focus, and led to the pet's stock unless a desk takes them. A
scan is marked by a plate at the top of the window in front, a beep, and the words for a screen reader."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.desk.model.shop_model import id_text
from petstore_desktop.desk.scanning.resolve import resolve
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.context.scans import Outcome, PetQuestion, Scan, ScanMark, Scans, ScanSettings
from petstore_desktop.ui.scanning.key_filter import KeyFilter
from petstore_desktop.ui.scanning.taught_codes import CodesDialog, TaughtCodes
from petstore_desktop.ui.scanning.which_pet import WhichPet
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.labels import announce
from petstore_desktop.ui.widgets.paint import brush_on, elided
from petstore_desktop.ui.widgets.while_true import WhileTrue

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.edits import Do
    from petstore_desktop.ui.context.message import Say


_SHOWN_MS: Final = 2_500
_SECOND_BEEP_MS: Final = 180
_HEIGHT, _PAD, _ICON, _TOP = 36, 12, 16, 12
_SPARE: Final = 10
"""Marks that order a text take room when it is measured in parts."""
_LOOKS: Final[dict[Outcome, tuple[str, str, str]]] = {
    "found": ("check", "ok", "ok_bg"),
    "unknown": ("warning", "bad", "bad_bg"),
    "offered": ("search", "wait", "wait_bg"),
}
"""Icon, tone and plane: never told by colour alone."""


class ScanPlate(QWidget):
    """A plate with an icon and words; it takes no mouse and no keys, and goes by itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("scanPlate")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.mark = ScanMark("found", "")
        self._over = timer(self, _SHOWN_MS, self.hide, once=True)
        self._true = WhileTrue(self, self.hide)
        self.hide()

    def show_mark(self, mark: ScanMark) -> None:
        """Show it for a moment."""
        self.mark = mark
        self.setAccessibleName(to_say(mark.words))
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._over.start()
        self._true.hold(mark.still)
        announce(self, mark.words, urgent=mark.outcome == "unknown")

    def _place(self) -> None:
        parent, theme = self.parentWidget(), current()
        if parent is None:
            return
        wanted = ceil(theme.advance(self.mark.words, 13, 500)) + _SPARE + 2 * _PAD + _ICON + 8
        width = min(wanted, parent.width() - 2 * _PAD)
        self.setGeometry((parent.width() - width) // 2, _TOP, width, theme.height(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        icon, tone, plane = _LOOKS[self.mark.outcome]
        with brush_on(self) as brush:
            theme = brush.theme
            brush.plane(theme.color(plane), 8)
            brush.ring(theme.color(tone), 8, 1)
            brush.icon(icon, _PAD, theme.color(tone), _ICON)
            x = _PAD + _ICON + 8
            brush.text(
                x, elided(theme, self.mark.words, self.width() - x - _PAD, 13, 500), theme.color("text"), 13, 500
            )


class ScanMarks(QObject):
    """Marks scans in the window in front, a dialog too: there the person looks. One beep for a pet, two for no pet."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.sound = True

    @property
    def plate(self) -> ScanPlate | None:
        """The plate of the window in front, if it has one: that window keeps it, and takes it along."""
        return self._front().findChild(ScanPlate, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def show(self, mark: ScanMark) -> None:
        """Show and sound it."""
        (self.plate or ScanPlate(self._front())).show_mark(mark)
        if self.sound:
            QApplication.beep()
            if mark.outcome != "found":
                QTimer.singleShot(_SECOND_BEEP_MS, self, QApplication.beep)

    def _front(self) -> QWidget:
        return QApplication.activeModalWidget() or self._window


_MOST_POPUPS = 10
_HIDDEN = "••••"
"""A scan that may be a password."""


class Scanning(QObject):
    """Made after the first paint. `go`: show a pet's stock cell, ready to be typed in."""

    def __init__(
        self,
        shop: LiveShop,
        scans: Scans,
        actions: ActionSet,
        do: Do,
        say: Say,
        preference: Callable[[str], str],
        go: Callable[[Ref], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._scans, self._go, self._window = shop.desk, scans, go, window
        self._preference, self._settings = preference, ScanSettings.of(preference)
        self._which: WhichPet | None = None
        self.codes = TaughtCodes(shop, do, say, self._words, window)
        self.marks = ScanMarks(window)
        self.keys = KeyFilter(
            self._settings,
            lambda keys: next((actions[one] for one in actions.of_keys(keys)), None),
            lambda text: bool(resolve(self._desk.shop, self._desk.codes, text).refs),
            self,
        )
        self.keys.scanned.connect(self._scanned)
        self.keys.hidden.connect(lambda: scans.mark("unknown", close_first(_HIDDEN)))
        scans.marked.connect(self._mark)
        scans.asked.connect(self._ask)
        scans.go_else(self._look_up)
        self.marks.sound = self._settings.sound
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.focusWindowChanged.connect(self.renew)

    def renew(self) -> None:
        """The person may have been in the preferences."""
        settings = ScanSettings.of(self._preference)
        if settings != self._settings:
            self._settings, self.marks.sound = settings, settings.sound
            self.keys.use(settings)

    def show_codes(self) -> None:
        """Show the taught codes."""
        show(CodesDialog(self.codes, self._window))

    def _mark(self, mark: ScanMark) -> None:
        self.marks.show(mark)

    def _words(self, ref: Ref) -> str:
        return pet_words(self._desk, ref)

    @property
    def which(self) -> WhichPet:
        """The question which pet a code is; made when it is first asked."""
        if self._which is None:
            self._which = WhichPet(self._desk, self._words, self._window)
        return self._which

    def _scanned(self, text: str) -> None:
        """Menus and lists that are open close, as before any other work."""
        for _ in range(_MOST_POPUPS):
            popup = QApplication.activePopupWidget()
            if popup is None:
                break
            popup.close()
        self._scans.came(Scan(text, time.monotonic()))

    def _look_up(self, text: str) -> None:
        """Show the stock of the pet that was scanned. A question above the window stays: it is answered by a person."""
        found = resolve(self._desk.shop, self._desk.codes, text)
        if self._which is not None:
            self._which.leave()
        if QApplication.activeModalWidget() is not None:
            said = self._words(found.ref) if found.ref is not None else isolate(plain(found.text))
            self._scans.mark("unknown", close_first(said))
        elif found.ref is not None:
            self._found(found.ref)
        elif found.refs:
            self._scans.mark("offered", tr("Several pets have {code}", code=isolate(plain(found.text))))
            self._scans.ask(found, self._found)
        elif self._still_reads():
            words = tr("The pets are still being read. Scan {code} again in a moment.", code=isolate(plain(found.text)))
            self._scans.mark("unknown", words)
        else:
            self._scans.mark("unknown", tr("No pet has the code {code}", code=isolate(plain(found.text))))
            self._scans.ask(found, self._found)

    def _still_reads(self) -> bool:
        """Whether a pet or a code may be there that is not here yet: nobody is asked which pet it is then."""
        load = self._desk.load(Resource.PETS)
        return self._desk.codes is None or (not load.is_whole and load.phase in ("reading", "loading"))

    def _found(self, ref: Ref) -> None:
        self._go(ref)
        self._scans.mark("found", self._words(ref))

    def _ask(self, question: PetQuestion) -> None:
        if question.found.refs:
            self.which.ask(question)
            return

        def chosen(ref: Ref) -> None:
            self.codes.teach(question.found.text, ref)
            question.chosen(ref)

        self.which.ask(PetQuestion(question.found, chosen))


def close_first(said: str) -> str:
    """What is said of a scan while a question is above the window."""
    return tr("Scanned {what}. Close this window first, then scan again.", what=said)


def pet_words(desk: Desk, ref: Ref) -> str:
    """A pet by name and id: an id never stands alone."""
    here = desk.resolve(ref)
    name = isolate(plain(desk.title(here))) or "?"
    number = id_text(here.key)
    return tr("{name} (#{id})", name=name, id=plain(number)) if number else name
