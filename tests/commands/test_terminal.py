"""Commands at a terminal, where a question may stay without an answer."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.store.journal.journal import Journal
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

pytestmark = pytest.mark.posix("there are pseudo-terminals")

URL = "https://shop.example/v1"
CHILD = """
import os, sys
os.login_tty(0)
from petstore_desktop.cli import main
sys.exit(main(sys.argv[1:]))
"""


def at_a_terminal(data: Path, *arguments: str, asked: bytes, typed: bytes) -> tuple[int, str]:
    """A command at a terminal of its own, where this is typed once that is asked: its exit code and what was shown."""
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", CHILD, *arguments, "--data-dir", str(data)]
    shown = b""
    with subprocess.Popen(command, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        while asked not in shown:
            shown += os.read(ours, 1024)
        os.write(ours, typed)
        with suppress(OSError):  # EIO: the other end is closed
            while more := os.read(ours, 1024):
                shown += more
        code = process.wait(PATIENCE_S)
    os.close(ours)
    return code, shown.decode()


@pytest.mark.parametrize("typed", [b"\x04", b"\n"], ids=["Ctrl+D", "Enter"])
def test_where_no_key_is_typed_that_is_said_and_nothing_is_changed(typed: bytes, tmp_path: Path) -> None:
    arguments = ("connect", "Shop", "--url", URL, "--key-stdin")
    code, shown = at_a_terminal(tmp_path, *arguments, asked=b"Key: ", typed=typed)
    assert (code, shown) == (1, "Key: \r\npetstore-desktop: no key was typed; nothing was changed\r\n")
    assert list(tmp_path.iterdir()) == []


def test_a_question_that_gets_no_answer_is_answered_no(tmp_path: Path) -> None:
    store = PreferenceStore(Places(tmp_path).preferences)
    store.save(Preferences(connections=(ShopConnection("Shop", "shop", URL),)))
    journal = Journal(Places(tmp_path).journal("shop"))
    journal.append("b", [NewChange(Ref(Resource.INVENTORY, 1), AddStock(1))], 0.0)
    journal.close()
    code, shown = at_a_terminal(tmp_path, "forget", "Shop", asked=b"[y/N] ", typed=b"\x04")
    assert (code, len(store.load().connections)) == (1, 1)
    assert "\r\npetstore-desktop: Shop has changes that are not sent yet (1); nothing was removed" in shown
