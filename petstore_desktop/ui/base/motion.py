"""Whether anything moves by itself: menus and tool tips that fade in, a caret that blinks, the ring around a pause.

The system is asked after the first paint, in the background, and again whenever the program comes to the front.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base.system_motion import system_is_still

_still: list[bool] = []


def is_still() -> bool:
    """Whether nothing is to move by itself."""
    return bool(_still)


class Motion(QObject):
    """Applies the person's choice, or the system's, to the whole program.

    Signals:
        changed(): it is another now.
    """

    changed = Signal()

    def __init__(self, application: QApplication, preference: str, background: Background) -> None:
        """`preference`: "on", "off", or anything else for the system's."""
        super().__init__(application)
        self._application = application
        self._background = background
        self._preference, self._system = preference, False
        self._effects = QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
        self._flash = application.cursorFlashTime()
        self._apply()

    def choose(self, preference: str) -> None:
        """Choose whether things move; applied at once."""
        self._preference = preference
        self._apply()

    def follow_system(self) -> None:
        """Ask the system now, and whenever the program comes to the front."""
        self._application.applicationStateChanged.connect(self._state_changed)
        self._ask()

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self._ask()

    def _ask(self) -> None:
        self._background.run(system_is_still, self._told)

    def _told(self, still: bool) -> None:
        self._system = still
        self._apply()

    def _apply(self) -> None:
        still = self._preference == "off" or (self._preference != "on" and self._system)
        if still == is_still():
            return
        _still[:] = [True] if still else []
        QApplication.setEffectEnabled(Qt.UIEffect.UI_General, self._effects and not still)
        self._application.setCursorFlashTime(0 if still else self._flash)
        self.changed.emit()
