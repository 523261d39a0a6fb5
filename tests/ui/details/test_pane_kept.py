"""What a details pane shows already is not laid out again."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.cells.pane_parts import ChangeRow
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailsPane
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel

ENTRY = ChangeEntry(
    "unsent", "In stock", "24", "36", "Saved on this computer, not sent.", actions=(("discard", "Discard"),)
)


def made(qtbot: QtBot) -> DetailsPane:
    """A pane with one change, one line of history and one button."""
    pane = DetailsPane()
    qtbot.addWidget(pane)
    pane.set_changes([ENTRY])
    pane.set_history([replace(ENTRY, actions=())], "All in Activity")
    pane.set_actions([QAction("Complete", pane)], "1 request")
    return pane


def test_the_same_changes_keep_their_rows(qtbot: QtBot) -> None:
    pane = made(qtbot)
    before = pane.findChildren(ChangeRow)
    assert len(before) == 2
    pane.set_changes([replace(ENTRY)])
    pane.set_history([replace(ENTRY, actions=())], "All in Activity")
    assert pane.findChildren(ChangeRow) == before


def test_another_change_is_shown(qtbot: QtBot) -> None:
    pane = made(qtbot)
    before = pane.findChildren(ChangeRow)
    pane.set_changes([replace(ENTRY, after="40")])
    assert pane.findChildren(ChangeRow) != before
    assert "40" in [label.text() for label in pane.findChildren(PlainLabel)]


def test_the_same_actions_keep_their_buttons(qtbot: QtBot) -> None:
    pane = made(qtbot)
    (action,) = (one for one in pane.findChildren(QAction) if one.text() == "Complete")
    before = pane.findChildren(Button)
    pane.set_actions([action], "1 request")
    assert pane.findChildren(Button) == before
    pane.set_actions([action], "2 requests")
    assert pane.findChildren(Button) != before
