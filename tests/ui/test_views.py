"""Views in the window."""

from __future__ import annotations

from petstore_desktop.ui.main_window import MainWindow
from tests.ui.conftest import tab_of


def test_opening_a_view_shows_its_list_sorted_as_it_says(window: MainWindow) -> None:
    views = window.parts.views
    overdue = next(view for view in views.all() if view.name == "Overdue orders")
    views.open(overdue)
    tab = tab_of(window)
    assert (tab.resource.value, tab.table.sort) == ("orders", (("ship_date", False),))
