"""The button in its four kinds, and the check box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QLayout, QMenu, QPushButton, QSizePolicy, QStyle, QWidget

from petstore_desktop.ui.base.first_paint import screen_at
from petstore_desktop.ui.base.icons import ICON_PROPERTY
from petstore_desktop.ui.base.theme import Theme, Tone, current, to_say
from petstore_desktop.ui.text.translate import bare
from petstore_desktop.ui.widgets.labels import says_cut_words, set_tip
from petstore_desktop.ui.widgets.paint import Brush, brush_on, draw_check, elided, is_rtl

Kind = Literal["primary", "plain", "quiet", "icon"]
_GAP_ICON, _GAP_KEY, _CHEVRON = 6, 9, 14


class Button(QPushButton):
    """A button painted from the theme; its key, or what it costs, stands after its words.

    Signals:
        clicked(bool): Qt's own.
    """

    _kind: Kind = "plain"
    _brief = 0
    _away = False

    def __init__(
        self,
        text: str = "",
        kind: Kind = "plain",
        icon: str = "",
        key: str = "",
        price: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind, self._icon, self._price = kind, icon, price
        self._key = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if "+" in key else key
        self._words = ""
        self._tone: Tone | None = None
        self._chevron = False
        self._action: QAction | None = None
        self._own_words = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_text(text)
        if price:
            self.set_price(price)

    def event(self, event: QEvent) -> bool:
        return (event.type() is QEvent.Type.ToolTip and says_cut_words(self)) or super().event(event)

    def set_text(self, text: str) -> None:
        """The button's words (no mnemonics); of an icon button, its tool tip and accessible name."""
        self._words = text
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(to_say(text))
        if self._kind == "icon":
            self._describe(text)
        self._relayout()

    def words(self) -> str:
        """The words as given."""
        return self._words

    def key(self) -> str:
        """The key shown after the words."""
        return self._key

    def set_kind(self, kind: Kind) -> None:
        """Make it the primary button, or a plain one."""
        self._kind = kind
        self._relayout()

    def set_price(self, price: str) -> None:
        """What a click costs ("1 request"), shown in the place of the key."""
        self._price = price
        self.setAccessibleDescription(to_say(price))
        self._relayout()

    def set_icon_name(self, icon: str) -> None:
        """The icon before the words, by its name; empty for none."""
        self._icon = icon
        self._relayout()

    def set_tone(self, tone: Tone | None) -> None:
        """Colour the icon, where the button counts something that needs a person."""
        self._tone = tone
        self.update()

    def set_chevron(self, chevron: bool) -> None:
        """Show that the button opens a menu."""
        self._chevron = chevron
        self._relayout()

    def bind(self, action: QAction, words: str = "") -> None:
        """Follow an action: its words (where it is given none of its own), icon name, shortcut, tool tip, and whether
        it is enabled and visible."""
        self._action, self._own_words = action, words
        action.changed.connect(self._follow)
        self.clicked.connect(action.trigger)
        self._follow()

    def _follow(self) -> None:
        action = self._action
        if action is None:
            return
        name = action.property(ICON_PROPERTY)
        if isinstance(name, str):
            self._icon = name
        self._key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.set_text(self._own_words or bare(action.text()))
        if self._kind != "icon":
            self._describe(action.toolTip(), key=False)
        self.setEnabled(action.isEnabled())
        if self._away or not action.isVisible():
            self.hide()
        elif self.parentWidget() is not None:  # without one it would be a window of its own for a moment
            self.show()

    def action(self) -> QAction | None:
        """The action that it follows."""
        return self._action

    def put_away(self, away: bool) -> None:
        """Whether it is elsewhere for now, though its action can be seen."""
        if away != self._away:
            self._away = away
            self._follow()

    def _describe(self, text: str, key: bool = True) -> None:
        set_tip(self, f"{text}  {self._key}" if key and self._key else text)
        if self._price:
            self.setAccessibleDescription(to_say(self._price))

    def _relayout(self) -> None:
        self.updateGeometry()
        self.update()

    def _pad(self) -> int:
        return 12 if self._kind == "primary" else 6 if self._kind == "icon" else 10

    def set_brief(self, brief: int) -> None:
        """Where there is little room: 1 leaves out the key, 2 the words too, of a quiet button with an icon; the tool
        tip and the accessible name say them."""
        if brief != self._brief:
            self._brief = brief
            self._relayout()

    def width_at(self, brief: int) -> int:
        """How wide it is when it is so brief."""
        before, self._brief = self._brief, brief
        width = self.sizeHint().width()
        self._brief = before
        return width

    def _after(self) -> str:
        return self._price or ("" if self._brief else self._key)

    def _shown(self) -> str:
        return "" if self._brief > 1 and self._kind == "quiet" and self._icon else self._words

    def sizeHint(self) -> QSize:
        theme = current()
        height = theme.height(28)
        if self._kind == "icon":
            return QSize(max(height, theme.scaled(28)), height)
        width = 2.0 * self._pad() + theme.advance(self._shown(), 13, 500)
        if self._icon:
            width += theme.scaled(16) + (_GAP_ICON if self._shown() else 0)
        if self._after():
            width += _GAP_KEY + theme.advance(self._after(), 11)
        if self._chevron:
            width += _CHEVRON + 4
        return QSize(round(width), height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme = brush.theme
            plane = self._plane(theme)
            if plane is not None:
                brush.plane(plane, 6)
            if theme.high_contrast and plane is not None and not self._is_filled():
                brush.ring(self._tone_of("text"), 6, 1)
            if self._kind == "icon":
                side = theme.scaled(16)
                brush.icon(self._icon, (self.width() - side) / 2, self._tone_of("muted"), side)
            else:
                self._paint_row(brush)
            if self.hasFocus() and self._is_filled():
                brush.ring(theme.color("on_fill"), 4, 1.5, inset=2)
            elif self.hasFocus():
                brush.ring(theme.color("accent"), 5)

    def _is_filled(self) -> bool:
        return self._kind == "primary" and self.isEnabled()

    def _tone_of(self, tone: Tone) -> QColor:
        return current().tone(tone if self.isEnabled() else "faint")

    def _plane(self, theme: Theme) -> QColor | None:
        down, over = self.isDown() or self.isChecked(), self.underMouse() and self.isEnabled()
        if self._kind == "primary":
            if not self.isEnabled():
                return theme.color("button")
            return theme.color("fill_down" if down else "fill_over" if over else "fill")
        if self._kind == "plain":
            return theme.color("pressed" if down or over else "button")
        return theme.color("pressed") if down else theme.color("hover") if over else None

    def _paint_row(self, brush: Brush) -> None:
        theme, x = brush.theme, float(self._pad())
        text, key = self._tone_of("text"), self._tone_of("muted")
        if self._is_filled():
            text = key = theme.color("on_fill")
        if self._icon:
            side = theme.scaled(16)
            brush.icon(self._icon, x, theme.tone(self._tone) if self._tone and not self._is_filled() else key, side)
            x += side + _GAP_ICON
        x += brush.text(x, elided(theme, self._shown(), self.width() - x - self._pad() / 2, 13, 500), text, 13, 500)
        if self._after():
            x += _GAP_KEY
            x += brush.text(x, self._after(), key, 11)
        if self._chevron:
            brush.icon("chevron-down", x + 4, key, _CHEVRON)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.click()
        else:
            super().keyPressEvent(event)


def open_below(widget: QWidget, menu: QMenu, from_end: bool = False) -> None:
    """Open a menu below a widget, in line with its leading edge or, `from_end`, with its trailing one."""
    right = is_rtl(widget) is not from_end
    if right:
        _KeptEdge(menu, widget.mapToGlobal(QPoint(widget.width(), 0)).x())
    menu.popup(
        widget.mapToGlobal(QPoint(widget.width() - menu.sizeHint().width() if right else 0, widget.height() + 2))
    )


class _KeptEdge(QObject):
    """Keeps the right edge of a menu where it is, as its entries come and become longer."""

    def __init__(self, menu: QMenu, right: int) -> None:
        super().__init__(menu)
        self._right = right
        menu.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and isinstance(watched, QMenu):
            left = screen_at(QPoint(self._right - 1, watched.y())).left()
            watched.move(max(left, self._right - watched.width()), watched.y())
        return False


def fit_buttons(buttons: Sequence[Button], room: float, gap: int = 0, least: int = 0, briefest: int = 2) -> None:
    """Where there is too little room for all of these, they leave out their keys, then their words (see
    `Button.set_brief`); at `least` so much, and at most as `briefest` says."""
    widths = ((brief, sum(button.width_at(brief) + gap for button in buttons)) for brief in range(least, briefest))
    brief = next((brief for brief, width in widths if width <= room), briefest)
    for button in buttons:
        button.set_brief(brief)


def needs_with_keys(row: QLayout, buttons: Sequence[Button]) -> int:
    """How wide this row wants to be where these buttons of it show their keys."""
    return row.sizeHint().width() + sum(button.width_at(0) - button.sizeHint().width() for button in buttons)


class CheckBox(QCheckBox):
    """A check box with the design's box; Qt's own signals and keys."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._words = text
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(to_say(text))

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(round(theme.scaled(16) + 6 + 8 + theme.advance(self._words) + 1), theme.height(28))

    def event(self, event: QEvent) -> bool:
        return (event.type() is QEvent.Type.ToolTip and says_cut_words(self)) or super().event(event)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            side, whole = brush.theme.scaled(16) + 6, self.rect()
            box = QStyle.visualRect(self.layoutDirection(), whole, whole.adjusted(0, 0, side - self.width(), 0))
            draw_check(brush.painter, brush.theme, box, self.isChecked(), self.hasFocus(), self.isEnabled())
            shown = elided(brush.theme, self._words, self.width() - side - 8)
            brush.text(side + 8, shown, brush.theme.tone("text" if self.isEnabled() else "faint"))
