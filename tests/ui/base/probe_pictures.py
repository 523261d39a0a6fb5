"""Paints pictures of the window in probe colours (see colour_pairs). Not a test.

    python -m tests.ui.base.probe_pictures ordinary|contrast scenes|dialogs|tour FOLDER [TEXT_SCALE in=LANGUAGE]

`scenes` is invented data in the window, without its dialogs, and in its parts, `dialogs` each tab, desk
and dialog as tests.ui.window.open_each shows them, `tour` the whole tour.
"""

from __future__ import annotations

import sys
from pathlib import Path

from petstore_desktop.app import Start
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour import run_tour
from petstore_desktop.ui.base import theme
from tests.ui.base.colour_pairs import probe_tokens


def use_probe(contrast: bool) -> None:
    """Have every theme that is applied from now on painted in probe colours, of a seed of its own for dark ones."""
    theme.LIGHT = theme.BRIGHT = probe_tokens()
    theme.DARK = theme.BLACK = probe_tokens(dark=True)
    setattr(theme.ThemeController, "_asked_by_system", lambda _: contrast)  # noqa: B010  a method of its own


def main(arguments: list[str]) -> int:
    kind, what, folder, *more = arguments
    use_probe(kind == "contrast")
    themes = ["dark" if kind == "contrast" else "light"]  # both have pictures of both in the tour
    if what == "tour":
        return run_tour(Start(data_dir=str(Path(folder) / "data")), Path(folder))
    if what == "dialogs":
        from tests.ui.window import open_each

        return open_each.main([*(more[:1] or ["1"]), folder, *more[1:]])
    from PySide6.QtWidgets import QApplication

    from tests.ui import gallery, render_window

    _application = QApplication([])  # of both
    gallery.main(Path(folder) / "gallery", themes)
    sys.argv = ["render_window", folder]
    render_window.main(themes, with_dialogs=False)
    return 0


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
