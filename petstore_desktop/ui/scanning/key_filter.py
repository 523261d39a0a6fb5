"""Holds back the keys of a possible scan, whatever has the focus, and delivers them in order when they were typed.

What a scan does to a field, a list or a question could not be taken back exactly (a text field has no way to restore
its redo stack, a menu or a question has acted), so it never reaches them: a character waits until the gap after it is
too long for a scanner. That costs 35 ms, two pictures of the screen, and nothing at all for any other key.

A held key belongs to the window that it came to; what gets it there is found when it is delivered, as Qt finds it, and
no reference to a list, a menu or a field is kept meanwhile. Where that window is gone it goes where the keyboard is.

Keys are watched where Qt hands them to a window, not in the application: those are few events, and each key comes once.
Qt asks about a shortcut first, then the press comes. While a screen reader runs on Linux, Qt asks it about each press,
which comes when the reader has answered: other keys may have been judged by then, or the whole scan.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Final, cast

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent, QKeyCombination, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QInputEvent, QInputMethodEvent, QKeyEvent, QKeySequence, QWindow
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QWidget
from shiboken6 import isValid

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.context.scans import MADE_FOR_CODES, ScanSettings
from petstore_desktop.ui.scanning.burst import GAP_MS, Burst, Judgement, KeyFate, Place, Sort, Stroke

_Type = QEvent.Type
_NEUTRAL: Final = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_AltGr})
_ENDS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab})
_Mod = Qt.KeyboardModifier
_TYPES: Final = _Mod.ShiftModifier | _Mod.KeypadModifier | _Mod.GroupSwitchModifier
"""Modifiers under which a key types."""
_BETWEEN: Final = frozenset({_Type.MouseButtonPress, _Type.MouseButtonRelease, _Type.Wheel})
"""What must not overtake a key."""
_MOST_JUDGED: Final = 128
Shortcut = Callable[[QKeySequence], QAction | None]


class _Judged(Struct):
    """A key whose press has not come yet. `let_go`: it was held, and is not any more."""

    keys: QKeyCombination
    fate: KeyFate
    let_go: bool = False


class KeyFilter(QObject):
    """For all windows of the program. `shortcut`: the action that a key does where no widget wants it; `known`: whether
    some pet has a code.

    Signals:
        scanned: str: a scan came; nothing else has seen its keys.
        hidden: one came where passwords are typed, and nobody knows it: it may be one, and is told to nobody.
    """

    scanned = Signal(str)
    hidden = Signal()

    def __init__(
        self, settings: ScanSettings, shortcut: Shortcut, known: Callable[[str], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._burst = Burst(settings, known)
        self._shortcut, self._known = shortcut, known
        self._held: deque[tuple[QWindow, QKeyEvent]] = deque()
        self._judged: deque[_Judged] = deque(maxlen=_MOST_JUDGED)
        """The keys for which Qt asked about shortcuts; their presses come, but for those that are a shortcut."""
        self._composing = False
        self._focused: QObject | None = None
        self._quiet = timer(self, GAP_MS, self._nearly_quiet, once=True)
        self._quiet.setTimerType(Qt.TimerType.PreciseTimer)
        self._waits = 0
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.focusWindowChanged.connect(self._watch_window)
        app.focusObjectChanged.connect(self._watch_object)
        self._watch_window(QGuiApplication.focusWindow())
        self._watch_object(QGuiApplication.focusObject())

    @property
    def holds(self) -> bool:
        """Whether keys are held back just now."""
        return bool(self._held)

    def use(self, settings: ScanSettings) -> None:
        """The person set the scanner otherwise."""
        self._let_go()
        self._burst = Burst(settings, self._known)

    def _watch_window(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # again is the same as once

    def _watch_object(self, focused: QObject | None) -> None:
        """An input method speaks to the object with the focus alone."""
        if self._focused is not None and isValid(self._focused):
            self._focused.removeEventFilter(self)
        self._focused, self._composing = focused, False
        if focused is not None and not isinstance(focused, QWindow):
            focused.installEventFilter(self)

    # -- what comes

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QInputMethodEvent):
            self._do(self._burst.quiet())
            self._composing = bool(event.preeditString())
        elif isinstance(event, QKeyEvent):
            if isinstance(watched, QWindow) and self._burst.settings.on:
                return self._key(watched, event, kind)
        elif self._held and kind in _BETWEEN and isinstance(event, QInputEvent):
            self._do(self._burst.interrupt(event.timestamp()))
        return False

    def _key(self, window: QWindow, event: QKeyEvent, kind: QEvent.Type) -> bool:
        if kind == _Type.KeyRelease:
            fate = KeyFate.PASS if event.isAutoRepeat() else self._burst.release(event.key())
        elif kind == _Type.ShortcutOverride:
            fate = self._judge(window, event)
            self._judged.append(_Judged(event.keyCombination(), fate))
            if fate is not KeyFate.PASS:
                event.accept()  # no shortcut: its press comes, and is kept
            return fate is not KeyFate.PASS
        elif (judged := self._judged_before(event)) is None:
            fate = self._judge(window, event)
        elif judged.let_go:
            self._send(window, _copy(event, kind))
            return True
        else:
            fate = judged.fate
        if fate is KeyFate.HOLD:
            self._held.append((window, _copy(event, kind)))
        return fate is not KeyFate.PASS

    def _judged_before(self, press: QKeyEvent) -> _Judged | None:
        """How this key was judged when Qt asked about it; keys before it whose press did not come are shortcuts."""
        at = next((n for n, one in enumerate(self._judged) if one.keys == press.keyCombination()), None)
        if at is None:
            return None
        for _ in range(at):
            self._judged.popleft()
        return self._judged.popleft()

    def _judge(self, window: QWindow, event: QKeyEvent) -> KeyFate:
        judged = self._burst.press(self._stroke(window, event))
        self._do(judged)
        if judged.fate is KeyFate.HOLD:
            self._wait_anew()
        return judged.fate

    def _stroke(self, window: QWindow, event: QKeyEvent) -> Stroke:
        sort = self._sort(event)
        place = _place(window) if sort is Sort.CHARACTER else Place.KEYS
        return Stroke(event.key(), event.text(), event.timestamp(), sort, event.isAutoRepeat(), place)

    def _sort(self, event: QKeyEvent) -> Sort:
        key, text, held = event.key(), event.text(), event.modifiers()
        if key in _NEUTRAL:
            return Sort.NEUTRAL
        if self._composing:
            return Sort.OTHER
        if key in _ENDS:
            return Sort.OTHER if held & ~_Mod.KeypadModifier else Sort.END
        if not text.isprintable() or not text or held & ~_TYPES:
            return Sort.OTHER
        return Sort.OTHER if text.isspace() and not self._burst.holds else Sort.CHARACTER

    # -- what becomes of it

    def _wait_anew(self) -> None:
        self._waits += 1
        self._quiet.start()

    def _nearly_quiet(self) -> None:
        """Keys that came while the program was busy are taken in before this is over: only one that began another wait
        leaves the end to that.
        """
        waits = self._waits
        QTimer.singleShot(0, self, lambda: self._do(self._burst.quiet()) if waits == self._waits else None)

    def _do(self, judged: Judgement) -> None:
        if judged.scan is not None:
            self._held.clear()
            for one in self._judged:
                one.fate = KeyFate.DROP if one.fate is KeyFate.HOLD else one.fate
            self._quiet.stop()
            tell = self.hidden.emit if judged.secret else partial(self.scanned.emit, judged.scan)
            QTimer.singleShot(0, self, tell)
        elif judged.let_go:
            self._deliver()

    def _let_go(self) -> None:
        self._burst.stop()
        self._deliver()

    def _deliver(self) -> None:
        """Hand on what is held, in order. A key may open a dialog that runs: the next one goes there, as it would."""
        self._quiet.stop()
        for one in self._judged:
            one.let_go = one.let_go or one.fate is KeyFate.HOLD
        while self._held:
            window, event = self._held.popleft()
            self._send(window, event)

    def _send(self, window: QWindow, event: QKeyEvent) -> None:
        if event.type() == _Type.KeyPress:
            asked = _copy(event, _Type.ShortcutOverride)
            asked.ignore()
            _hand_to(window, asked)
            if not asked.isAccepted() and (action := self._action(event)) is not None:
                action.trigger()
                return
        _hand_to(window, event)

    def _action(self, event: QKeyEvent) -> QAction | None:
        if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None:
            return None
        return self._shortcut(QKeySequence(event.keyCombination()))


@contextmanager
def _receiver(window: QWindow) -> Generator[QObject | None]:
    """What gets a key of this window: an open popup first, as Qt has it, then what has the focus in it now.

    Good only inside: what Qt made in a popup lives in Python no longer than the popup's own object here.
    """
    popup = QApplication.activePopupWidget()
    in_front = cast("QWindow | None", QGuiApplication.focusWindow())
    here = window if isValid(window) and window.isVisible() else in_front
    if popup is not None:
        inside = cast("QWidget | None", popup.focusWidget())
        yield popup if inside is None else inside
    elif here is not None:
        yield here.focusObject()
    else:
        yield None


def _hand_to(window: QWindow, event: QKeyEvent) -> None:
    with _receiver(window) as receiver:
        if receiver is not None:
            QCoreApplication.sendEvent(receiver, event)


def _place(window: QWindow) -> Place:
    """What a letter does there. Qt tells an input method the same, but of a list whose current cell can be edited."""
    with _receiver(window) as receiver:
        if not isinstance(receiver, QWidget):
            return Place.KEYS
        proxy = receiver.focusProxy()
        place = receiver if proxy is None else proxy
        if isinstance(place, QAbstractItemView) or place.property(MADE_FOR_CODES):
            return Place.ROWS
        if not place.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled):
            return Place.ROWS if isinstance(place, QComboBox) else Place.KEYS
        secret = place.inputMethodHints() & (Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhSensitiveData)
        return Place.SECRET if secret else Place.TEXT


def _copy(event: QKeyEvent, kind: QEvent.Type) -> QKeyEvent:
    copy = QKeyEvent(
        kind, event.key(), event.modifiers(), event.nativeScanCode(), event.nativeVirtualKey(), event.nativeModifiers(),
        event.text(), event.isAutoRepeat(), event.count(),
    )  # fmt: skip
    copy.setTimestamp(event.timestamp())
    return copy
