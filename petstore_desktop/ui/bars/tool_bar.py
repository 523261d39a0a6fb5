"""The row above a table: the view's name, its counts, and on the right what one can do, the actions of one page
among it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from petstore_desktop.ui.base.building import in_row, named, set_margins, short_lived
from petstore_desktop.ui.base.icons import ICON_PROPERTY, set_icon, tint
from petstore_desktop.ui.base.theme import current, to_say, tooltip
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, Kind, open_below
from petstore_desktop.ui.widgets.labels import LinkLabel, PaintedButton, PlainLabel
from petstore_desktop.ui.widgets.paint import Brush, elided

_PAD = 6
"""Around the name's words, for the ring when it has the keyboard."""
_LEAST, _FAIR, _LONGEST = 110, 120, 280
"""So wide (px at base 13) the name is at least, if it is that long; so much the counts have before anything is left
out; and so wide the name is at most."""
_STUB = 90
"""Pixels that a name keeps before an ending that is shown whole."""
_BRIEFEST = 2


class _Title(PaintedButton):
    """The view's name with a chevron when it opens a menu."""

    ring = 5
    keys = (*PaintedButton.keys, Qt.Key.Key_Down)

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        self.tail = ""
        self.chevron = False

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

    def draw(self, brush: Brush) -> None:
        theme = brush.theme
        width = brush.text(_PAD, self.shown(), theme.tone("text"), 15, 600)
        if self.chevron:
            brush.middle += 1
            brush.icon("chevron-down", _PAD + width + 4, theme.tone("muted"), 14)


class _Plan(Struct, frozen=True):
    """The layout: see `Button.set_brief`, whether the field is shown, how many buttons are in the menu."""

    brief: int
    field: bool
    away: int


def _wanted(button: Button) -> bool:
    action = button.action()
    return action is None or action.isVisible()


class ToolBar(QWidget):
    """The 46 px row of a view.

    Signals:
        titleClicked(): the name was clicked, or Down or Enter pressed on it.
    """

    titleClicked = Signal()

    _ready = False
    """Qt may call overrides before the Python object is made."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: list[Button] = []
        self._spare: tuple[Button, ...] = ()
        self._field: QLineEdit | None = None
        self._more: Button | None = None
        self._title, self._counts = _Title(), named(PlainLabel("", "muted", elide=True, tnum=True), "listCounts")
        self._name: QWidget = self._title
        self._title.clicked.connect(self.titleClicked)
        self._row = in_row(self, self._title, (self._counts, 1), margins=(16 - _PAD, 4, 16, 0), spacing=6)
        self._left = 2
        self.setFixedHeight(current().height(46))
        self._ready = True
        self._title.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """The view's name."""
        self._title.words = title
        self._title.setAccessibleName(to_say(title))
        self._title.setToolTip(tooltip(title))  # all of it, where there is no room for it
        self._title.updateGeometry()
        self._title.update()
        self._fit()

    def keep_whole(self, tail: str) -> None:
        """Keep this ending of a name visible: if there is no room, the part before it is cut."""
        self._title.tail = tail
        self._title.updateGeometry()
        self._fit()

    def set_counts(self, counts: str) -> None:
        """How many and how old: "212 of 1,904, as of 14:02"."""
        if counts != self._counts.text():
            self._counts.set_text(counts)
            self._fit()

    def title(self) -> str:
        """The view's name."""
        return self._title.words

    def set_opens(self, name: str, what: str) -> None:
        """The name opens something, said by `what`: it gets a chevron, the keyboard, and this objectName. See
        `titleClicked`."""
        self._title.setObjectName(name)
        self._title.setAccessibleDescription(to_say(what))
        self._title.chevron = True
        self._title.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._title.updateGeometry()

    def open_below(self, menu: QMenu) -> None:
        """Open a menu below the name."""
        open_below(self._title, menu)

    def add_action(self, action: QAction, kind: Kind = "quiet", icon: str = "") -> Button:
        """A button on the right that follows `action`; `icon` names its icon unless the action does."""
        if icon and not action.property(ICON_PROPERTY):
            action.setProperty(ICON_PROPERTY, icon)
        button = Button("", kind, icon)
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
        """Set a widget as the name; it has this many pixels of its own before its words."""
        self._title.hide()
        self._name = widget
        set_margins(self._row, (16 - pad, 4, 16, 0))
        self._row.insertWidget(0, widget)
        self._left += 1

    def add_left(self, widget: QWidget) -> None:
        """Any widget, after the counts."""
        self._row.insertWidget(self._left, widget)
        self._left += 1

    # -- what there is room for

    def give_way(self, field: QLineEdit, buttons: Sequence[Button]) -> None:
        """As room runs out, after the keys of all buttons these go into a menu, one after the other; then the field,
        unless something is typed in it."""
        self._field, self._spare = field, tuple(buttons)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._ready:  # something in it has other words now
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Keep the name and links whole: the counts are cut for them, and other parts left out."""
        if not self.isVisible():
            return
        plan, over = self._plan()
        going = self._going(plan)
        for button in self._buttons:
            button.set_brief(plan.brief)
            button.put_away(button in going)
        if self._field is not None:
            self._field.setVisible(plan.field)
        self._show_more(plan.away > 0)
        self._share(over)

    def _share(self, over: int) -> None:
        """Share spare room: first the counts, then the field get it; missing room is taken from the counts, then from
        the name, and last from the links."""
        liked, least = self._counts.sizeHint().width(), self._counts.minimumSizeHint().width()
        room = max(least, min(liked, self._fair() + over))
        self._counts.setMinimumWidth(room)
        lacking = max(0, room - self._fair() - over)
        for words in self._whole():
            hint = words.sizeHint().width()
            cut = min(lacking, hint - words.minimumSizeHint().width())
            words.setMinimumWidth(hint - cut)
            lacking -= cut

    def _fair(self) -> int:
        return min(self._counts.sizeHint().width(), current().scaled(_FAIR))

    def _plan(self) -> tuple[_Plan, int]:
        """The first that there is room for, or the least one; and the room that it leaves."""
        plan, *others = self._plans()
        over = self.width() - self._needs(plan)
        while others and over < 0:
            plan = others.pop(0)
            over = self.width() - self._needs(plan)
        return plan, over

    def _plans(self) -> list[_Plan]:
        """From everything to the least."""
        spare = len(list(filter(_wanted, self._spare)))
        plans = [_Plan(0, True, 0), _Plan(1, True, 0)]
        keeps = self._field is not None and (bool(self._field.text()) or self._field.hasFocus())
        plans += [_Plan(1, True, away) for away in range(1, spare + 1)]
        if not keeps:
            plans.append(_Plan(1, False, spare))
        return [*plans, _Plan(_BRIEFEST, keeps, spare)]

    def _going(self, plan: _Plan) -> list[Button]:
        """The buttons that are in the menu."""
        return list(filter(_wanted, self._spare))[: plan.away]

    def _needs(self, plan: _Plan) -> int:
        margins = self._row.contentsMargins()
        # Never by `itemAt`: what PySide makes of an item outlives it, and stands for whatever comes to its place.
        parts = [child for child in self.children() if isinstance(child, QWidget) and self._row.indexOf(child) >= 0]
        going, whole = self._going(plan), self._whole()
        shown = [width for part in parts if (width := self._width_of(part, plan, going, whole))]
        return sum(shown) + self._row.spacing() * (len(shown) - 1) + margins.left() + margins.right()

    def _width_of(self, widget: QWidget, plan: _Plan, going: list[Button], whole: list[QWidget]) -> int:
        """Pixels that a part has at least under this plan; 0 where it is not shown."""
        if isinstance(widget, Button) and widget in self._buttons:
            return widget.width_at(plan.brief) if _wanted(widget) and widget not in going else 0
        if widget is self._more or widget is self._field:
            shown = plan.away > 0 if widget is self._more else plan.field
            return max(widget.minimumWidth(), widget.minimumSizeHint().width()) if shown else 0
        if widget.isHidden():
            return 0
        if widget is self._counts:
            return self._fair()
        if widget in whole:
            return widget.sizeHint().width()
        return max(widget.minimumWidth(), widget.minimumSizeHint().width())

    def _whole(self) -> list[QWidget]:
        """The words that are never cut where there is any other way: the name, and links beside it."""
        return [self._name, *self.findChildren(LinkLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)]

    def _show_more(self, shown: bool) -> None:
        if self._more is None and shown:
            self._more = more = named(Button(tr("More actions"), "icon", "more"), "moreActionsButton")
            more.clicked.connect(lambda: open_below(more, self.menu_of_more(), from_end=True))
            self._row.addWidget(more)
        if self._more is not None:
            self._more.setVisible(shown)

    def menu_of_more(self) -> QMenu:
        """The actions for which there is no room."""
        menu = short_lived(QMenu(self))
        actions = [button.action() for button in self._spare if button.isHidden() and _wanted(button)]
        menu.addActions([action for action in actions if action is not None])
        tint(menu.actions())
        return menu

    def place_of(self, button: Button) -> QWidget:
        """Where what belongs to a button can be opened: at the button, or at the menu that it is in."""
        return self._more if button.isHidden() and self._more is not None else button


def page_action(page: QWidget, name: str, text: str, icon: str, do: Callable[[], object]) -> QAction:
    """Made for `page`, which owns it. `name` is its objectName; `icon` may be empty."""
    action = QAction(text, page)
    action.setObjectName(name)
    if icon:
        set_icon(action, icon)
    action.triggered.connect(lambda _checked=False: do())
    return action
