"""What was copied does not take the program down when it ends."""

import os
import subprocess
import sys

PROGRAM = """
from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtWidgets import QApplication
from petstore_desktop.ui.copying import put
application = QApplication([])
mime = QMimeData()
mime.setText("Rex")
put(mime)
assert application.clipboard().text() == "Rex"
QTimer.singleShot(0, application.quit)
raise SystemExit(application.exec())
"""


def test_a_program_that_copied_ends_well_without_a_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, timeout=60, check=False
    )
    assert done.returncode == 0
