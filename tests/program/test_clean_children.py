"""What the program starts, and what Qt starts for it, gets an environment without the key."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.shop import ROOT

KEY = "the-real-key-of-a-shop"


def test_what_the_program_starts_has_no_key_in_its_environment(tmp_path):
    """A process that is started as Qt starts a browser: with the environment as it is."""
    code = (
        "import subprocess, sys\n"
        "from petstore_desktop import credentials\n"
        "from petstore_desktop.cli import main\n"
        f"sys.argv = ['petstore-desktop', 'connections', '--data-dir', {str(tmp_path)!r}]\n"
        "main()\n"
        "show = 'import os; print(dict(os.environ))'\n"
        "print(subprocess.run([sys.executable, '-c', show], capture_output=True).stdout)\n"
        "assert credentials.read('shop', environment=True) == 'the-real-key-of-a-shop'\n"
        "assert credentials.stood_in()\n"
        "credentials.do_without()\n"
        "assert not credentials.stood_in()\n"
    )
    environment = {**os.environ, "PETSTORE_API_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "PATH" in done.stdout
    assert KEY not in done.stdout


@pytest.mark.linux("/proc tells the environment of each process")
def test_the_demo_shop_of_a_window_does_not_know_the_key(tmp_path):
    environment = {**os.environ, "PETSTORE_API_KEY": KEY, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "petstore_desktop", "--demo", "--data-dir", str(tmp_path), "--pets", "5"]
    with subprocess.Popen(command, cwd=ROOT, env=environment) as window:
        try:
            found = b""
            while b"PATH" not in found and window.poll() is None:  # it is started, and then it is another program
                for child in children(window.pid):
                    if b"petstore_desktop.demo" in content(f"/proc/{child}/cmdline"):
                        found = content(f"/proc/{child}/environ")
        finally:
            window.terminate()
    assert b"PATH" in found
    assert KEY.encode() not in found


def children(pid: int) -> list[str]:
    return [one for task in Path(f"/proc/{pid}/task").glob("*/children") for one in content(str(task)).decode().split()]


def content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def test_every_process_that_is_started_is_given_its_environment():
    sources = {path: path.read_text("utf-8") for path in (ROOT / "petstore_desktop").rglob("*.py")}
    for path, source in sources.items():
        for node in ast.walk(ast.parse(source)) if "subprocess" in source else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "subprocess.Popen":
                assert "env" in {one.arg for one in node.keywords}, path
