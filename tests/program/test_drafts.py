"""A half-filled dialog survives a kill."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import Running, connect, until
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def shop(tmp_path: Path, data: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as running:
        connect(data, running)
        yield running


def wait_for_lists(program: Running | Opened) -> None:
    until(lambda: program.ask("known", "categories") and program.ask("known", "pets") == 20, "the lists")


def test_new_pets_that_were_being_typed_are_there_after_a_kill_and_saved_once(data: Path, shop: Shop) -> None:
    """Only a process can be killed."""
    before = shop.rows("SELECT count(*) FROM pets")[0][0]
    with Running(data, "--connection", "Shop", key=shop.key) as program:
        wait_for_lists(program)
        program.ask("press", "Ctrl+N")
        program.wait("widget", "newPetDialog")
        program.ask("write", "Ada")
        program.ask("press", "Return")
        program.ask("write", "Grace")
        program.ask("press", "Tab")
        program.ask("press", "Down")  # a category
        until(lambda: program.ask("drafts") == {"new-pet": "Ada\nGrace"}, "the draft is kept")
        program.kill()
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        wait_for_lists(program)
        program.ask("press", "Ctrl+N")
        program.wait("widget", "newPetDialog")
        program.wait("widget", "draftRow")
        assert "is filled in" in " ".join(program.ask("shown_texts", "draftRow"))
        assert program.ask("widget", "petNames")["text"] == "Ada\nGrace"
        program.ask("press", "Ctrl+Return")
        until(lambda: shop.rows("SELECT count(*) FROM pets")[0][0] == before + 2, "both are made")
        until(lambda: program.ask("drafts") == {}, "the draft is let go")
        program.wait("sent_all")
        assert program.quit() == 0
    assert shop.rows("SELECT count(*) FROM pets WHERE name IN ('Ada', 'Grace')") == [(2,)]


def test_who_tells_the_program_to_end_is_asked_nothing_about_a_form(data: Path, shop: Shop) -> None:
    """Only a process can be told by a signal."""
    with Running(data, "--connection", "Shop", key=shop.key) as program:
        wait_for_lists(program)
        program.ask("press", "Ctrl+N")
        program.wait("widget", "newPetDialog")
        program.ask("write", "Ada of the long name")
        until(lambda: program.ask("drafts") == {"new-pet": "Ada of the long name"}, "the draft is kept")
        program.process.send_signal(signal.SIGTERM)
        assert program.process.wait(PATIENCE_S) == 0
    with Opened(data, "--connection", "Shop", key=shop.key) as program:
        until(lambda: program.ask("drafts") == {"new-pet": "Ada of the long name"}, "the draft is kept")
