"""Takes away what is shown of a state that is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import timer

_ASK_MS: Final = 100


class WhileTrue:
    """Hides a widget as soon as what it says is so no longer. It asks for itself, while the widget is shown: whatever
    moved the state (an undo, a key, an answer, another page) need not know of what is shown of it."""

    def __init__(self, widget: QWidget, hide: Callable[[], object]) -> None:
        self._widget, self._hide = widget, hide
        self._still: Callable[[], bool] | None = None
        self._timer = timer(widget, _ASK_MS, self._ask)

    def hold(self, still: Callable[[], bool] | None) -> None:
        """What is shown from now on holds while this is true; None: always."""
        self._still = still
        if still is None:
            self._timer.stop()
        else:
            self._timer.start()

    def _ask(self) -> None:
        if self._still is None or self._widget.isHidden():
            self._timer.stop()
        elif not self._still():
            self._timer.stop()
            self._hide()
