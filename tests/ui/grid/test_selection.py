"""Selected rows and cells are counted by their ranges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractTableModel, QItemSelection, QItemSelectionModel, QModelIndex, Qt
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.grid.grid_view import GridView
from petstore_desktop.ui.grid.selection import RowSet, Settled, selected_block, selected_count, selected_rows

spans = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 8)).map(lambda one: (one[0], one[0] + one[1])), max_size=8
)
_Flag = QItemSelectionModel.SelectionFlag
MILLION = 1_000_000


@given(spans)
def test_a_row_set_is_the_sorted_list_of_its_rows(found: list[tuple[int, int]]) -> None:
    plain = sorted({row for first, last in found for row in range(first, last + 1)})
    rows = RowSet(found)
    assert list(rows) == plain
    assert len(rows) == len(plain)
    assert rows[:5] == plain[:5]
    assert [rows[place] for place in range(-len(plain), len(plain))] == plain * 2
    assert [rows.place(row) for row in plain] == list(range(len(plain)))
    assert rows == RowSet((row, row) for row in reversed(plain))
    assert all((row in rows) == (row in plain) for row in range(50))


class Long(QAbstractTableModel):
    """A million rows; counts what is asked of them."""

    asked = 0

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else MILLION

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else 5

    def data(self, index: QModelIndex, role: int = 0) -> object:
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        self.asked += 1
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def test_a_million_selected_rows_are_counted_moved_and_left_without_asking_about_each(qtbot: QtBot) -> None:
    view, model = GridView(), Long()
    qtbot.addWidget(view)
    view.setModel(model)
    view.set_gutter(0)
    with qtbot.waitExposed(view):
        view.show()
    picked, dropped = view.selectionModel(), list[object]()
    view.selectionDropped.connect(dropped.append)
    for last in (MILLION - 1, MILLION - 2):
        view.setCurrentIndex(model.index(3, 2))
        picked.select(QItemSelection(model.index(0, 0), model.index(last, 4)), _Flag.ClearAndSelect)
        assert selected_count(view) == last + 1
        block = selected_block(view)
        assert block is not None
        assert block.columns == (1, 2, 3, 4)
        model.layoutAboutToBeChanged.emit()
        model.layoutChanged.emit()
        view.grab()
    assert model.asked < 5000
    assert list(selected_rows(view)) == [3]  # which of so many went where is not asked: the current one stays
    assert dropped == [MILLION - 1]  # of the first time all rows were selected, and still are
    view.setModel(None)


def test_cells_of_a_column_in_rows_apart_are_a_block_and_ragged_ones_are_not(qtbot: QtBot) -> None:
    view, model = GridView(), Long()
    qtbot.addWidget(view)
    view.setModel(model)
    picked = view.selectionModel()
    for row in (3, 9, 10):
        picked.select(model.index(row, 2), _Flag.Select)
    block = selected_block(view)
    assert block is not None
    assert (block.rows.spans, block.columns, block.single) == (((3, 3), (9, 10)), (2,), False)
    picked.select(model.index(3, 4), _Flag.Select)
    assert selected_block(view) is None
    assert selected_count(view) == 3
    picked.clear()
    assert selected_block(view) is None
    assert selected_count(view) == 0
    view.setModel(None)


def test_a_step_that_selects_and_moves_is_told_of_once(qtbot: QtBot) -> None:
    view, model = GridView(), Long()
    qtbot.addWidget(view)
    view.setModel(model)
    told: list[tuple[int, int]] = []
    Settled(view, lambda: told.append((view.currentIndex().row(), selected_count(view))))
    picked = view.selectionModel()
    for row in (3, 4):
        view.setCurrentIndex(model.index(row, 2))
    picked.select(QItemSelection(model.index(4, 0), model.index(6, 4)), _Flag.Select)
    picked.setCurrentIndex(model.index(5, 2), _Flag.NoUpdate)
    picked.setCurrentIndex(model.index(4, 2), _Flag.NoUpdate)
    assert told == [(3, 1), (4, 1), (4, 3), (5, 3), (4, 3)]
