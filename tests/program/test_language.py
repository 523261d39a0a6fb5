"""Another language, chosen in the preferences: the window speaks it at once, and goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.domain.codes import label_code
from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PREFERENCES = "التفضيلات…"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=60) as shop:
        yield shop


@pytest.fixture
def data(tmp_path: Path, shop: Shop) -> Path:
    """A data folder with a connection to the shop."""
    return connect(tmp_path / "data", shop)


def test_the_window_speaks_another_language_at_once_and_goes_on_where_it_was(data: Path, shop: Shop) -> None:
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        program.wait("idle")
        program.ask("press", "Alt+2", "Ctrl+F")
        program.ask("write", "#10")
        program.wait("idle")
        rows, windows = program.wait("rows", "pets"), program.ask("windows")
        program.ask("speak", "ar")
        program.wait("idle")
        assert program.ask("action_text", "preferences") == PREFERENCES
        assert "languageChoice" in program.ask("focus"), "the preferences are open in it, at the choice"
        assert program.ask("rows", "pets") == rows, "filtered as before"
        assert program.ask("windows") == windows, "and the old window is gone"
        program.ask("press", "Escape")
        assert program.quit() == 0
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        assert program.ask("action_text", "preferences") == PREFERENCES, "also at the next start"
        assert program.quit() == 0


TYPED = {"de": "<=10.11.2026", "ar": "<=\u0661\u0660/\u0661\u0661/\u0662\u0660\u0662\u0666"}
"""One day and earlier, as it is typed in each language."""
WORDS = {"de": "erledigt", "ar": "\u0645\u0643\u062a\u0645\u0644\u0629"}


def test_typed_filters_mean_the_same_in_another_language(data: Path, shop: Shop) -> None:
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        program.wait("idle")
        program.ask("press", "Alt+O")
        program.ask("speak", "de")
        program.ask("press", "Escape")
        program.wait("rows", "orders")
        program.ask("filter_column", "ship_date", TYPED["de"])
        program.ask("filter_column", "state", WORDS["de"][:4])
        until(lambda: 0 < program.ask("rows", "orders") < program.ask("known", "orders"), "that rows are hidden")
        rows = program.ask("rows", "orders")
        program.ask("speak", "ar")
        program.wait("idle")
        assert program.ask("rows", "orders") == rows
        assert program.ask("filters") == {"ship_date": TYPED["ar"], "state": WORDS["ar"]}
        program.ask("press", "Escape")
        assert program.quit() == 0


def test_a_delivery_goes_on_in_another_language_with_what_is_typed_beside_it(data: Path, shop: Shop) -> None:
    pet = shop.rows("SELECT id FROM pets ORDER BY id")[0][0]
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        program.ask("press", "Alt+I")
        program.wait("rows", "inventory")
        program.ask("press", "F8")
        until(lambda: program.ask("focus").startswith("ScanField"), "the desk is open")
        program.ask("write", f"{label_code(pet)}")
        program.ask("press", "Return")
        until(lambda: len(program.ask("all_cells", "receiveList")) == 1, "the line")
        program.ask("write", "12")
        program.ask("tab_to", "supplierNote")
        program.ask("write", "Zoo 4711")
        program.ask("speak", "de")  # before the note is kept
        program.ask("press", "Escape")
        until(lambda: program.ask("widget", "supplierNote"), "the desk is open again")
        assert len(program.ask("all_cells", "receiveList")) == 1
        assert program.ask("widget", "supplierNote")["text"] == "Zoo 4711"
        assert program.ask("widget", "scanField")["text"] == "12"
        program.ask("click", "Rückgängig")
        until(lambda: program.ask("draft_fields", "count") == {}, "what was scanned in the other window is undone here")
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        until(lambda: "Zoo 4711" in program.ask("draft_fields", "note").values(), "the note is kept")


def test_the_language_can_be_chosen_before_there_is_a_shop(tmp_path: Path) -> None:
    with Opened(tmp_path / "data") as program:
        until(lambda: program.ask("windows") == ["welcomePage"], "the welcome page")
        program.ask("click", "Language and preferences")
        program.ask("speak", "de")
        until(lambda: program.ask("dialogs") == [], "a page in the other language")
        assert program.ask("windows") == ["welcomePage"]
        program.ask("click", "Sprache und Einstellungen (Language)")
        assert program.ask("dialogs") == ["preferencesDialog"]
        program.ask("press", "Escape")
