"""What can be a key, and how long it may be: the same in the window's form, for a command, and for the variable."""

from __future__ import annotations

import io
import sys

import pytest

from petstore_desktop.api.http.secret import Secret
from petstore_desktop.commands import connect
from petstore_desktop.contract.model import LONGEST_KEY, key_fault
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.ui.widgets.form import key_error


@pytest.mark.parametrize(("more", "fault"), [(-1, ""), (0, ""), (1, "key-too-long"), (10_000_000, "key-too-long")])
def test_a_key_has_a_longest_length_and_that_is_said(more: int, fault: str) -> None:
    key = "a" * (LONGEST_KEY + more)
    assert key_fault(key) == fault
    assert ("16,384" in key_error(key)) is bool(fault)  # the window's form


@pytest.mark.parametrize("more", [0, 1, 50_000])
def test_so_it_has_for_the_command_that_connects(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "  " + "b7" * (LONGEST_KEY // 2) + "c" * more + " \n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    if not more:
        assert len(connect._key()) == LONGEST_KEY
        return
    with pytest.raises(BadInput) as caught:
        connect._key()
    assert caught.value.code == "key-too-long"


def test_so_it_has_wherever_else_it_comes_from() -> None:
    """`PETSTORE_API_KEY`, the keyring and a chosen profile all end here."""
    with pytest.raises(BadInput) as caught:
        Secret.of("d" * (LONGEST_KEY + 1))
    assert caught.value.code == "key-too-long"
