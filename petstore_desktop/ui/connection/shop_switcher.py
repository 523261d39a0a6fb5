"""The other shops in a window: the list to choose from, what they have unsent, and their news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from petstore_desktop.ui.base.building import named, short_lived
from petstore_desktop.ui.base.icons import tint
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.connection.shop_texts import elsewhere_words, news_words, standing_words
from petstore_desktop.ui.context.message import Message, Say

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.ui.context.ports_shops import ShopFacts, ShopNews, ShopsPort

_ICONS = {"needs": "conflict"}


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
        menu = short_lived(named(QMenu(self._window), "shopChooser"))
        for shop in self._port.all():
            action = self._entry(shop, menu)
            menu.addAction(action)
            if shop.shown:
                menu.setActiveAction(action)
        menu.addSeparator()
        menu.addAction(connect)
        tint(menu.actions())
        corner = anchor.mapToGlobal(QPoint(0, 0))
        if anchor.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(corner.x() + anchor.width() - menu.sizeHint().width())
        menu.popup(QPoint(corner.x(), corner.y() - menu.sizeHint().height() - 2))
        return menu

    def _entry(self, shop: ShopFacts, menu: QMenu) -> QAction:
        said = standing_words(shop)
        name = plain(shop.name).replace("&", "&&")
        action = QAction(f"{name}\t{said}" if said else name, menu)
        if shop.colour:
            action.setIcon(colour_icon(shop.colour, self._window.devicePixelRatioF()))
        slug = shop.slug
        action.triggered.connect(lambda _checked=False: self._port.open(slug))
        return action


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
