"""The strip above the lists that says that the program did not end as it should; it takes neither keyboard nor time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import sentences, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import brush_on

_HEIGHT = 36


def ended_words() -> tuple[str, str]:
    """What happened, and what is safe."""
    return (
        tr("Pet Store Desktop did not end as it should the last time."),
        tr("What you saved is safe. This report stays on this computer; it holds no key and no record."),
    )


class CrashStrip(QWidget):
    """`look` shows the report, which a person has seen then; `seen` is called where the strip is closed instead."""

    def __init__(self, look: Callable[[], object], seen: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._seen = look, seen
        named(self, "crashStrip", to_say(sentences(*ended_words())))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(current().height(_HEIGHT))
        words = PlainLabel(sentences(ended_words()[0], tr("What you saved is safe.")), "text", wrap=True)
        details = on_click(Button(tr("Show the report"), "quiet"), self._show, "showCrashReport")
        close = on_click(Button(tr("Close"), "icon", "close"), self._close, "closeCrashStrip")
        middle = in_column(None, "stretch", words, "stretch")
        in_row(self, (middle, 1), 10, details, 4, close, margins=(16, 3, 8, 3))

    def tell(self) -> None:
        """Have it read out once."""
        announce(self, self.accessibleName())

    def _show(self) -> None:
        self._go()
        self._look()

    def _close(self) -> None:
        self._go()
        self._seen()

    def _go(self) -> None:
        self.hide()
        self.deleteLater()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.painter.fillRect(self.rect(), brush.theme.tint("wait"))
