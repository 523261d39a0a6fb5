"""Shows main windows and a welcome page on the screen of this process, and says whether they are inside. Not a test.

python -m tests.ui.first_start TEXT_SCALE STATE...    (what was kept of each window, as JSON)
"""

import json
import sys

from PySide6.QtWidgets import QApplication

from petstore_desktop.tour.pilot import wait
from petstore_desktop.ui.base.first_paint import USUAL_FRAME, screen_of
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.connection.welcome import WelcomePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingApp, RecordingShop


def main(text: float, states: list[str]) -> None:
    """Show all, one after the other, in letters so many times as large as usual."""
    application = QApplication([])
    font = application.font()
    font.setPointSizeF(font.pointSizeF() * text)
    application.setFont(font)
    _themes = ThemeController(application, "light")
    app = RecordingApp()
    windows = [MainWindow(RecordingShop(state=json.loads(state)), app) for state in states]
    for one in (*windows, WelcomePage(app)):
        asked = one.geometry()
        one.show()
        wait(100)
        screen = screen_of(one)
        room = screen.marginsRemoved(USUAL_FRAME).size()
        is_inside = screen.contains(one.frameGeometry()) and asked.size().boundedTo(room) == asked.size()
        place = "inside" if is_inside else f"asks for {asked}, is at {one.frameGeometry()} on {screen}"
        sys.stdout.write(f"{one.objectName()} {place}\n")
        one.hide()
    for window in windows:
        window.close_now = True


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
