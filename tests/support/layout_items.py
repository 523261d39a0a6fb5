"""The Python objects that stand for items of layouts: Qt deletes such an item with its widget, and PySide does not see
it, so that the object is then taken for whatever Qt makes at the same address."""

from __future__ import annotations

import sys
from collections import Counter


def kept_layout_items() -> list[str]:
    """The kinds of those that there are, layouts aside, whose end PySide sees."""
    widgets, shiboken = sys.modules.get("PySide6.QtWidgets"), sys.modules.get("shiboken6")
    if widgets is None or shiboken is None:
        return []
    kinds = Counter(map(type, shiboken.getAllValidWrappers()))
    kept = Counter({kind: many for kind, many in kinds.items() if issubclass(kind, widgets.QLayoutItem)})
    return sorted(kind.__name__ for kind in kept.elements() if not issubclass(kind, widgets.QLayout))
