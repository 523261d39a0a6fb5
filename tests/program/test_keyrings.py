"""Whatever the keyring does, the window answers, says what it did, and the key is in the keyring or in memory alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.ui.text.errors.errors import error_words
from tests.support.keyring_days import CODES, KeyringDay, live_through
from tests.support.shop import Shop

BOUND_S = 0.5
"""Instead of five seconds: who waits for the keyring in the GUI thread is found out all the same."""

STORED = "nothing is known to be stored"
WORDS = {
    "keyring-absent": (
        "This computer has no keyring that can store a key.",
        "Set one up to store the key. Until then the program asks for it at each start.",
        (
            "this computer has no keyring that can store a key; nothing was stored, neither key nor connection. "
            "Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window"
        ),
    ),
    "keyring-locked": (
        "The keyring is locked.",
        "Unlock it, then enter the key again.",
        f"the keyring is locked (it says why); {STORED}. Unlock it, then enter the key again",
    ),
    "keyring-silent": (
        "The keyring did not answer within five seconds.",
        "Check whether another window asks for its password, then enter the key again.",
        (
            f"the keyring did not answer within five seconds (it says why); {STORED}. Check whether another window "
            "asks for its password, then enter the key again"
        ),
    ),
    "keyring-lost": (
        "The keyring took the key, but did not give it back.",
        "Check the keyring’s own program, then enter the key again.",
        (
            f"the keyring took the key, but did not give it back (it says why); {STORED}. Check the keyring’s own "
            "program, then enter the key again"
        ),
    ),
    "keyring-ended": (
        "The keyring stopped while it was asked.",
        "Start it again, or log in again, then enter the key.",
        (
            f"the keyring stopped while it was asked (it says why); {STORED}. Start it again, or log in again, then "
            "enter the key"
        ),
    ),
    "keyring-refused": (
        "This computer’s keyring refused the request.",
        "Unlock or set up the keyring, then enter the key again.",
        (
            f"this computer’s keyring refused the request (it says why); {STORED}. Unlock or set up the keyring, then "
            "enter the key again"
        ),
    ),
}


@pytest.mark.parametrize("code", CODES)
def test_each_cause_has_its_own_text_in_the_window_and_on_the_command_line(code: str) -> None:
    what, do, line = WORDS[code]
    error = KeyringError(code, detail="it says why")
    words = error_words(error)
    assert (words.what, words.do) == (what, do)
    assert sentence(error) == line
    assert "held in memory for this run, and is in no file" in words.safe


@pytest.mark.parametrize("code", [code for code in CODES if code != "keyring-absent"])  # then there is none to remove
def test_a_key_that_cannot_be_removed_is_told_without_asking_for_another(code: str) -> None:
    error = KeyringError(code, detail="it says why", forgetting=True)
    what, words, line = WORDS[code][0], error_words(error), sentence(error)
    assert (words.what, words.safe) == (what, "The connection and its data are still here.")
    assert line.startswith(f"{what[0].lower()}{what[1:-1]} (it says why); the connection and its data are still here. ")
    assert all("then forget the connection again" in said and "enter" not in said for said in (words.do, line))


def test_no_two_causes_read_alike() -> None:
    assert set(WORDS) == set(CODES)
    for part in range(3):
        assert len({words[part] for words in WORDS.values()}) == len(WORDS)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=20) as running:
        yield running


def test_the_window_answers_while_the_key_is_read_kept_changed_and_forgotten(tmp_path: Path, shop: Shop) -> None:
    """A process leaves traces of its own. This keyring never answers; other states: tests/test_credentials.py,
    `packaging/dev.py long keyring`."""
    day = KeyringDay(tmp_path, shop, "silent", hurry=BOUND_S)
    try:
        live_through(day)
    finally:
        day.close()
