"""Closing with unsent changes: said once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.dialogs import Dialog


class ClosingDialog(Dialog):
    """Close / Show / Cancel; `close` is called with whether not to say it again."""

    def __init__(
        self, words: str, close: Callable[[bool], None], look: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Close Pet Store?"), words, parent)
        self.setObjectName("closingDialog")
        self.never = CheckBox(tr("Don’t say this again"))
        self.never.setAccessibleName(tr("Don’t say this again"))
        self.set_divided(False)
        self.setMinimumWidth(current().scaled(480))
        self.add_footer(self.never)
        self.set_cancel(tr("Cancel"))
        self.show_button = self.add_button(tr("Show"))
        self.show_button.setObjectName("showButton")
        self.set_primary(tr("Close"))
        self.show_button.clicked.connect(self.reject)
        self.show_button.clicked.connect(look)
        self.accepted.connect(lambda: close(self.never.isChecked()))
