"""Places to type: the search field, a filter field of a table's header, and a form field with its note."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStyle, QVBoxLayout, QWidget

from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import baseline, draw_icon, draw_ring, draw_text, fill_round

_CLEAR = 28


class BareEdit(QLineEdit):
    """A line edit whose frame is own paint: a plane, a ring when focused, and a clear mark at its end."""

    radius = 6
    font_size = 13
    inset = 0.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setFrame(False)
        self._dress()

    def _dress(self) -> None:
        self.setFont(current().font(self.font_size))

    def set_room(self, before: int, after: int) -> None:
        """Room in pixels before and after the text in reading direction of the layout."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.setTextMargins(after if rtl else before, 0, before if rtl else after, 0)

    def clear_rect(self) -> QRect:
        """Where the clear mark is; empty while there is nothing to clear."""
        if not self.text() or self.isReadOnly():
            return QRect()
        rect = QRect(self.width() - _CLEAR, 0, _CLEAR, self.height())
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    def plane(self) -> str:
        """Token of the background."""
        return "hover"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        plate = self.rect().toRectF().adjusted(self.inset, self.inset, -self.inset, -self.inset)
        fill_round(painter, plate, self.radius, theme.color(self.plane()))
        self.decorate(painter)
        if self.hasFocus():
            draw_ring(painter, self.rect(), theme.color("accent"), self.radius - 1)
        elif theme.high_contrast:
            draw_ring(painter, self.rect(), theme.color("text"), self.radius, 1)
        painter.end()
        super().paintEvent(event)

    def decorate(self, painter: QPainter) -> None:
        """Draw what belongs on the plane, below the text."""
        rect = self.clear_rect()
        if not rect.isEmpty():
            side = current().scaled(14)
            color = current().tone("accent" if self.plane() == "select" else "muted")
            draw_icon(painter, "close", rect.center().x() - side / 2, (self.height() - side) / 2, color, side)

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
        self.set_room(31, _CLEAR + 4)
        self.textChanged.connect(self.searched)

    def sizeHint(self) -> QSize:
        return QSize(236, current().height(30))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, current().height(30))

    def decorate(self, painter: QPainter) -> None:
        theme = current()
        side = theme.scaled(16)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - 9 - side if rtl else 9
        draw_icon(painter, "search", x, (self.height() - side) / 2, theme.tone("muted"), side)
        if self._key and not self.text():
            width = theme.advance(self._key, 11)
            x = 10 if rtl else self.width() - 10 - width
            draw_text(painter, theme, x, baseline(theme, 0, self.height()), self._key, theme.tone("muted"), 11)
        super().decorate(painter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class SearchButton(Button):
    """Looks like a search field and opens the palette: "Search or jump to  Ctrl+K"."""

    def __init__(self, text: str, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "plain", "search", key, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(236), current().height(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(current().height(28) + 8, current().height(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        plane = theme.color("line" if self.underMouse() else "hover")
        fill_round(painter, self.rect().toRectF(), 6, plane)
        side, base = theme.scaled(16), baseline(theme, 0, self.height())
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        start, width = 17 + side, self.width()
        room = width - start - 10.0
        x = width - 9 - side if rtl else 9
        draw_icon(painter, "search", x, (self.height() - side) / 2, theme.tone("muted"), side)
        key = self.key()
        key_width = theme.advance(key, 11)
        if room > key_width + 60:
            x = 10 if rtl else width - 10 - key_width
            draw_text(painter, theme, x, base, key, theme.tone("muted"), 11)
            room -= key_width + 8
        words = theme.metrics().elidedText(self.words(), Qt.TextElideMode.ElideRight, max(0.0, room))
        x = width - start - theme.advance(words) if rtl else start
        draw_text(painter, theme, x, base, words, theme.tone("muted"))
        if self.hasFocus():
            draw_ring(painter, self.rect(), theme.color("accent"), 5)
        painter.end()


class FilterField(BareEdit):
    """The filter of one column, in the table's header: sunken when empty, tinted when on."""

    radius = 5
    font_size = 12
    inset = 0.5

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.set_room(7, 4)
        self.textChanged.connect(self._tint)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)
        self._tint()

    def _tint(self) -> None:
        theme, palette = current(), QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Text, theme.tone("accent" if self.text() else "text"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, theme.tone("faint"))
        palette.setColor(QPalette.ColorRole.Highlight, theme.color("hover"))
        self.setPalette(palette)
        self.setFont(theme.font(self.font_size))
        self.set_room(7, _CLEAR if self.text() else 4)

    def plane(self) -> str:
        return "select" if self.text() else "sunken"

    def retheme(self) -> None:
        """Take the colours and font of the present theme."""
        self._tint()

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
        self,
        label: str,
        note: str = "",
        password: bool = False,
        placeholder: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._note = note
        self.label = PlainLabel(label)
        self.edit = QLineEdit()
        self.edit.setMaxLength(10_000_000)  # Qt's own bound of 32,767 would cut a service's longer text
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(label)
        self.edit.setFont(current().font())
        self.edit.setFixedHeight(current().height(30))
        if password:
            self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.textEdited.connect(self.changed)
        self.label.setBuddy(self.edit)
        self.setFocusProxy(self.edit)
        self.note = PlainLabel(note, "muted", 12, wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.label, self.edit, self.note):
            column.addWidget(widget)
        column.addStretch(1)
        self.set_error("")

    def text(self) -> str:
        """What was typed."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Fill the field."""
        self.edit.setText(text)

    def set_note(self, note: str) -> None:
        """The line below the field while nothing is wrong."""
        self._note = note
        self.set_error("")

    def set_error(self, error: str) -> None:
        """Say below the field what is wrong with it; empty takes it back."""
        self.note.set_tone("bad" if error else "muted")
        self.note.set_text(error or self._note)
        self.note.setVisible(bool(error or self._note))
        self.edit.setAccessibleDescription(error or self._note)
        self.edit.setProperty("wrong", bool(error))
        style = self.edit.style()
        style.unpolish(self.edit)
        style.polish(self.edit)
