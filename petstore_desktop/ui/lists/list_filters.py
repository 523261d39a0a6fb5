"""The filters of a list: the text over all columns and those of single columns, kept in step with the table, the tool
bar and the fields under the headers. Loaded with the first filter, or right after the first paint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.ui.text.translate import locale

if TYPE_CHECKING:
    from petstore_desktop.desk.jump.views import SavedView
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


class ListFilters(QObject):
    """For one list; every way to filter it ends here."""

    def __init__(self, tab: ResourceTab) -> None:
        super().__init__(tab)
        self._tab, self._table, self._field = tab, tab.table, tab.bar.filter
        self._shop = tab.shared.shop.desk.shop
        self._kept: tuple[Ref, int] | None = None
        """Record and column that were current before a filter hid them: they come back with it."""
        self._field.searched.connect(self._searched)
        self.show()

    def set_text(self, text: str) -> None:
        """Filter over all columns by this text; empty takes it away."""
        self.use(text, self._table.column_filters)

    def set_column(self, column_id: str, text: str) -> None:
        """Filter a column by the typed text; empty removes its filter."""
        self._filter(self._table.filter_text, {**self._table.column_filters, column_id: text})

    def use(self, text: str, columns: Mapping[str, str]) -> None:
        """Filter by this text and these filters of columns, and by nothing else."""
        self._filter(text, columns)
        if self._field.text() != text:
            self._field.setText(text)

    def use_kept(self, text: str, columns: Mapping[str, str]) -> None:
        """The same by filters as they are kept (`desk.filters.kept_filters`), in the words of here."""
        if text or columns:
            from petstore_desktop.desk.filters import kept_filters as forms  # late: it loads what reads filters

            text, columns = forms.typed_text(self._shop, text), forms.typed(self._shop, self._table.resource, columns)
        self.use(text, columns)

    def clear(self) -> None:
        """Show all rows."""
        self.use("", {})

    def drop(self, column_id: str) -> None:
        """Take away the filter of a column, or ("") the one over all."""
        if column_id:
            self.set_column(column_id, "")
        else:
            self.set_text("")

    def show(self) -> None:
        """In the fields under the headers; before there are any, paint what will be in them."""
        tab = self._tab
        if tab.filter_row is not None:
            tab.filter_row.show()
            return
        texts, columns = self._table.column_filters, enumerate(self._table.columns)
        tab.header.await_filter_row({n: texts.get(one.id, "") for n, one in columns if one.kind != "gutter"})

    def _searched(self, text: str) -> None:
        self._filter(text, self._table.column_filters)

    def _filter(self, text: str, columns: Mapping[str, str]) -> None:
        tab, table = self._tab, self._table
        if table.filter_text == text and table.column_filters == columns:
            return
        current = tab.current_ref()
        if current is not None:
            self._kept = (current, tab.view.currentIndex().column())
        stays = not (text or any(columns.values())) or tab.view.currentIndex().row() in tab.view.rows_on_screen()
        table.set_filters(text, columns)
        self.show()
        tab.view.updateGeometries()  # the scroll bar still has the length of the old rows
        if self._kept is not None and (index := tab.model.index_of(self._kept[0].key, self._kept[1])).isValid():
            tab.view.setCurrentIndex(index)
            if stays:
                tab.view.scrollTo(index)
        else:
            stays = False
        if not stays:
            tab.view.scrollToTop()  # what was found is read from its first row, wherever the list stood before
        tab.refresh_state()
        tab.contextChanged.emit(None)
        tab.stateChanged.emit(None)

    # -- what is remembered

    def save_state(self) -> dict[str, object]:
        """As plain JSON values."""
        typed, columns = self._table.filter_text, self._table.column_filters
        if not typed and not columns:
            return {"filter": ""}
        # As they were typed, which the next start in the same language wants, and as every language knows them.
        text, filters = self.kept()
        said = {"filter": typed, "typed": dict(columns), "typed_in": self._here()}
        return {**said, "kept_filter": text, "filters": filters}

    def kept(self, others: SavedView | None = None) -> tuple[str, dict[str, str]]:
        """The filter over all columns and those of columns, as they are kept; or those of a view, which an earlier
        version kept as they were typed."""
        text = self._table.filter_text if others is None else others.text
        columns = self._table.column_filters if others is None else others.filters
        if not text and not columns:
            return "", {}
        from petstore_desktop.desk.filters import kept_filters as forms  # late, as above

        return forms.kept_text(self._shop, text), forms.kept(self._shop, self._table.resource, columns)

    def restore_state(self, state: Mapping[str, object]) -> None:
        """What `save_state` gave; what does not fit today's columns is left out."""
        if state.get("typed_in") == self._here():
            self.use(_text(state.get("filter")), self._known(state.get("typed")))
        else:
            text = _text(state.get("kept_filter", state.get("filter")))
            self.use_kept(text, self._known(state.get("filters")))

    def _here(self) -> str:
        """Where the same text means the same: the language, and how days and numbers are written."""
        here = self._shop.here
        return f"{locale().name()} {here.day_order} {here.separators.group}{here.separators.decimal}"

    def _known(self, filters: object) -> dict[str, str]:
        if not filters:
            return {}
        from petstore_desktop.desk.jump.views import texts_by_name  # late: few lists are left with such filters

        known = {column.id for column in self._table.columns}
        return {name: one for name, one in texts_by_name(filters).items() if name in known}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
