"""Asks in the window, beside its work, which pet a code is: by name or id, or one of those that have the code."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from petstore_desktop.desk.jump.palette import Palette, Search
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import in_column, named, still_there, timer
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.context.scans import PetQuestion
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import brush_on

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_WIDTH, _ROWS, _ROW, _EDGE, _PAD = 440, 6, 26, 12, 12
_TURN_S, _LATER_S = 0.003, 0.006
"""Seconds that a key's own turn searches, and each later turn of the event loop."""
_WALK: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class WhichPet(QFrame):
    """A raised plane at the top of its window; everything else can be used meanwhile. Esc leaves.

    Signals:
        left: object: it is closed; nothing was chosen, or `chosen` of the question was called.
    """

    left = Signal(object)

    def __init__(self, desk: Desk, named_words: Callable[[Ref], str], window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("whichPet")
        self._desk, self._words, self._window = desk, named_words, window
        self._palette = Palette(desk.shop, lambda _: False)
        self._question: PetQuestion | None = None
        self._search: Search | None = None
        self._refs: list[Ref] = []
        self._before: QWidget | None = None
        self._walked = self._entered = False
        """The person went to a row of the list; or pressed Enter before the search was settled, and gets its best."""
        self._turn = timer(self, 0, self._go_on)
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
        self.list = named(QListWidget(), "whichPetList", tr("Pets"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.viewport().setBackgroundRole(QPalette.ColorRole.ToolTipBase)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(self._clicked)
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
        self._stop()
        had = self.isAncestorOf(QApplication.focusWidget() or self._window)
        self.hide()
        before, self._before = still_there(self._before), None
        if had and before is not None:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.left.emit(None)

    # -- what is found

    def _search_for(self, text: str) -> None:
        self._stop()
        question = self._question
        if question is None:
            return
        if question.found.refs:
            words = {ref: self._words(ref) for ref in question.found.refs}
            self._show([ref for ref in question.found.refs if text.strip().casefold() in words[ref].casefold()])
        elif text.strip():
            self._search = self._palette.search(f"p:{text}", (), ())
            self._search.go_on(perf_counter() + _TURN_S)
            self._show_found()
            self._turn.start()
        else:
            self._show([])

    def _go_on(self) -> None:
        if self._search is None or not self._search.go_on(perf_counter() + _LATER_S):
            self._turn.stop()
            self._show_found()
            if self._entered:
                self._choose(self.list.currentRow())

    def _stop(self) -> None:
        self._turn.stop()
        self._search, self._walked, self._entered = None, False, False

    def _show_found(self) -> None:
        found = () if self._search is None else self._search.results()
        self._show([result.ref for result in found if result.ref is not None and result.ref.resource is Resource.PETS])

    def _show(self, refs: list[Ref]) -> None:
        walked_to = self._refs[self.list.currentRow()] if self._walked and self._refs else None
        self._refs = refs
        self.list.clear()
        for ref in refs:
            item = QListWidgetItem(self._words(ref))
            item.setSizeHint(QSize(0, current().height(_ROW)))
            self.list.addItem(item)
        self.list.setCurrentRow(refs.index(walked_to) if walked_to in refs else 0 if refs else -1)
        self._say_current()
        self._place()

    def _say_current(self) -> None:
        self.field.setAccessibleDescription(to_say(self.list.currentItem().text()) if self._refs else "")

    def _place(self) -> None:
        theme, width = current(), min(current().scaled(_WIDTH), self._window.width() - 2 * _EDGE)
        rows = min(len(self._refs), _ROWS)
        self.list.setVisible(rows > 0)
        self.list.setFixedHeight(rows * theme.height(_ROW))
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((self._window.width() - width) // 2, _EDGE + theme.height(36) + _EDGE)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.plane(brush.theme.color("raised"), 8)
            brush.ring(brush.theme.color("control"), 8, 1)

    # -- keys

    def _walk(self, by: int) -> None:
        if self._refs:
            self._walked = True
            self.list.setCurrentRow(max(0, min(len(self._refs) - 1, self.list.currentRow() + by)))
            self._say_current()

    def _enter(self) -> None:
        if self._search is None or self._search.is_settled or self._walked:
            self._choose(self.list.currentRow())
        else:
            self._entered = True

    def _clicked(self, index: QModelIndex) -> None:
        self._choose(index.row())

    def _choose(self, row: int) -> None:
        question = self._question
        if question is not None and 0 <= row < len(self._refs):
            ref = self._refs[row]
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
