"""The common parts of form dialogs: margins, a labelled choice, and an error line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from petstore_desktop.contract.model import key_fault
from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.ui.base.building import Part, add, in_column, in_row, named
from petstore_desktop.ui.base.theme import current, to_say, tooltip
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import MARGIN, Dialog, ask_file
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PlainLabel, say
from petstore_desktop.ui.widgets.paint import brush_on, elided
from petstore_desktop.ui.widgets.searched_choice import SearchedChoice


def key_error(key: str) -> str:
    """The error of a typed key; empty if it can be sent or is missing."""
    fault = key_fault(key) if key else ""
    return error_words(BadInput(fault)).what if fault else ""


def add_browse(field: FormField, title: str, names: str) -> None:
    """A button beside a field that takes a file: it is chosen instead of typed."""
    name, filters = field.edit.objectName(), (names, tr("All files (*)"))
    button = named(Button(tr("Browse…")), f"{name}Browse", title)
    button.clicked.connect(lambda: ask_file(field.window(), title, f"{name}Dialog", filters, field.set_text))
    field.add_button(button)


_BESIDE = 42
"""Pixels beside the words of a choice, with its chevron."""


class ChoiceBox(SearchedChoice):
    """A choice that looks as the fields do. Typing finds one by the beginning of its words."""

    def event(self, event: QEvent) -> bool:
        """Words that are cut are said by a tool tip."""
        cut = current().advance(self.currentText()) > self.width() - _BESIDE
        if event.type() is QEvent.Type.ToolTip and cut and not self.toolTip():
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tooltip(self.currentText()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, painter = brush.theme, brush.painter
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            color, width = ("accent", 2.0) if self.hasFocus() else ("control", 1.0)
            inset = width / 2
            painter.setBrush(theme.color("content"))
            painter.setPen(QPen(theme.color(color), width))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 6, 6)
            chosen = self.currentIndex() >= 0
            words = self.currentText() if chosen else self.placeholderText()
            said = "text" if chosen else "bad" if self.missed else "muted"
            tone = theme.tone(said if self.isEnabled() else "faint")
            brush.text(10, elided(theme, words, self.width() - _BESIDE), tone)
            brush.icon("chevron-down", self.width() - 24, theme.tone("muted"), 14)


class KeptField(QWidget):
    """A field of a form that is none of the usual ones, and of which drafts are kept.

    Signals:
        touched(): what it holds may be another now.
    """

    touched = Signal()

    def text(self) -> str:
        """What it holds, as a text that means the same tomorrow."""
        raise NotImplementedError

    def set_text(self, text: str) -> None:
        """Fill it with such a text; what means nothing any more changes nothing."""
        raise NotImplementedError


class ChoiceField(QWidget):
    """A label above a choice of (value, words). `exact`: letters that begin no words leave nothing chosen."""

    def __init__(
        self, label: str, choices: Sequence[tuple[str, str]], exact: bool = False, name: str = "", note: str = ""
    ) -> None:
        """`name`: the objectName of the choice; `note`: what stands below it."""
        super().__init__()
        title = PlainLabel(label)
        self.box = named(ChoiceBox(), name, label)
        self.box.is_exact = exact
        self.box.setMinimumHeight(current().height(30))
        title.setBuddy(self.box)
        self.setFocusProxy(self.box)
        for value, words in choices:
            self.box.addItem(words, value)
        self.box.setAccessibleDescription(to_say(note))
        in_column(self, title, self.box, *([PlainLabel(note, "muted", 12, wrap=True)] if note else []), spacing=6)

    def value(self) -> str:
        """The chosen value; empty where there is nothing to choose."""
        value = self.box.currentData()
        return value if isinstance(value, str) else ""

    def set_value(self, value: str) -> None:
        """Choose this value, if it is there."""
        at = self.box.findData(value)
        if at >= 0:
            self.box.setCurrentIndex(at)

    def choose(self, value: str) -> None:
        """Choose this value, or nothing where it is not there: saving then does not change it."""
        self.box.setCurrentIndex(self.box.findData(value))


Field: TypeAlias = FormField | ChoiceField | KeptField | QPlainTextEdit
"""What a form asks in."""


class FormDialog(Dialog):
    """A dialog with fields below each other and an error line."""

    draft = ""
    """The name of its draft, where accepting ends that in one step with what is saved: after a crash in between, the
    same would be offered to be saved again."""

    def __init__(self, title: str, consequence: str = "", parent: QWidget | None = None, *, name: str = "") -> None:
        super().__init__(title, consequence, parent, name=name, width=440, spacing=12)
        self.wrong = named(PlainLabel("", "bad", 12, wrap=True), "problem")
        self.wrong.hide()

    def lay_out(self, first: QWidget, *others: Part, accept: str, cancel: str = "", price: str = "") -> Button:
        """Add the fields, the error line, and both buttons; the first field gets the focus. Returns the button that
        accepts."""
        add(self.body, first, *others, self.wrong)
        self.set_cancel(cancel)
        button = self.set_primary(accept, price=price)
        first.setFocus()
        return button

    def add_link(self, link: LinkLabel) -> None:
        """A link below the fields, its words in line with theirs: its room for the focus ring stands out."""
        rtl = QGuiApplication.isRightToLeft()
        left, right = (MARGIN, MARGIN - LINK_PAD) if rtl else (MARGIN - LINK_PAD, MARGIN)
        self.add_below(in_row(None, link, "stretch", margins=(left, 0, right, 12)))

    def say_wrong(self, words: str) -> None:
        """Show an error below the fields; empty removes it."""
        say(self.wrong, words)
        if words:
            QTimer.singleShot(0, self, lambda: self.bring_into_view(self.wrong))  # once it has its place

    @property
    def drafts(self) -> tuple[KeepDraft, ...]:
        """End the draft with the batch that is made of it."""
        return (KeepDraft(self.draft, None),) if self.draft else ()

    def refuses(self, fields: Iterable[QWidget]) -> bool:
        """Whether letters were typed into a choice that begin none of its words: it is said, and they are asked for."""
        for field in fields:
            if isinstance(field, ChoiceField) and field.box.missed:
                self.say_wrong(field.box.missed)
                field.box.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False
