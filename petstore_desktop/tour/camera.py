"""Takes pictures of the screen: the window with its dialogs, menus and tool tips."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.tour.pilot import StepFailed
from petstore_desktop.ui.base.theme import current

_NESTED = 5
_ORDER = {Qt.WindowType.Dialog: 1, Qt.WindowType.Popup: 2, Qt.WindowType.ToolTip: 3}


class Camera:
    """Writes numbered PNGs below `folder`, each picture once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, str] = {}

    def take(self, base: QWidget, number: int, name: str) -> str:
        """Write `07-name.png` and return that file name. Raises NotSo if an earlier picture shows the same."""
        image = compose(base)
        file = f"{number:02}-{name}.png"
        if not image.save(str(self.folder / file)):
            raise StepFailed(f"the picture {file} cannot be written")
        digest = hashlib.sha256(bytes(image.constBits())).hexdigest()
        earlier = self._seen.setdefault(digest, file)
        if earlier != file:
            raise StepFailed(f"the picture {file} is the same as {earlier}")
        return file


def compose(base: QWidget) -> QImage:
    """What a person sees of `base` and of everything that is open above it."""
    for _ in range(_NESTED):  # what is laid out anew may ask what it holds to be laid out too
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    image = base.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for widget in _above(base):
        place = _place(base, widget)
        painter.drawPixmap(place, widget.grab())
        if widget.windowType() is Qt.WindowType.Dialog:
            # Where there is no window manager a dialog has no frame.
            painter.setPen(current().color("line"))
            painter.drawRect(place.x() - 1, place.y() - 1, widget.width() + 1, widget.height() + 1)
    painter.end()
    return image


def _above(base: QWidget) -> list[QWidget]:
    shown = [
        widget
        for widget in QApplication.topLevelWidgets()
        if widget is not base and widget.isVisible() and widget.windowType() in _ORDER
    ]
    return sorted(shown, key=lambda widget: _ORDER[widget.windowType()])


def _place(base: QWidget, widget: QWidget) -> QPoint:
    """Where it lies on the base, moved inside if the screen has put it elsewhere."""
    at = base.mapFromGlobal(widget.mapToGlobal(QPoint(0, 0)))
    x = min(max(at.x(), 0), max(0, base.width() - widget.width()))
    y = min(max(at.y(), 0), max(0, base.height() - widget.height()))
    return QPoint(x, y)
