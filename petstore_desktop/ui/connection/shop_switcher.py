"""The other shops in a window: the list to choose from, how each stands and what it has unsent, and their news."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget
from shiboken6 import isValid

from petstore_desktop.desk.values.text import fold
from petstore_desktop.ui.base.building import named, short_lived, timer
from petstore_desktop.ui.base.icons import tint
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.text.translate import counted_changes, needs_words, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.ui.context.ports import ShopFacts, ShopNews, ShopsPort


def standing_words(shop: ShopFacts) -> str:
    """The note beside a shop's name in the list, such as `3 unsent, 1 needs attention`; may be empty."""
    troubles = {"key": tr("needs a key"), "banned": tr("key banned"), "failed": tr("stopped")}
    parts = [tr("in this window")] if shop.shown else []
    if shop.trouble:
        parts.append(troubles[shop.trouble])
    if shop.unsent:
        parts.append(tr("{n} unsent", "", shop.unsent))
    if shop.needs:
        parts.append(needs_words(shop.needs))
    if shop.read_only:
        parts.append(tr("read-only"))
    return tr(", ", "between parts of a line").join(parts)


def elsewhere_words(shops: Sequence[ShopFacts]) -> tuple[str, bool]:
    """What the status bar says of the other shops, and whether one of them needs a person; empty where nothing waits
    there."""
    others = [shop for shop in shops if not shop.shown]
    stuck = [shop for shop in others if shop.needs or (shop.trouble and shop.unsent)]
    if len(stuck) == 1:
        return tr("{shop} needs attention", shop=_name(stuck[0].name)), True
    if stuck:
        return tr("{n} other shops need attention", "", len(stuck)), True
    unsent = sum(shop.unsent for shop in others if shop.works)
    return (tr("{n} unsent elsewhere", "", unsent), False) if unsent else ("", False)


def news_words(news: ShopNews) -> str:
    """What happened at a shop that is not in the window."""
    shop, n = _name(news.name), news.count
    return {
        "needs": tr("{shop}: {n} changes need attention", "", n, one="{shop}: {n} change needs attention", shop=shop),
        "not-saved": tr("{shop}: your last change could not be saved", shop=shop),
        "damaged": tr("{shop}: the file of your changes was damaged", shop=shop),
        "banned": tr("{shop}: the key is banned for a while; unsent changes wait", shop=shop),
        "failed": tr("{shop}: sending has stopped; unsent changes are kept", shop=shop),
        "key": tr("{shop}: a key is needed; unsent changes wait", shop=shop),
    }[news.kind]


def unsent_elsewhere_words(shops: Sequence[ShopFacts]) -> list[str]:
    """At closing: what other shops that are at work have not sent yet, a sentence each."""
    return [
        tr("{shop}: {changes} unsent.", shop=_name(shop.name), changes=counted_changes(shop.unsent))
        for shop in shops
        if shop.works and shop.unsent and not shop.shown
    ]


def _name(name: str) -> str:
    return isolate(plain(name))


_ICONS = {"needs": "conflict"}
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_FORGET_MS = 1_000
"""After a pause in typing a new name begins."""


class OtherShops(QObject):
    """Listens as long as its window is the one that is shown. `show` shows in the status bar how the others stand."""

    def __init__(self, shops: ShopsPort, show: Callable[[str, bool], object], say: Say, window: QWidget) -> None:
        super().__init__(window)
        self._port, self._show, self._say, self._window = shops, show, say, window
        self._port.listen(self.update, self._tell)
        self.update()

    def update(self) -> None:
        """Say in the status bar how the others stand."""
        if isValid(self):
            self._show(*elsewhere_words(self._port.all()))

    def _tell(self, news: ShopNews) -> None:
        if isValid(self):
            self._say(Message(news_words(news), _ICONS.get(news.kind, "warning"), shop=news.slug))

    def choose(self, anchor: QWidget, connect: QAction) -> QMenu:
        """Open the list above the shop's name; `connect` connects another shop."""
        menu = short_lived(named(ShopMenu(self._window), "shopChooser"))
        shops = self._port.all()
        for shop in shops:
            action = self._entry(shop, menu)
            menu.addAction(action)
            if shop.shown:
                menu.setActiveAction(action)
        menu.addSeparator()
        menu.addAction(connect)
        if not any(shop.demo for shop in shops):
            menu.addAction(tr("Open the demo shop"), self._port.show_demo)
        tint(menu.actions())
        corner = anchor.mapToGlobal(QPoint(0, 0))
        if anchor.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(corner.x() + anchor.width() - menu.sizeHint().width())
        menu.popup(QPoint(corner.x(), corner.y() - menu.sizeHint().height() - 2))
        return menu

    def _entry(self, shop: ShopFacts, menu: ShopMenu) -> QAction:
        said = standing_words(shop)
        name = plain(shop.name).replace("&", "&&")
        action = QAction(f"{name}\t{said}" if said else name, menu)
        if shop.colour:
            action.setIcon(colour_icon(shop.colour, self._window.devicePixelRatioF()))
        action.setData(fold(name))
        slug = shop.slug
        action.triggered.connect(lambda _checked=False: self._port.open(slug))
        return action


class ShopMenu(QMenu):
    """A list of shops, of which what is typed finds one: by the beginning of its name, else by any part."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typed = ""
        self._forget = timer(self, _FORGET_MS, self._begin_anew, once=True)

    def _begin_anew(self) -> None:
        self._typed = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text, held = event.text(), event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | _KEYPAD)
        if held or not text.isprintable() or not (text.strip() or (text and self._typed)):
            super().keyPressEvent(event)
            return
        self._typed += text
        self._forget.start()
        if (found := self._named(fold(self._typed))) is not None:
            self.setActiveAction(found)

    def _named(self, typed: str) -> QAction | None:
        names = [(str(action.data()), action) for action in self.actions() if action.data()]
        begins = (action for name, action in names if name.startswith(typed))
        return next(begins, next((action for name, action in names if typed in name), None))


def colour_icon(colour: str, ratio: float) -> QIcon:
    """A connection's mark for a menu."""
    side = current().scaled(16)
    pixmap = QPixmap(round(side * ratio), round(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(side * 0.19, side * 0.19, side * 0.62, side * 0.62), 3, 3)
    painter.end()
    return QIcon(pixmap)
