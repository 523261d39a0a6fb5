"""Opens a file with the program that the system has for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices

from petstore_desktop.ui.base.background import Background
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import tr


def open_file(path: str, say: Callable[[str], object]) -> None:
    """Open it, if it is still there; `say` hears why not. The disk is looked at in another thread."""
    background = Background(QCoreApplication.instance())
    name = isolate(plain(PurePath(path).name))

    def looked(there: object) -> None:
        background.deleteLater()
        if not there:
            say(tr("{file} is not there any more.", file=name))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            say(tr("No program here opens {file}.", file=name))

    background.run(Path(path).is_file, looked)
