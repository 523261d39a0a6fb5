"""Ctrl+K in the window of the grid's bench: texts letter by letter, until the last answer is there."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench._grid_child import Work

TEXTS = ("pend", "golden koi", "o:koi", "1234", "queenie xyz", "s:betta")
LIMIT_S = 10.0


def search(work: Work) -> None:
    """Each text is typed twice: with the names not read yet, as right after opening, and again.

    Notes how long opening takes, from each key to the first and to all answers, the longest turn of the event loop, and
    from Enter on an order's id to its card.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    field, key = work.window.palette_field, Qt.Key
    for number, text in enumerate((*TEXTS, *TEXTS)):
        begun = time.perf_counter()
        QTest.keyClick(work.window, key.Key_K, Qt.KeyboardModifier.ControlModifier)
        work.turn()
        work.note("palette: opening" if number else "palette: opening for the first time", time.perf_counter() - begun)
        popup = _popup(work)
        for sign in text:
            begun = time.perf_counter()
            QTest.keyClick(field, sign)
            work.note("palette: key to the first answers", time.perf_counter() - begun)
            _finish(work, popup, begun)
        QTest.keyClick(field, key.Key_Escape)
        work.settle()
    _answer(work)


def _popup(work: Work) -> object:
    from petstore_desktop.ui.palette.palette import PalettePopup

    return work.window.findChild(PalettePopup, "palettePopup")


def _finish(work: Work, popup: object, begun: float) -> None:
    longest = 0.0
    while time.perf_counter() - begun < LIMIT_S:
        turn = time.perf_counter()
        work.turn()
        longest = max(longest, time.perf_counter() - turn)
        if not getattr(popup, "is_searching", False):
            break
    work.note("palette: key to all answers", time.perf_counter() - begun)
    work.note("palette: longest turn", longest)


def _answer(work: Work) -> None:
    """S1: from Enter to the card of an order."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from petstore_desktop.domain.records import Resource

    orders = [key for key in work.desk.shop.stores[Resource.ORDERS].keys if isinstance(key, int)]
    for order in orders[: 20 * 7 : 7]:
        QTest.keyClick(work.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(work.window.palette_field, str(order))
        begun = time.perf_counter()
        QTest.keyClick(work.window.palette_field, Qt.Key.Key_Return)
        while time.perf_counter() - begun < LIMIT_S:
            work.turn()
            tab = work.window.tab()
            ref = tab.current_ref() if tab is not None else None
            if ref is not None and (ref.resource, ref.key) == (Resource.ORDERS, order):
                break
        work.note("palette: Enter to an order's card", time.perf_counter() - begun)
    work.window.show_tab("pets")
    work.settle()
