"""The Python objects that stand for items of layouts: Qt deletes such an item with its widget, and PySide does not see
it, so that the object is then taken for whatever Qt makes at the same address."""

from __future__ import annotations

import sys


def kept_layout_items() -> list[str]:
    """The kinds of those that there are, layouts aside, whose end PySide sees."""
    widgets, shiboken = sys.modules.get("PySide6.QtWidgets"), sys.modules.get("shiboken6")
    if widgets is None or shiboken is None:
        return []
    kept = [one for one in shiboken.getAllValidWrappers() if isinstance(one, widgets.QLayoutItem)]
    return sorted(type(one).__name__ for one in kept if not isinstance(one, widgets.QLayout))
