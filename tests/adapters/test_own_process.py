"""The program started once more: what it is told, and what is said where that cannot be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from petstore_desktop.adapters.own_process import start_again
from petstore_desktop.domain.errors import StorageError


def test_it_is_the_same_program_with_these_arguments() -> None:
    process = start_again("--version")
    assert process.wait() == 0
    assert process.args[1:] == ["-m", "petstore_desktop", "--version"]


def test_where_it_cannot_be_started_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    with pytest.raises(StorageError) as caught:
        start_again("--version")
    assert caught.value.params["path"] == str(tmp_path / "gone")
