"""The row above a table: the view's name, its counts, and on the right what one can do."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from petstore_desktop.ui.icons import ICON_PROPERTY
from petstore_desktop.ui.theme import current, tooltip
from petstore_desktop.ui.widgets.button import Button, Kind
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import baseline, draw_icon, draw_ring, draw_text, elided

_PAD = 6
"""Around the name's words, for the ring when it has the keyboard."""
_LEAST, _FAIR, _LONGEST = 110, 150, 280
"""So wide (px at base 13) the name is at least, if it is that long; so much it and the counts have before the buttons
say their keys; and so much it is at most."""
_STUB = 90
"""So much has a name before an end that is shown whole."""
_BRIEFEST = 2


class _Title(QAbstractButton):
    """The view's name with a chevron when it opens a menu."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.tail = ""
        self.chevron = False
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = current().advance(self.words, 15, 600) + (4 + 14 if self.chevron else 0)
        wanted = round(width + 0.5) + 2 * _PAD
        return QSize(min(wanted, current().scaled(_LONGEST)), current().height(28))

    def minimumSizeHint(self) -> QSize:
        least = current().scaled(_LEAST)
        if self._kept():
            least = max(least, round(current().advance(self.tail, 15, 600) + current().scaled(_STUB)))
        return QSize(min(least, self.sizeHint().width()), self.sizeHint().height())

    def _kept(self) -> str:
        """The end of the words that is shown whole."""
        return self.tail if self.words.endswith(self.tail) else ""

    def shown(self) -> str:
        """The words as there is room for them."""
        theme, kept = current(), self._kept()
        room = self.width() - 2 * _PAD - (18 if self.chevron else 0)
        if not kept or theme.advance(self.words, 15, 600) <= room:
            return elided(theme, self.words, room, 15, 600)
        name = self.words.removesuffix(kept)
        return elided(theme, name, room - theme.advance(kept, 15, 600), 15, 600) + kept

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        words = self.shown()
        width = theme.advance(words, 15, 600)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - _PAD - width if rtl else _PAD
        draw_text(painter, theme, x, baseline(theme, 0, self.height()), words, theme.tone("text"), 15, 600)
        if self.chevron:
            at = x - 18 if rtl else x + width + 4
            draw_icon(painter, "chevron-down", at, (self.height() - 14) / 2 + 1, theme.tone("muted"), 14)
        if self.hasFocus():
            draw_ring(painter, self.rect(), theme.color("accent"), 5)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
        else:
            super().keyPressEvent(event)


class ToolBar(QWidget):
    """The 46 px row of a view.

    Signals:
        titleClicked(): the name was clicked, or Down or Enter pressed on it, and no menu is set.
    """

    titleClicked = Signal()

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menu: QMenu | None = None
        self._buttons: list[Button] = []
        self._title, self._counts = _Title(), PlainLabel("", "muted", elide=True, tnum=True)
        self._counts.setObjectName("listCounts")
        self._title.clicked.connect(self._open)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16 - _PAD, 4, 16, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self._title)
        self._row.addWidget(self._counts, 1)
        self._left = 2
        self.setFixedHeight(current().height(46))
        self.set_menu(None)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """The view's name."""
        self._title.words = title
        self._title.setAccessibleName(title)
        self._title.setToolTip(tooltip(title))  # all of it, where there is no room for it
        self._title.updateGeometry()
        self._title.update()
        self._fit()

    def keep_whole(self, tail: str) -> None:
        """Where the name ends so and there is no room for all of it, this end is shown and what is before it is cut."""
        self._title.tail = tail
        self._title.updateGeometry()
        self._fit()

    def set_counts(self, counts: str) -> None:
        """How many and how old: "212 of 1,904, as of 14:02"."""
        self._counts.set_text(counts)
        self._fit()

    def title(self) -> str:
        """The view's name."""
        return self._title.words

    def title_shown(self) -> str:
        """The name as far as there is room for it."""
        return self._title.shown()

    def set_opens(self, name: str, what: str) -> None:
        """The name opens something, said by `what`: it gets a chevron, the keyboard, and this objectName. See
        `titleClicked`."""
        self._title.setObjectName(name)
        self._title.setAccessibleDescription(what)
        self._title.chevron = True
        self._title.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._title.updateGeometry()

    def open_below(self, menu: QMenu) -> None:
        """Open a menu below the name."""
        corner = QPoint(0, self._title.height() + 2)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(self._title.width() - menu.sizeHint().width())
        menu.popup(self._title.mapToGlobal(corner))

    def set_menu(self, menu: QMenu | None) -> None:
        """The menu of views behind the name; None = the name is only a name."""
        self._menu = menu
        self._title.chevron = menu is not None
        self._title.setFocusPolicy(Qt.FocusPolicy.StrongFocus if menu else Qt.FocusPolicy.NoFocus)
        self._title.updateGeometry()

    def add_action(self, action: QAction, kind: Kind = "quiet", icon: str = "", price: str = "") -> Button:
        """A button on the right that follows `action`; `icon` names its icon unless the action does."""
        if icon and not action.property(ICON_PROPERTY):
            action.setProperty(ICON_PROPERTY, icon)
        button = Button("", kind, icon, price=price)
        button.bind(action)
        if action.objectName():
            button.setObjectName(f"{action.objectName()}Button")
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Any widget, on the right."""
        self._row.addWidget(widget)

    def lead(self, widget: QWidget, pad: int) -> None:
        """Any widget in the place of the name, which has so many pixels of its own before its words."""
        self._title.hide()
        self._row.setContentsMargins(16 - pad, 4, 16, 0)
        self._row.insertWidget(0, widget)
        self._left += 1

    def add_left(self, widget: QWidget) -> None:
        """Any widget, after the counts."""
        self._row.insertWidget(self._left, widget)
        self._left += 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The name and the counts go before the keys of the buttons, and the name before their words."""
        shown = [button for button in self._buttons if not button.isHidden()]
        rest = self.width() - self._row.spacing() * len(shown)
        fair = (self._words_room(current().scaled(_FAIR)), self._words_room(0))
        fits = (n for n in range(_BRIEFEST) if sum(one.width_at(n) for one in shown) + fair[n] <= rest)
        brief = next(fits, _BRIEFEST)
        for button in self._buttons:
            button.set_brief(brief)
        # What is over is the counts' before it is the filter field's.
        over = max(0, rest - sum(one.width_at(brief) for one in shown) - fair[-1])
        least, liked = self._counts.minimumSizeHint().width(), self._counts.sizeHint().width()
        self._counts.setMinimumWidth(min(least + over, liked))

    def _words_room(self, fair: int) -> int:
        """What all but the buttons need; name and counts like to have more, up to what is fair."""
        margins, room = self._row.contentsMargins(), 0
        items = [self._row.itemAt(place) for place in range(self._row.count())]
        for widget in [item.widget() for item in items if item is not None]:
            if widget is None or widget.isHidden() or widget in self._buttons:
                continue
            least = widget.minimumSizeHint().width()
            least = least if widget is self._counts else max(widget.minimumWidth(), least)
            liked = min(widget.sizeHint().width(), fair) if widget in (self._title, self._counts) else 0
            room += max(least, liked) + self._row.spacing()
        return room + margins.left() + margins.right()

    def _open(self) -> None:
        if self._menu is None:
            self.titleClicked.emit()
        else:
            self.open_below(self._menu)
