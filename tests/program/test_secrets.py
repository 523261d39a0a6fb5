"""The key is in the keyring and in the requests, and nowhere else: a canary goes through a whole run, with a wrong key
and with errors that nobody expected, and then everything that was written or could be seen is searched for it. Programs
of their own: a crash, the environment and the command line are theirs."""

from __future__ import annotations

import base64
import json
import os
import secrets
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.program.running import Running, command, meanwhile, until
from tests.support.keyring_daemon import KeyringSession
from tests.support.shop import Shop

PROC = Path("/proc")


@cache
def forms(secret: str) -> dict[str, bytes]:
    """What a secret may look like where it leaks."""
    raw = secret.encode()
    shifted = {
        f"base64 at {n}": base64.b64encode(b"\0" * n + raw).lstrip(b"A")[4 : -4 if n else None] for n in range(3)
    }
    utf16 = {"UTF-16": secret.encode("utf-16-le"), "hex": raw.hex().encode()}
    return {"plain": raw, "quoted": urllib.parse.quote(secret, safe="").encode(), **utf16, **shifted}


def traces(where: str, content: bytes, canaries: Iterable[str]) -> list[str]:
    """Each form of a canary that is in some content, named with where it was found."""
    return [f"{where}: {name}" for one in canaries for name, form in forms(one).items() if form in content]


def search(folder: Path, canaries: Iterable[str]) -> list[str]:
    """Traces in names and contents of all files below a folder; at least one file must be there."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    found = [trace for path in files for trace in traces(str(path), path.read_bytes(), canaries)]
    return found + [trace for path in folder.rglob("*") for trace in traces("a name", os.fsencode(path), canaries)]


class Passer:
    """Somebody who looks at the process list all the time, as any user of the computer can."""

    def __init__(self, *canaries: str) -> None:
        self.canaries = list(canaries)
        self.seen = 0
        self.found: list[str] = []

    def look(self) -> None:
        """Look once."""
        for process in PROC.glob("[0-9]*"):
            try:
                line = (process / "cmdline").read_bytes()
            except OSError:
                continue  # it has ended
            self.seen += 1
            self.found += traces(f"process {process.name}", line, self.canaries)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "person"
    (folder / "tmp").mkdir(parents=True)
    return folder


@pytest.mark.parametrize("form", forms("x").keys())
def test_the_search_finds_each_form_of_a_leak(tmp_path: Path, form: str) -> None:
    canary = secrets.token_urlsafe(24)
    (tmp_path / "leak").write_bytes(b"{ some text " + forms(canary)[form] + b" }")

    assert search(tmp_path, [canary])
    assert search(tmp_path, [secrets.token_urlsafe(24)]) == []


@pytest.mark.linux("/proc tells the environment of each process")
def test_a_whole_run_leaves_the_key_in_the_keyring_alone(tmp_path: Path, home: Path) -> None:
    """A process stands in the list of processes, and ends with all that it wrote."""
    right, wrong = f"right/{secrets.token_urlsafe(24)}+=", f"wrong-{secrets.token_urlsafe(24)}"
    passer = Passer(right, wrong)
    with Shop(tmp_path / "shop", key=right, plan="unlimited", pets=30) as shop, KeyringSession() as session:
        session.start_keyring()
        with meanwhile(passer.look, 0.2):
            env = {**session.environment, "TMPDIR": str(home / "tmp")}
            seen = live(shop, home / "data", env, right, wrong)
        assert search(session.folder, (right, wrong)) == []
        assert [trace for text in seen for trace in traces(text, text.encode(), (right, wrong))] == []
    assert passer.seen > 100
    assert passer.found == []
    assert search(home, (right, wrong)) == []


def live(shop: Shop, data: Path, env: Mapping[str, str], right: str, wrong: str) -> list[str]:
    """A day with the program; returns every text that could be seen in it."""
    arguments = ("--data-dir", str(data))
    done = command(*arguments, "connect", "Zoo", "--url", shop.url, "--key-stdin", stdin=right, env=env)
    assert done.returncode == 0
    seen = [done.stdout, done.stderr]
    with Running(data, env=env) as program:
        program.wait("rows", "pets")
        set_status(program, shop, "Alt+3", "sold")
        seen += program.ask("everything")
        seen += echoed(program, shop, right)
        seen += rejected(program, shop, wrong)
        seen += crashed(program, right, wrong)
        program.ask("choose", "File", "Check the connection…")
        until(lambda: program.ask("widget", "requestsTaken")["text"].startswith("It took"), "the end of the check")
        program.ask("click", "Copy for support")
        seen += [program.ask("clipboard"), *program.ask("everything")]
        program.ask("press", "Esc")
        program.ask("choose", "Help", "Copy diagnostics")
        seen += [program.ask("clipboard"), *program.ask("everything")]
        assert program.quit() == 0
        seen.append(program.said())
    done = command(*arguments, "sync", "Zoo", "--json", env=env)
    assert done.returncode == 0, done.stderr
    seen += [done.stdout, done.stderr]
    for doctor in (("doctor", "Zoo", "--json"), ("doctor", "Zoo")):
        done = command(*arguments, *doctor, env=env)
        assert "all of them reads" in done.stdout or '"checks"' in done.stdout, done.stderr
        seen += [done.stdout, done.stderr]
    return seen


def set_status(program: Running, shop: Shop | None, keys: str, status: str) -> None:
    """Give the first pet this status; it must arrive."""
    program.wait("writable", "pets", "In stock")
    pet = next(key for key, texts in program.ask("cells", "pets").items() if texts["Status"] != status)
    program.ask("to_cell", "pets", pet, "Name")
    program.ask("press", keys)
    until(lambda: program.ask("cells", "pets")[pet]["Status"] == status, "the status in the window")
    until(lambda: not program.ask("widget", "outboxBadge"), "that it is sent")
    if shop is not None:
        until(lambda: shop.rows("SELECT status FROM pets WHERE id = ?", int(pet)) == [(status,)], "that it arrived")


def echoed(program: Running, shop: Shop, key: str) -> list[str]:
    """A service that repeats the key in its answer; the answer is kept with the change, and shown raw."""
    shop.control("answer-next", status=400, body=json.dumps({"code": key, "message": f"not with {key}", "status": 400}))
    program.ask("press", "Alt+2")
    until(lambda: program.ask("widget", "refusedBadge"), "the refusal")
    program.ask("press", "Alt+A")
    program.ask("tab_to", "activityView")
    program.ask("press", "Down")
    program.ask("click", "Server response")
    seen = program.ask("everything")
    assert any("not with ***" in text for text in seen)
    program.ask("press", "Escape", "Alt+P")
    return seen


def rejected(program: Running, shop: Shop, wrong: str) -> list[str]:
    """The service refuses the key it had; a wrong one is typed, then the right one."""
    shop.control("revoke")
    program.ask("press", "F5")
    until(lambda: program.ask("dialogs") == ["keyDialog"], "the question for a key")
    seen: list[str] = []
    for key, status in ((wrong, 401), (shop.key, 200)):
        seen += program.ask("everything")
        until(lambda: "keyField" in program.ask("focus"), "the field for the key")
        program.ask("write", key)
        seen += program.ask("everything")
        shop.control("restore", key=shop.key)
        asked = len(shop.log_lines())
        program.ask("press", "Return")
        until(lambda asked=asked: len(shop.log_lines()) > asked, "a request with the key that was typed")
        assert shop.log_lines()[asked]["status"] == status
        if status == 401:
            until(lambda: program.ask("dialogs") == ["keyDialog"], "the question for a key again")
    return seen


def crashed(program: Running, *texts: str) -> list[str]:
    """Errors that nobody expected, whose messages hold a key; the dialog's details are opened and copied."""
    seen: list[str] = []
    for text in texts:
        program.ask("crash", text)
        for _ in range(2):  # one at a time, and the second ValueError says nothing new
            until(lambda: program.ask("dialogs") == ["errorDialog"], "the dialog for an error")
            program.ask("click", "Details")
            program.ask("click", "Copy")
            seen += [program.ask("clipboard"), *program.ask("everything")]
            program.ask("press", "Escape")
        assert program.ask("dialogs") == []
    assert any("cannot use '***'" in text for text in seen), "the error was not shown"
    return seen


@pytest.mark.linux("/proc tells the environment of each process")
def test_the_demo_shops_key_is_in_no_file_and_no_process_list(home: Path) -> None:
    passer = Passer()
    data = home / "data"
    with Running(data, "--demo", "--pets", "20", env={"HOME": str(home), "TMPDIR": str(home / "tmp")}) as program:
        passer.canaries.append(program.ask("demo_key"))
        with meanwhile(passer.look, 0.05):
            program.wait("rows", "pets")
            set_status(program, None, "Alt+3", "sold")
            seen = program.ask("everything")
            assert program.quit() == 0
        seen.append(program.said())
    assert [trace for text in seen for trace in traces(text, text.encode(), passer.canaries)] == []
    assert passer.seen and passer.found == []
    assert search(home, passer.canaries) == []


def test_a_key_from_the_environment_is_stored_nowhere(tmp_path: Path, home: Path) -> None:
    with Shop(tmp_path / "shop", key=secrets.token_urlsafe(24), pets=20) as shop:
        arguments = ("--data-dir", str(home / "data"))
        env = {"HOME": str(home), "TMPDIR": str(home / "tmp")}
        assert command(*arguments, "connect", "Zoo", "--url", shop.url, env=env).returncode == 0
        done = command(*arguments, "sync", "Zoo", key=shop.key, env=env)
        assert done.returncode == 0
        assert traces("said", (done.stdout + done.stderr).encode(), [shop.key]) == []
        assert search(home, [shop.key]) == []
