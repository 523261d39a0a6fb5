"""The base of every dialog, the line that says what a batch costs, and the error dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, QStandardPaths, Qt
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QFileDialog, QLayout, QPlainTextEdit, QWidget

from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click, short_lived
from petstore_desktop.ui.base.first_paint import after_first_paint, bring_inside, room_for
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import listed, tr
from petstore_desktop.ui.widgets.button import Button, Kind
from petstore_desktop.ui.widgets.labels import Divider, PlainLabel, say
from petstore_desktop.ui.widgets.paint import Brush, baseline, brush_on, draw_ring, fill_round
from petstore_desktop.ui.widgets.scrolled import Scrolled
from petstore_desktop.ui.widgets.second_enter import keep_second_enter

MARGIN = 20
_NAMED = 12
"""How many lost acts are named; Copy has all of them."""
_open: set[QDialog] = set()


def show(dialog: QDialog) -> QDialog:
    """Show a dialog and keep it until it is closed."""
    _open.add(short_lived(dialog))
    for over in (dialog.finished, dialog.destroyed):  # it may go with its window
        over.connect(lambda: _open.discard(dialog))
    QDialog.open(dialog)  # the `open` of QPrintDialog hides this one, and takes a receiver
    keep_second_enter(dialog)
    return dialog


def ask_file(
    parent: QWidget,
    title: str,
    name: str,
    filters: Sequence[str],
    chosen: Callable[[str], object],
    *,
    save_as: str = "",
    suffix: str = "",
    folder: str = "",
) -> QFileDialog:
    """Let a person choose a file to open, or with `save_as`, its name at first, one to write; `chosen` gets its path.
    `name`: the dialog's object name; `suffix`: of a name that is typed without one; `folder`: where it begins, if not
    among the person's documents."""
    dialog = named(QFileDialog(parent, title), name)
    dialog.setNameFilters(filters)
    dialog.setDirectory(folder or QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    if save_as:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(save_as)
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(chosen)
    show(dialog)
    return dialog


class _Content(QWidget):
    """The part above the buttons; wrapped texts tell their height for the width they get."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)


class Dialog(QDialog):
    """A dialog whose title says the act and the number, with one line of consequences and its buttons.

    `body` is a column for the content; the footer's left side takes what `add_footer` gets. The dialog is never larger
    than its screen: where that has no room for all, everything above the buttons scrolls.
    """

    guard: Callable[[Callable[[], object]], object] | None = None
    """Gets what closes the dialog where a person leaves it by Esc, Cancel or its frame, and calls that if all is well.
    """

    def __init__(
        self,
        title: str,
        consequence: str = "",
        parent: QWidget | None = None,
        *,
        name: str = "",
        width: int = 0,
        spacing: int = -1,
    ) -> None:
        """`name`: its object name; `width`: how wide it is at least (px at base 13); `spacing`: between the parts of
        its body (px)."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setMinimumWidth(current().scaled(width))
        self._title = PlainLabel("", "text", 17, 600, wrap=True, leading=1.25)
        self._consequence = PlainLabel("", "muted", 13, wrap=True)
        self.body = in_column(None, margins=(MARGIN, 0, MARGIN, 12), spacing=spacing)
        self._footer = in_row(None, "stretch", margins=(MARGIN, 16, MARGIN, MARGIN), spacing=8)
        self._footer_left = self._need = 0
        head = in_column(None, self._title, self._consequence, margins=(MARGIN, 15, MARGIN, 12), spacing=1)
        content = _Content()
        self._content = in_column(content, head, (self.body, 1))
        self._divider, self._scroll = Divider(), Scrolled(content)
        self._scroll.grown.connect(self._grow)
        in_column(self, (self._scroll, 1), self._divider, self._footer)
        self._divider.hide()
        self.set_title(title)
        self.set_consequence(consequence)

    def reject(self) -> None:
        if self.guard is None:
            super().reject()
        else:
            self.guard(super().reject)

    # -- its size

    def sizeHint(self) -> QSize:
        """All of the content at the width that the dialog will have, as far as the screen has room."""
        hint, room = super().sizeHint(), room_for(self).size()
        width = min(max(hint.width(), self.minimumWidth()), room.width())
        rest = hint.height() - self._scroll.sizeHint().height()
        return QSize(width, min(self._scroll.height_at(width) + rest, room.height()))

    def adjustSize(self) -> None:
        """As large as the content needs, which counts when it is shown; Qt's own leaves a third of the screen free."""
        if self.isVisible():
            self.settle()
            self.resize(self.sizeHint())

    def spread(self, wanted: tuple[int, int]) -> int:
        """Be this large (px at base 13), as far as screen and window below have room: for a body that reaches to the
        edges, with a line below it. Returns the width that it gets."""
        self.body.setContentsMargins(0, 0, 0, 0)
        self._divider.show()
        size = QSize(*map(current().scaled, wanted)).boundedTo(room_for(self).size())
        below: QWidget | None = self.parentWidget()
        while below is not None and below.parentWidget():  # a dialog below is no measure of the room there is
            below = below.parentWidget()
        if below is not None:
            size = size.boundedTo(below.size())
        self.resize(size)
        return size.width()

    def setVisible(self, visible: bool) -> None:
        if visible and self.isHidden():
            self._bound()
            if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
                self.resize(self.sizeHint())
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._need = self._scroll.height_at(self._scroll.width())
        self.windowHandle().screenChanged.connect(self._bound, Qt.ConnectionType.UniqueConnection)
        self._bound()  # its own frame is known now, or where a window manager sees to that, at its first paint
        after_first_paint(self, self._bound)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        bring_inside(self)

    def _bound(self) -> None:
        room = room_for(self).size()
        self.setMinimumWidth(min(self.minimumWidth(), room.width()))
        self.setMaximumSize(room)
        bring_inside(self)

    def _grow(self) -> None:
        """Make room for an added text or widget, if possible."""
        needed, scroll = self._scroll.height_at(self._scroll.width()), self._scroll
        more, self._need = needed - self._need, needed
        if self.isVisible() and more > 0 and needed > scroll.height():
            self.resize(self.width(), self.height() + min(more, needed - scroll.height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Up and Page Down scroll, unless what has the focus has a use for them; F1 shows the manual."""
        by = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()), 0)
        if by:
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.value() + by * bar.pageStep())
        elif event.matches(QKeySequence.StandardKey.HelpContents):
            self._ask_for_manual()
        else:
            super().keyPressEvent(event)

    def _ask_for_manual(self) -> None:
        """Use the action of the window that it belongs to: its keys are not heard while a dialog is open."""
        below: QWidget = self
        while (parent := below.parentWidget()) is not None:
            below = parent
        action = below.findChild(QAction, "manual")
        if action is not None:
            action.trigger()

    # -- what it says and offers

    def set_title(self, title: str) -> None:
        """The act and the number: "Set 212 pets to sold"."""
        self._title.set_text(title)
        self.setWindowTitle(title)
        self.setAccessibleName(to_say(title))

    def set_consequence(self, consequence: str) -> None:
        """One line below the title; empty for none."""
        say(self._consequence, consequence)
        self.setAccessibleDescription(to_say(consequence))

    def add_below(self, layout: QLayout) -> None:
        """Put a row below the body."""
        add(self._content, layout)

    def settle(self) -> None:
        """Give words that came now their room at once; else they would be cut off for a moment."""
        self._content.activate()
        self._scroll.updateGeometry()

    def bring_into_view(self, widget: QWidget) -> None:
        """Scroll to a part of the content."""
        self._scroll.ensureWidgetVisible(widget)

    def divide(self) -> None:
        """Draw a line above the buttons."""
        self._divider.show()

    def add_footer(self, widget: QWidget) -> None:
        """Put a widget to the left of the buttons."""
        self._footer.insertWidget(self._footer_left, widget)
        self._footer_left += 1

    def add_button(self, text: str, kind: Kind = "plain", key: str = "", price: str = "") -> Button:
        """A further button at the right end; the caller connects it."""
        button = Button(text, kind, key=key, price=price)
        button.setAutoDefault(False)
        self._footer.addWidget(button)
        return button

    def add_copy(self, words: str, text: Callable[[], str], name: str = "") -> Button:
        """A button that puts a text on the clipboard."""
        return on_click(self.add_button(words), lambda: QGuiApplication.clipboard().setText(text()), name)

    def set_cancel(self, text: str = "") -> Button:
        """The button that rejects the dialog, as a rule "Cancel"."""
        return on_click(self.add_button(text or tr("Cancel")), self.reject, "cancelButton")

    def set_primary(self, text: str, key: str = "", price: str = "") -> Button:
        """The filled button (verb + number) that accepts the dialog; it gets the focus."""
        button = on_click(self.add_button(text, "primary", key, price), self.accept, "primaryButton")
        button.setDefault(True)
        button.setFocus(Qt.FocusReason.OtherFocusReason)
        return button

    def set_primary_with_ctrl(self, text: str, do: Callable[[], object] | None = None) -> Button:
        """The filled button, where Enter alone is of use in the fields: Ctrl+Enter does `do`, or else clicks it."""
        enter = QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Enter)  # people know the key by this name
        button = self.set_primary(text, enter.toString(QKeySequence.SequenceFormat.NativeText))
        for keys in (enter, QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Return)):
            QShortcut(keys, self, do or button.click)
        return button


class PriceLine(QWidget):
    """What a batch costs: "212 requests · about 4 min · leaves ≈ 731 of 1,000 today", and a bar of the day.

    The bar shows, from the leading edge, what is left afterwards | this | what is used already.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lead = ""
        self._parts: tuple[str, ...] = ()
        self._left: float | None = None
        self._this = 0.0

    def set_price(self, lead: str, parts: Sequence[str], left: float | None, this: float) -> None:
        """lead is set in medium weight. left: share of the day left afterwards (None = no bar); this: its own share."""
        self._lead, self._parts, self._left, self._this = lead, tuple(parts), left, this
        self.setAccessibleName(to_say(listed((lead, *parts))))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(415), current().height(20) + (21 if self._left is not None else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, x = brush.theme, 0.0
            height = theme.height(20)
            brush.base = baseline(theme, 0, height)
            for index, part in enumerate((self._lead, *self._parts)):
                if index:
                    dot = QRectF(brush.at(x + 8, 3), brush.base - 6, 3, 3)
                    fill_round(brush.painter, dot, 1.5, theme.tone("muted"))
                    x += 20
                x += brush.text(x, part, theme.tone("text"), 13, 400 if index else 600, True)
            if self._left is not None:
                self._paint_bar(brush, height + 9, self._left)

    def _paint_bar(self, brush: Brush, top: float, share: float) -> None:
        painter, theme, width = brush.painter, brush.theme, float(self.width())
        left = min(1.0, max(0.0, share)) * width
        this = min(width - left, max(0.0, self._this) * width)
        spans = [(0.0, width, "track"), (left, left + this, "accent"), (0.0, left - (1 if this else 0), "faint")]
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(0, top, width, 8), 4, 4)
        painter.setClipPath(outline)
        for start, end, token in spans:
            if end > start:
                ours = token == "accent"
                long = end - start + (4 if ours and end < width else 0)  # its round beginning lies below what is left
                fill_round(painter, QRectF(brush.at(end - long, long), top, long, 8), 4 * ours, theme.color(token))
        if this and left:
            painter.fillRect(QRectF(brush.at(left - 1, 1), top, 1, 8), theme.color("content"))
        if theme.high_contrast:
            draw_ring(painter, outline.boundingRect(), theme.color("text"), 4, 1)


class ErrorDialog(Dialog):
    """An unexpected error: what happened, what is safe, and the details on demand."""

    def __init__(self, message: str, safe: str, details: str, parent: QWidget | None = None) -> None:
        super().__init__(message, safe, parent, name="errorDialog", width=460, spacing=12)
        self._details_text = details
        self._lost: list[str] = []
        self._things = named(PlainLabel("", "text", wrap=True, selectable=True), "lostActs")
        self._things.hide()
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setAccessibleName(tr("Details"))
        self._details.setMinimumHeight(160)
        self._details.hide()
        add(self.body, self._things, self._details)
        self._toggle = on_click(Button(tr("Details"), "quiet"), self._flip)
        self._toggle.setAutoDefault(False)
        self.add_footer(self._toggle)
        self.add_copy(tr("Copy"), self.report)
        self._primary = self.set_primary(tr("Continue"))
        self._agains: list[Callable[[], object]] = []

    def report(self) -> str:
        """What Copy puts on the clipboard."""
        parts = (self.windowTitle(), "\n".join(self._lost), self._details_text)
        return "\n\n".join(part for part in parts if part) + "\n"

    def add_lost(self, lost: Sequence[str]) -> None:
        """More acts that the error cost: all for Copy, and the first ones shown above the details."""
        self._lost += lost
        lines = [tr("Not saved:"), *self._lost[:_NAMED]]
        if len(self._lost) > _NAMED:
            lines.append(tr("and {n} more", "", len(self._lost) - _NAMED))
        say(self._things, "\n".join(lines) if self._lost else "")
        self.adjustSize()

    def offer_again(self, again: str, give_up: str, do: Callable[[], object]) -> None:
        """Accepting, which Enter does too, does it again once the dialog is gone; only `give_up` and Esc let it go. May
        be called for one thing after the other, which are done in this order."""
        if not self._agains:
            self._primary.set_text(again)
            self.set_cancel(give_up)
            self._footer.addWidget(self._primary)  # at the end again
            # Done when the dialog is gone: what fails again must find none that takes it up and closes.
            self.accepted.connect(lambda: self.destroyed.connect(partial(_do_all, self._agains)))
        self._agains.append(do)

    def _flip(self) -> None:
        self._details.setVisible(self._details.isHidden())
        self.adjustSize()


def _do_all(agains: Sequence[Callable[[], object]]) -> None:
    for do in agains:
        do()
