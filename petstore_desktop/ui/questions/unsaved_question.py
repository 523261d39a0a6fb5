"""Asks before corrections made in a dialog are lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog, show


def ask_before_leaving(parent: QWidget, name: str, title: str, mended: int, leave: Callable[[], object]) -> None:
    """Ask before this many corrected cells are lost; `leave` is called if confirmed. `name`: the question's object
    name."""
    words = tr("You corrected {n} cells.", "", mended, one="You corrected one cell.")
    question = Dialog(title, f"{words} {tr('The corrections will be lost.')}", parent)
    question.setObjectName(name)
    question.setMinimumWidth(current().scaled(440))
    question.set_divided(False)
    stay = question.set_cancel(tr("Keep editing"))
    question.set_primary(tr("Close"))
    stay.setFocus()
    question.accepted.connect(leave)
    show(question)
