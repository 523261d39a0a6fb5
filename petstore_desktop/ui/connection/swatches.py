"""A connection's colour: a few swatches, each with its name. It is a mark beside the name, never instead of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import PlainLabel, set_tip
from petstore_desktop.ui.widgets.paint import brush_on, draw_icon, fill_round

SWATCHES: tuple[tuple[str, Callable[[], str]], ...] = (
    ("", lambda: tr("No colour")),
    ("#4A7DE0", lambda: tr("Blue")),
    ("#1F8F8A", lambda: tr("Teal")),
    ("#3F9150", lambda: tr("Green")),
    ("#83862A", lambda: tr("Olive")),
    ("#B87A14", lambda: tr("Amber")),
    ("#CE5F3B", lambda: tr("Rust")),
    ("#D15A86", lambda: tr("Rose")),
    ("#9168D8", lambda: tr("Violet")),
    ("#74808E", lambda: tr("Slate")),
)
"""Each at least 3:1 against every plane that it stands on, light and dark (WCAG 2.2, 1.4.11)."""
_SIDE, _MARK = 28, 16


class _Swatch(QAbstractButton):
    """One colour, or none."""

    def __init__(self, colour: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.colour = colour
        self.setCheckable(True)
        self.setAccessibleName(to_say(name))
        set_tip(self, name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        side = current().scaled(_SIDE)
        self.setFixedSize(QSize(side, side))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, painter, side = brush.theme, brush.painter, brush.theme.scaled(_MARK)
            mark = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
            if self.isChecked():
                brush.panel(theme.color("filtered"), 6)
            if self.colour:
                fill_round(painter, mark, 4, QColor(self.colour))
            else:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(theme.color("control"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(mark, 4, 4)
            if self.isChecked():
                tone = QColor("#FFFFFF") if self.colour else theme.color("text")
                draw_icon(painter, "check", mark.x() + 1, mark.y() + 1, tone, side - 2)
            if self.hasFocus():
                brush.ring(theme.color("accent"), 6)


class SwatchField(QWidget):
    """A label, the swatches, and the name of the chosen one. The arrow keys walk, as in any group of choices."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(to_say(label))
        self._group = QButtonGroup(self)
        self._swatches: list[_Swatch] = []
        self._name = PlainLabel("", "muted", 12)
        self._row = in_row(None, 8, (self._name, 1))
        for colour, name in SWATCHES:
            self._add(_Swatch(colour, name(), self))
        in_column(self, PlainLabel(label), self._row, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group.buttonClicked.connect(self._chosen)
        self.set_value("")

    def _add(self, swatch: _Swatch) -> None:
        self._group.addButton(swatch)
        self._row.insertWidget(len(self._swatches), swatch)
        self._swatches.append(swatch)

    def value(self) -> str:
        """The chosen colour, `#RRGGBB`; empty for none."""
        return next((swatch.colour for swatch in self._swatches if swatch.isChecked()), "")

    def set_value(self, colour: str) -> None:
        """Choose this one; one that is not offered gets a swatch of its own."""
        if all(swatch.colour != colour for swatch in self._swatches):
            self._add(_Swatch(colour, colour, self))
        for swatch in self._swatches:
            if swatch.colour == colour:
                swatch.setChecked(True)
                self._name.set_text(swatch.accessibleName())

    def _chosen(self, swatch: QAbstractButton) -> None:
        self._name.set_text(swatch.accessibleName())
