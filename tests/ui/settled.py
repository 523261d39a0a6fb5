"""When all that a window shows is in its place."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from tests.support.turning import turn

TURN_MS, SAME_TURNS, MOST_TURNS = 20, 3, 60


def settle(window: QWidget) -> None:
    """Wait until nothing moves, comes or says something else any more."""
    seen, same = list[tuple[object, ...]](), 0
    for _ in range(MOST_TURNS):
        turn(TURN_MS)
        parts = [one for one in window.findChildren(QWidget) if one.isVisible()]
        now = [(one.geometry().getRect(), one.text() if isinstance(one, QLabel) else "") for one in parts]
        seen, same = now, same + 1 if now == seen else 0
        if same == SAME_TURNS:
            return
