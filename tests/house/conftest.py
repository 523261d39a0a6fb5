"""Leaves out what cannot be asked: Debian's packages on another system, the program's start before it has a window."""

import sys

from tests.house.trees import ROOT

collect_ignore = [
    *([] if sys.platform == "linux" else ["test_machine.py"]),
    *([] if (ROOT / "petstore_desktop" / "app.py").exists() else ["test_start.py"]),
]
