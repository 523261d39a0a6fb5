"""The program's own icons: one-colour SVG drawings, tinted, rendered at the screen's resolution and kept.

Each drawing is a 16 x 16 grid with strokes of 1.5 and the placeholder ``C`` where its colour goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPalette, QPixmap, QTransform
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from petstore_desktop import resources

_VIEWS = "paw box receipt tag sun tray-up"
_ACTIONS = (
    "search menu close more columns pencil plus import export print receive stocktake labels refresh chevron-down "
    "chevron-right chevron-up sort-up sort-down copy undo trash check link external info warning arrow calendar falling"
)
STATUS = ("available", "pending", "sold", "complete", "open", "overdue", "unknown")
MARKS = ("saved", "sending", "sent", "refused", "conflict", "uncertain")
_STATES = "low none-left pause live offline as-of lock rehearsal beta experimental deprecated"
NAMES: frozenset[str] = frozenset((*_VIEWS.split(), *_ACTIONS.split(), *STATUS, *MARKS, *_STATES.split(), "app"))
DIRECTED = frozenset({"arrow", "chevron-right", "external", "falling", "undo"})
"""Icons that point along the reading direction: mirrored where text runs from right to left."""
ICON_PROPERTY = "iconName"
"""Dynamic property of a QAction that names its icon."""
_CACHE_LIMIT = 2048
_ICON_SIZE = 16
_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)
_pixmaps: dict[tuple[str, int, int, float, bool], QPixmap] = {}


@cache
def _source(name: str) -> str:
    if name not in NAMES:
        raise KeyError(f"no icon is called {name!r}")
    return resources.path("icons", f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, color: QColor | str, size: int = 16, dpr: float = 1.0, mirrored: bool = False) -> QPixmap:
    """The icon `name` in one colour, `size` logical pixels square, for a screen of `dpr` device pixels each.

    Raises KeyError for a name that is not in NAMES.
    """
    shade = color if isinstance(color, QColor) else QColor(color)
    key = (name, shade.rgba(), size, dpr, mirrored)
    found = _pixmaps.get(key)
    if found is None:
        if len(_pixmaps) >= _CACHE_LIMIT:
            _pixmaps.clear()
        found = _pixmaps[key] = _render(name, shade, size, dpr, mirrored)
    return found


def _render(name: str, color: QColor, size: int, dpr: float, mirrored: bool) -> QPixmap:
    source = _source(name).replace('"C"', f'"{color.name()}"')
    renderer = QSvgRenderer(QByteArray(source.encode()))
    side = max(1, round(size * dpr))
    canvas = QPixmap(side, side)
    canvas.fill(Qt.GlobalColor.transparent)
    painter = QPainter(canvas)
    painter.setOpacity(color.alphaF())
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    if mirrored:
        canvas = canvas.transformed(QTransform.fromScale(-1, 1))
    canvas.setDevicePixelRatio(dpr)
    return canvas


def icon(name: str) -> QIcon:
    """A QIcon in the palette's present text colours: enabled, disabled, and of the entry of a menu that is chosen.

    A QIcon does not follow a later palette: menus call `tint` whenever they open.
    """
    palette = QApplication.palette()
    role = QPalette.ColorRole.WindowText
    normal = palette.color(QPalette.ColorGroup.Active, role)
    disabled = palette.color(QPalette.ColorGroup.Disabled, role)
    chosen = palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.HighlightedText)
    made = QIcon()
    for dpr in (1.0, 2.0):
        made.addPixmap(pixmap(name, normal, _ICON_SIZE, dpr), QIcon.Mode.Normal)
        made.addPixmap(pixmap(name, disabled, _ICON_SIZE, dpr), QIcon.Mode.Disabled)
        made.addPixmap(pixmap(name, chosen, _ICON_SIZE, dpr), QIcon.Mode.Active)
    return made


def app_icon() -> QIcon:
    """The program's own icon in its own colours, for the window and the task bar."""
    made = QIcon()
    for size in _APP_SIZES:
        made.addPixmap(pixmap("app", "black", size))
    return made


def set_icon(action: QAction, name: str) -> None:
    """Give `action` the icon `name` in such a way that buttons bound to it know it, and menus once they open.

    Nothing is drawn for it yet: the first paint would wait for dozens of drawings that are not shown yet.
    """
    action.setProperty(ICON_PROPERTY, name)


def tint(actions: Iterable[QAction]) -> None:
    """Give actions the icons that their property names, in the palette of the moment."""
    for action in actions:
        name = action.property(ICON_PROPERTY)
        if isinstance(name, str):
            action.setIcon(icon(name) if name else QIcon())
