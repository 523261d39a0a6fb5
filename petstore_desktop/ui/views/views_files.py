"""Writes a person's views to a file, and takes in those of another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.desk.changes.done_act import Inverse
from petstore_desktop.desk.jump.views import SavedView, ViewList, take_in, to_json
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.questions.raw_answer import open_failure, open_raw
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.text.views import taken_in_words, written_words
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.domain.records import JsonValue
    from petstore_desktop.shop.own_files import OwnFiles
    from petstore_desktop.ui.context.edits import Did
    from petstore_desktop.ui.views.views import Views


class ViewsFiles(QObject):
    """For one window."""

    def __init__(self, views: Views, port: OwnFiles, did: Did, say: Say, window: QWidget) -> None:
        super().__init__(window)
        self._views, self._port, self._did, self._say, self._window = views, port, did, say, window

    # -- out

    def ask_where(self) -> None:
        """Ask for the file to write."""
        name = f"{tr('views', 'the name of a file')}.json"
        title, window = tr("Export views"), self._window
        ask_file(window, title, "exportViewsDialog", _filters(), self.write, save_as=name, suffix="json")

    def write(self, path: str) -> None:
        """Write the views that a person saved or changed."""
        own = [to_json(view) for view in self._views.all() if not view.shipped]

        def done(error: ShopError | None) -> None:
            if error is None:
                self._say(Message(written_words(len(own), path), "export"))
            else:
                open_failure(self._window, error, tr("Choose another file…"), self.ask_where)

        self._port.write_views(path, own, done)

    # -- in

    def ask_which(self) -> None:
        """Ask for the file to read."""
        ask_file(self._window, tr("Import views"), "importViewsDialog", _filters(), self.read)

    def read(self, path: str) -> None:
        """Add the views of a file, and say what does not fit."""
        self._port.read_views(path, self._take)

    def _take(self, found: Sequence[JsonValue] | ShopError) -> None:
        if isinstance(found, ShopError):
            open_failure(self._window, found, tr("Choose another file…"), self.ask_which)
            return
        before = self._views.view_list
        taken = take_in(before, found)
        new = tuple(view for view in taken.view_list.own if view not in before.own)
        self._add(new)
        words, lines = taken_in_words(taken)
        if lines:
            open_raw(self._window, words, "\n".join(lines))
        if new:
            inverse = Inverse(partial(self._take_out, new), partial(self._add, new))
            self._did(words, "saved", tr("import of views"), inverse)
        elif not lines:
            self._say(Message(words, "saved"))

    def _add(self, views: Sequence[SavedView]) -> None:
        if views:
            self._views.use(reduce(ViewList.with_view, views, self._views.view_list))

    def _take_out(self, views: Sequence[SavedView]) -> None:
        self._views.use(reduce(ViewList.without, views, self._views.view_list))


def _filters() -> tuple[str, str]:
    return tr("Views (*.json)"), tr("All files (*)")
