"""A choice that is found by typing the beginning of its words: letters that begin none of them choose nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QComboBox, QToolTip, QWidget

from petstore_desktop.ui.base.theme import isolate, plain, tooltip
from petstore_desktop.ui.text.translate import quoted, tr
from petstore_desktop.ui.widgets.labels import announce

_ANEW_MS = 2000
"""After such a pause, by the keys' own times, a letter begins another word."""
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier

_SHIFTS = (Qt.Key.Key_Shift, Qt.Key.Key_AltGr, Qt.Key.Key_CapsLock)


class SearchedChoice(QComboBox):
    """Finds a choice by its beginning. Qt's own search keeps its last hit when a letter misses: `Snakes` would choose
    `Small animals`. Here a miss takes that hit back and says so: the earlier choice is chosen again, or nothing
    where `is_exact`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_exact = False
        """Whether a miss leaves nothing chosen: where a choice changes records, the person must type again."""
        self.opens_by_enter = False
        """Whether Enter opens the list instead of accepting the dialog."""
        self.missed = ""
        """The error of the typed text; empty if there is none."""
        self._typed, self._at, self._before = "", 0, -1
        self._place = ""
        """The placeholder, while the error stands there."""
        self.currentIndexChanged.connect(self._forget)
        self.view().installEventFilter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.opens_by_enter and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.showPopup()
        elif not self._take(event):
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        opened = event.type() == QEvent.Type.KeyPress and watched is self.view()
        if opened and isinstance(event, QKeyEvent) and self._take(event):
            return True
        return super().eventFilter(watched, event)

    def hidePopup(self) -> None:
        self._typed = ""
        super().hidePopup()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._typed = ""
        super().focusOutEvent(event)

    def _take(self, event: QKeyEvent) -> bool:
        """Search by a key that types; whether it was one."""
        if event.timestamp() - self._at > _ANEW_MS:
            self._typed = ""  # of what was chosen before it, too, nothing is known any more
        text, typed = event.text(), self._typed
        if event.key() == Qt.Key.Key_Backspace and typed:
            typed = typed[:-1]
        elif text.isprintable() and text and not event.modifiers() & _HELD and (typed or text != " "):
            typed += text
        else:
            self._typed = self._typed if event.key() in _SHIFTS else ""
            return False
        self._at = event.timestamp()
        self._search(typed)
        return True

    def _search(self, typed: str) -> None:
        opened = self.view().isVisible()
        chosen = self.view().currentIndex().row() if opened else self.currentIndex()
        if not self._typed:
            self._before = chosen
        found = self._find(typed, chosen) if typed else self._before
        if found >= 0 or not typed:
            self._choose(found, opened)
            self._typed = typed
            return
        self._choose(-1 if self.is_exact or opened else self._before, opened)
        self._typed = typed
        self._say(tr("Nothing begins with {text}.", text=quoted(isolate(plain(typed)))))

    def _find(self, typed: str, chosen: int) -> int:
        """What begins so; one letter, however often, finds each that begins with it in turn."""
        names = [self.itemText(at).casefold() for at in range(self.count())]
        wanted = typed.casefold()
        fits = [at for at, name in enumerate(names) if name.startswith(wanted)]
        if len(set(wanted)) == 1 and not (len(wanted) > 1 and fits):
            fits = [at for at, name in enumerate(names) if name.startswith(wanted[0])]
            return next((at for at in fits if at > chosen), fits[0] if fits else -1)
        return chosen if chosen in fits else fits[0] if fits else -1

    def _choose(self, at: int, opened: bool) -> None:
        self._forget()
        if opened:
            self.view().setCurrentIndex(self.model().index(at, self.modelColumn()))
        elif at != self.currentIndex():
            self.setCurrentIndex(at)
            if at >= 0:
                self.activated.emit(at)

    def _say(self, words: str) -> None:
        if not self.missed:
            self._place = self.placeholderText()
        self.missed = words
        self.setPlaceholderText(words)
        self.refuse()

    def refuse(self) -> None:
        """Show the error of the typed text again, and have it read out."""
        announce(self, self.missed, urgent=True)
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tooltip(self.missed), self)

    def _forget(self) -> None:
        """Something is chosen: forget the typed text."""
        self._typed = ""
        if self.missed:
            self.missed = ""
            self.setPlaceholderText(self._place)
            QToolTip.hideText()
