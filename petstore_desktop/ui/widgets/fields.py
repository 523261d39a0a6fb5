"""Places to type: the search field, a filter field of a table's header, and a form field with its note."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStyle, QToolTip, QWidget

from petstore_desktop.ui.base.building import forget_items, in_column, in_row, named
from petstore_desktop.ui.base.theme import RESTYLE, Tone, current, to_say, tooltip
from petstore_desktop.ui.widgets.labels import PlainLabel, say, set_tip
from petstore_desktop.ui.widgets.paint import Brush, brush_on, fill_panel, is_rtl

_CLEAR = 28
_LEAST_PALETTE = 110
"""Of the palette's field, while one types in it."""


class BareEdit(QLineEdit):
    """A line edit whose frame is own paint: a plane, a ring when focused, and a clear mark at its end."""

    radius = 6
    font_size = 13
    inset = 0.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setFrame(False)
        self.setFont(current().font(self.font_size))

    def event(self, event: QEvent) -> bool:
        """Where an empty field has no room for what it says, a tool tip does."""
        margins = self.textMargins()
        room = self.width() - margins.left() - margins.right() - 4
        cut = event.type() is QEvent.Type.ToolTip and not self.text() and not self.toolTip()
        if cut and self.fontMetrics().horizontalAdvance(self.placeholderText()) > room:
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tooltip(self.placeholderText()), self)
            return True
        return super().event(event)

    def set_room(self, before: int, after: int) -> None:
        """Room in pixels before and after the text in reading direction of the layout."""
        left, right = (after, before) if is_rtl(self) else (before, after)
        self.setTextMargins(left, 0, right, 0)

    def clear_rect(self) -> QRect:
        """Where the clear mark is; empty while there is nothing to clear."""
        if not self.text() or self.isReadOnly():
            return QRect()
        rect = QRect(self.width() - _CLEAR, 0, _CLEAR, self.height())
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    def plane(self) -> str:
        """Token of the background."""
        return "button"

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme = brush.theme
            plate = self.rect().toRectF().adjusted(self.inset, self.inset, -self.inset, -self.inset)
            fill_panel(brush.painter, theme, plate, self.radius, theme.color(self.plane()))
            self.decorate(brush)
            if self.hasFocus():
                brush.ring(theme.color("accent"), self.radius - 1)
        super().paintEvent(event)

    def decorate(self, brush: Brush) -> None:
        """Draw what belongs on the plane, below the text."""
        if not self.clear_rect().isEmpty():
            side = brush.theme.scaled(14)
            tones: dict[str, Tone] = {"filtered": "accent", "bad_bg": "bad"}
            color = brush.theme.tone(tones.get(self.plane(), "muted"))
            brush.icon("close", self.width() - _CLEAR / 2 - 1 - side / 2, color, side)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self.clear_rect().contains(event.position().toPoint())
        self.setCursor(Qt.CursorShape.ArrowCursor if over else Qt.CursorShape.IBeamCursor)
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.clear_rect().contains(event.position().toPoint()):
            self.clear()
            self.textEdited.emit("")
        else:
            super().mousePressEvent(event)


class SearchField(BareEdit):
    """A field that filters as one types; Esc clears it, a second Esc is passed on.

    Signals:
        searched(str): the text after each change.
    """

    searched = Signal(str)

    def __init__(self, placeholder: str = "", key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_room(15 + current().scaled(16), _CLEAR + 4)
        self.textChanged.connect(self.searched)

    def sizeHint(self) -> QSize:
        return QSize(236, current().height(30))

    def minimumSizeHint(self) -> QSize:
        """So wide that what it says while it is empty can be read."""
        margins, said = self.textMargins(), self.fontMetrics().horizontalAdvance(self.placeholderText())
        return QSize(max(80, margins.left() + margins.right() + said + 6), current().height(30))

    def key(self) -> str:
        """The key shown at its end while it is empty."""
        return self._key

    def decorate(self, brush: Brush) -> None:
        muted = brush.theme.tone("muted")
        brush.icon("search", 9, muted, brush.theme.scaled(16))
        if self.key() and not self.text():
            brush.ending(self.width() - 10, self.key(), muted, 11, tnum=False)
        super().decorate(brush)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class PaletteField(SearchField):
    """The field at the end of the tab strip: "Search or jump to  Ctrl+K". Where there is little room it is an icon
    until it has the focus.

    Signals:
        asked(): a click, Down or Enter: show what can be gone to.
    """

    asked = Signal()

    def __init__(self, placeholder: str, key: str = "") -> None:
        super().__init__(placeholder, key)
        self._words = placeholder
        self._small, self._room = False, current().scaled(236)
        self.setObjectName("paletteField")
        self.setToolTip(tooltip(f"{placeholder} ({key})" if key else placeholder))
        self.set_answer("")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(current().height(28))

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(236), current().height(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(current().scaled(16) + 18, current().height(28))

    def set_answer(self, words: str) -> None:
        """The answer that is chosen in the list below: screen readers say the description when it changes. Without one
        it is the key, or else Qt would have the tool tip's markup read out."""
        self.setAccessibleDescription(to_say(words) or self._key)

    def set_small(self, small: bool, room: int) -> None:
        """Whether only an icon is to be shown until it has the focus, and the pixels that there are for it then."""
        self._small, self._room = small, room
        self._fit()

    def _fit(self) -> None:
        shrunk = self._small and not self.hasFocus() and not self.text()
        theme = current()
        whole = min(theme.scaled(236), max(theme.scaled(_LEAST_PALETTE), self._room))
        self.setMaximumWidth(self.minimumSizeHint().width() if shrunk else whole)
        self.setMinimumWidth(0 if shrunk else min(whole, theme.scaled(_LEAST_PALETTE)))
        self.setPlaceholderText("" if shrunk else self._words)

    def is_small(self) -> bool:
        """Whether only the icon shows."""
        return self.maximumWidth() < current().scaled(_LEAST_PALETTE)

    def key(self) -> str:
        return "" if self.is_small() else super().key()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit()
        else:
            super().keyPressEvent(event)


class ColumnFilterField(BareEdit):
    """The filter of one column, in the table's header: sunken when empty, tinted when on."""

    radius = 5
    font_size = 12
    inset = 0.5

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = self._tip = ""
        self.setAccessibleName(name)
        self.set_room(7, 4)
        self.textChanged.connect(self.retheme)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)
        self.retheme()

    def retheme(self) -> None:
        """Take the colours and font of the present theme, as the text and its problem ask for them."""
        theme, palette = current(), QPalette(self.palette())
        tone: Tone = "bad" if self._problem else "accent" if self.text() else "text"
        palette.setColor(QPalette.ColorRole.Text, theme.tone(tone))
        palette.setColor(QPalette.ColorRole.PlaceholderText, theme.tone("faint"))
        palette.setColor(QPalette.ColorRole.Highlight, theme.color("hover"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme.color("text"))
        self.setPalette(palette)
        self.setFont(theme.font(self.font_size))
        self.set_room(7, _CLEAR if self.text() else 4)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in RESTYLE:
            self.retheme()

    def decorate(self, brush: Brush) -> None:
        super().decorate(brush)
        if self._problem:
            brush.unread()

    def plane(self) -> str:
        return "bad_bg" if self._problem else self.plane_of(self.text())

    @staticmethod
    def plane_of(text: str) -> str:
        """Token of the background of a field with this text, where nothing is wrong with it."""
        return "filtered" if text else "sunken"

    def set_tip(self, tip: str) -> None:
        """What can be typed here."""
        self._tip = tip
        self._explain()

    def set_problem(self, problem: str) -> None:
        """Say why the text cannot be read; empty: it can."""
        if problem != self._problem:
            self._problem = problem
            self.retheme()
            self._explain()
            self.update()

    def problem(self) -> str:
        """Why the text cannot be read; empty: it can."""
        return self._problem

    def _explain(self) -> None:
        set_tip(self, "\n\n".join(filter(None, (self._problem, self._tip))))
        self.setAccessibleDescription(to_say(self._problem or self._tip))

    def sizeHint(self) -> QSize:
        return QSize(80, current().height(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, current().height(24))


class FormField(QWidget):
    """A label, a line to type in, and below it a note or what is wrong.

    Signals:
        changed(str): the text after each edit by the person.
    """

    changed = Signal(str)

    def __init__(
        self, label: str, note: str = "", password: bool = False, placeholder: str = "", name: str = ""
    ) -> None:
        """`name`: the objectName of the line."""
        super().__init__()
        self._note = note
        self.label = PlainLabel(label)
        self.edit = named(QLineEdit(), name, label)
        self.edit.setMaxLength(10_000_000)  # Qt's own bound of 32,767 would cut a service's longer text
        self.edit.setPlaceholderText(placeholder)
        self.edit.setFont(current().font())
        self.edit.setFixedHeight(current().height(30))
        if password:
            self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.textEdited.connect(self.changed)
        self.label.setBuddy(self.edit)
        self.setFocusProxy(self.edit)
        self.note = PlainLabel(note, "muted", 12, wrap=True)
        self._column = in_column(self, self.label, self.edit, self.note, "stretch", spacing=6)
        self.set_error("")

    def keep_room(self, lines: int) -> None:
        """Nothing below moves where what is wrong takes so many lines."""
        wrapped = PlainLabel("\n".join("x" * lines), "muted", 12, wrap=True)
        self.note.setMinimumHeight(wrapped.sizeHint().height())
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)

    def add_button(self, button: QWidget) -> None:
        """Put a button at the end of the line."""
        self._column.removeWidget(self.edit)
        line = in_row(None, (self.edit, 1), button, spacing=8)
        self._column.insertLayout(1, line)
        forget_items(line)
        QWidget.setTabOrder(self.edit, button)

    def text(self) -> str:
        """The typed text."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Fill the field."""
        self.edit.setText(text)

    def set_note(self, note: str) -> None:
        """The line below the field while nothing is wrong."""
        self._note = note
        self.set_error("")

    def refuse(self, error: str) -> None:
        """Show an error below the field, and put the keyboard there."""
        self.set_error(error)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_error(self, error: str) -> None:
        """Show an error below the field; empty removes it."""
        self.note.set_tone("bad" if error else "muted")
        say(self.note, error or self._note)
        self.edit.setAccessibleDescription(to_say(error or self._note))
        self.edit.setProperty("wrong", bool(error))
        style = self.edit.style()
        style.unpolish(self.edit)
        style.polish(self.edit)
