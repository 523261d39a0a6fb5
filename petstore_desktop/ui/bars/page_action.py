"""An action of one page of the activity, which stands in the tool bar and in the menus of its rows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.icons import set_icon


def page_action(page: QWidget, name: str, text: str, icon: str, do: Callable[[], object]) -> QAction:
    """Made for `page`, which owns it. `name` is its objectName; `icon` may be empty."""
    action = QAction(text, page)
    action.setObjectName(name)
    if icon:
        set_icon(action, icon)
    action.triggered.connect(lambda _checked=False: do())
    return action
