"""Asks in the window, beside its work, which pet a code is: by name or id, or one of those that have the code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QWidget

from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.base.building import in_column, named, still_there
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.context.scans import PetQuestion
from petstore_desktop.ui.station.scan_field import PetResults
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import Raised

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_WIDTH, _ROWS, _EDGE, _PAD = 440, 6, 12, 12
_WALK: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class WhichPet(Raised, QFrame):
    """A raised plane at the top of its window; everything else can be used meanwhile. Esc leaves.

    Signals:
        left: object: it is closed; nothing was chosen, or `chosen` of the question was called.
    """

    rim = "control"

    left = Signal(object)

    def __init__(self, desk: Desk, named_words: Callable[[Ref], str], window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("whichPet")
        self._desk, self._words, self._window = desk, named_words, window
        self._question: PetQuestion | None = None
        self._before: QWidget | None = None
        self.list = PetResults(desk, self, "whichPetList")
        self._lay_out()
        window.installEventFilter(self)
        self.hide()

    def _lay_out(self) -> None:
        self.title = PlainLabel(weight=600, wrap=True)
        self.field = named(QLineEdit(), "whichPetField")
        self.field.setFont(current().font())
        self.field.setMinimumHeight(current().height(30))
        self.field.setPlaceholderText(tr("Name or id of the pet"))
        self.field.textChanged.connect(self._search_for)
        self.field.installEventFilter(self)
        self.list.chosen.connect(self._choose)
        self.list.found.connect(self._show_found)
        self.hint = PlainLabel(tr("Enter chooses, Esc leaves"), "muted", 12)
        in_column(self, self.title, self.field, self.list, self.hint, margins=(_PAD, _PAD, _PAD, _PAD), spacing=8)

    # -- opening and leaving

    @property
    def question(self) -> PetQuestion | None:
        """The question that is open."""
        return self._question

    def ask(self, question: PetQuestion) -> None:
        """Ask this; an earlier question is left."""
        if self._question is None:
            self._before = QApplication.focusWidget()
        self._question = question
        code = isolate(plain(question.found.text))
        offered = bool(question.found.refs)
        words = (
            tr("Several pets have {code}. Which one is it?", code=code)
            if offered
            else tr("Which pet is {code}?", code=code)
        )
        self.title.set_text(words)
        self.field.setAccessibleName(to_say(words))
        self.field.clear()
        self._search_for("")
        self.show()
        self.raise_()
        self._place()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self, words)

    def leave(self) -> None:
        """Close it, with the keyboard where it was."""
        if self._question is None:
            return
        self._question = None
        self.list.close_up()
        had = self.isAncestorOf(QApplication.focusWidget() or self._window)
        self.hide()
        before, self._before = still_there(self._before), None
        if had and before is not None:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.left.emit(None)

    # -- what is found

    def _search_for(self, text: str) -> None:
        question = self._question
        if question is None:
            return
        if question.found.refs:
            wanted = text.strip().casefold()
            self.list.offer(tuple(ref for ref in question.found.refs if wanted in self._words(ref).casefold()))
        else:
            self.list.search(text)

    def _show_found(self) -> None:
        self._say_current()
        self._place()

    def _say_current(self) -> None:
        current_pet = self.list.current()
        self.field.setAccessibleDescription("" if current_pet is None else to_say(self._words(current_pet)))

    def _place(self) -> None:
        width = min(current().scaled(_WIDTH), self._window.width() - 2 * _EDGE)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((self._window.width() - width) // 2, _EDGE + current().height(36) + _EDGE)

    # -- keys

    def _walk(self, by: int) -> None:
        self.list.walk(by)
        self._say_current()

    def _enter(self) -> None:
        if self.list.walked:
            self._choose(self.list.current())
        else:
            self.list.when_found(self._choose)

    def _choose(self, ref: Ref | None) -> None:
        question = self._question
        if question is not None and ref is not None:
            self.leave()
            question.chosen(ref)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Resize and not self.isHidden():
                self._place()
            return False
        return isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._key(event)

    def _key(self, event: QKeyEvent) -> bool:
        """Whether a key in the field was one for the list."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in _ENTER:
            self._enter()
        elif key in _WALK:
            self._walk(_WALK[key])
        else:
            return False
        return True
