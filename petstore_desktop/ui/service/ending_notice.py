"""The one notice that an operation of the service ends within a month: said when somebody is there and nothing else is
said, and not again for that operation and that day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from petstore_desktop.desk.model.capabilities import endings
from petstore_desktop.ui.context.window_context import Message
from petstore_desktop.ui.text.errors.deprecations import notice_words

if TYPE_CHECKING:
    from petstore_desktop.contract.lifecycle.sunset import Ending
    from petstore_desktop.contract.model import Op
    from petstore_desktop.ui.window.main_window import MainWindow

LOOK_MS = 3_000
"""How often it is looked whether the notice can be said."""
DAY_MS = 3_600_000
"""How often it is looked whether another day has brought one."""


class EndingNotice(QObject):
    """Looks again after each contract, and each hour."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._soon = QTimer(self, interval=LOOK_MS, singleShot=True)
        self._soon.timeout.connect(self.look)
        self._hourly = QTimer(self, interval=DAY_MS)
        self._hourly.timeout.connect(self.look)
        self._hourly.start()
        self._soon.start()

    def look(self) -> None:
        """Say what is due, or try again in a moment where nobody would see it."""
        near = self._near()
        if not near:
            return
        window = self._window
        if not window.isActiveWindow() or window.later.telling.toast.isVisible() or window.later.watching.is_busy():
            self._soon.start()
            return
        window.parts.say(Message(notice_words(tuple(near.items())), "deprecated"))
        window.state.notice({op.value: str(ending.day) for op, ending in near.items()})

    def _near(self) -> dict[Op, Ending]:
        """What ends soon and was not said yet."""
        desk, said = self._window.shop.desk, self._window.state.noticed
        found = endings(desk.shop, desk.contract, desk.service_day())
        return {op: one for op, one in found.items() if one.is_near and said.get(op.value) != str(one.day)}
