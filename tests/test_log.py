"""The key is in no file and in no output, whatever goes wrong; what nobody caught is in the log."""

from __future__ import annotations

import base64
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from petstore_desktop import log
from petstore_desktop.commands.checks_said import English
from petstore_desktop.domain.errors import Unreachable
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT, Shop

CANARY = "canary/key+3f9c17==and-more-than-thirty-signs"
"""So long that what holds it shows its beginning and end alone (`reprlib`)."""


def forms(key: str) -> tuple[bytes, ...]:
    """The key as it could stand somewhere."""
    plain = key.encode()
    whole = (plain, base64.b64encode(plain), base64.b64encode(plain + b":"))
    return (*whole, b"canary%2Fkey", b"canary/ke", b"irty-signs")


def test_a_key_is_nowhere_after_a_run_in_which_everything_went_wrong(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Shop(tmp_path / "shop", key=CANARY, plan="unlimited", pets=10) as shop:
        shop.control("refuse-writes", status=400, message=f"your key {CANARY} is odd")
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-m", "tests.support.crashing_child", str(data), shop.url],
            cwd=ROOT, input=f"{CANARY}\n", capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "2 taken" in done.stdout, done.stderr  # a thread's and a finaliser's; the main thread's comes after
    assert "shown with ***" in done.stdout
    files = [path for path in data.rglob("*") if path.is_file()]
    assert {"petstore.log", "journal.db", "mirror.db", "gates.db"} <= {path.name for path in files}
    texts = {path.name: path.read_bytes() for path in files}
    texts |= {"stdout": done.stdout.encode(), "stderr": done.stderr.encode()}
    for name, text in texts.items():
        for form in forms(CANARY):
            assert form not in text, name
    written = texts["petstore.log"].decode()
    for said in (
        "at once ***",
        "succeed(***)",
        "thread with ***",
        "finaliser with ***",
        "main thread with ***",
        "Traceback",
        "unexpected error in",
    ):
        assert said in written
    assert "sync thread with ***" in written
    assert "httpcore" in written


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Authorization: Bearer abcd1234efgh", "Authorization: Bearer ***"),
        ("{'authorization': 'Bearer abcd1234efgh'}", "{'authorization': 'Bearer ***'}"),
        ("(b'Authorization', b'Basic YWJjZDoxMjM0')", "(b'Authorization', b'Basic ***')"),
        ("X-API-Key: abcd1234efgh", "X-API-Key: ***"),
        ("GET /pets?api_key=abcd1234efgh&limit=5", "GET /pets?api_key=***&limit=5"),
        ("'bearer abcd1234'", "'bearer ***'"),
        ("the key, somebody said, is short", "the key, somebody said, is short"),
        ("monkey: something=else-entirely", "monkey: something=else-entirely"),
    ],
)
def test_what_looks_like_a_key_is_masked_even_if_nobody_named_it(text: str, clean: str) -> None:
    assert log.redact(text) == clean


def test_a_key_inside_a_longer_one_does_not_give_the_rest_away() -> None:
    log.keep_secret("short-secret")
    log.keep_secret("short-secret-and-more")
    assert log.redact("it is short-secret-and-more!") == "it is ***!"


def test_a_key_that_is_a_common_word_is_left_in_our_own_sentences_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_secrets", ())
    for secret in ("password", "pets", CANARY):
        log.keep_secret(secret)
    sentence = "The proxy needs a user name and password to list pets"
    assert log.redact_sentence(f"{sentence}: {CANARY}") == f"{sentence}: ***"
    assert log.redact("no password for petstore: pets") == "no *** for petstore: ***"
    error = Unreachable(why="proxy-login", host="shop.example", proxy="http://proxy.example")
    assert "needs a user name and password" in English().other(error)[0]


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_log_is_private_rotates_and_is_written_once(tmp_path: Path) -> None:
    code = (
        "import logging, sys; from pathlib import Path; from petstore_desktop import log\n"
        "log.start(Path(sys.argv[1])); log.start(Path(sys.argv[1]))\n"
        "for n in range(int(sys.argv[2])): logging.getLogger('petstore_desktop').info('line %d %s', n, 'x' * 1000)\n"
        "log.stop()\n"
    )
    folder = tmp_path / "data" / "log"
    done = run(code, str(folder), "2")
    assert (done.stdout, done.stderr) == ("", "")
    assert len((folder / log.FILE_NAME).read_text(encoding="utf-8").splitlines()) == 2
    if os.name == "posix":
        assert (folder.stat().st_mode & 0o777, (folder / log.FILE_NAME).stat().st_mode & 0o777) == (0o700, 0o600)
    run(code, str(folder), "7000")
    assert len(list(folder.iterdir())) == 6  # the present one and five older ones


def test_without_a_folder_to_write_to_the_program_goes_on_and_stays_discreet(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    code = (
        "import logging, sys; from pathlib import Path; from petstore_desktop import log\n"
        f"log.keep_secret({CANARY!r})\n"
        f"logging.getLogger('petstore_desktop').warning('early %s', {CANARY!r})\n"
        "log.start(Path(sys.argv[1]))\n"
        f"logging.getLogger('petstore_desktop').warning('late %s', {CANARY!r})\n"
    )
    done = run(code, str(tmp_path / "log"))
    assert done.returncode == 0
    assert "no log can be written" in done.stderr
    assert "early ***" in done.stderr
    assert "late ***" in done.stderr
    assert CANARY not in done.stderr


def test_stopping_leaves_other_handlers_alone() -> None:
    before = list(logging.getLogger().handlers)
    log.stop()
    assert logging.getLogger().handlers == before
