"""The demo shop as a child of the program: its key travels by pipe, and it ends with its parent.

Processes, for that.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from petstore_desktop.demo.child import DemoChild
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

PARENT = (
    "import sys; from pathlib import Path; from petstore_desktop.demo.child import DemoChild\n"
    "child = DemoChild(Path(sys.argv[1]), ['--pets', '5']); print(child.ready()['url'], flush=True); sys.stdin.read()\n"
)


def answers(url: str, key: str = "") -> int:
    """The status that a list is answered with; 0 where nobody answers."""
    request = urllib.request.Request(f"{url}/pets", headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_it_is_ready_with_a_key_of_its_own_and_ends_when_told(tmp_path: Path) -> None:
    child = DemoChild(tmp_path / "shop.db", ["--pets", "5"])
    url = child.ready()["url"]
    assert child.ready()["url"] == url
    assert (answers(url, child.key), answers(url, "another")) == (200, 401)
    if sys.platform == "linux":
        shown = b"".join(path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if os.access(path, os.R_OK))
        assert b"petstore_desktop.demo" in shown
        assert child.key.encode() not in shown
    child.stop()
    assert answers(url) == 0


def test_it_counts_on_at_its_next_start_though_its_key_is_another(tmp_path: Path) -> None:
    """Each start had a key without a count, and so a day of its own."""

    def left(*options: str) -> tuple[str, int]:
        child = DemoChild(tmp_path / "shop.db", ["--pets", "5", *options])
        request = urllib.request.Request(
            f"{child.ready()['url']}/pets", headers={"Authorization": f"Bearer {child.key}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            said = int(answer.headers["X-RateLimit-Remaining"])
        child.stop()
        return child.key, said

    (first, one), (second, two), (_, anew) = left(), left(), left("--fresh")
    assert first != second
    assert (one, two, anew) == (59, 58, 59)


def test_options_that_it_cannot_take_are_an_error_not_a_wait(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    child = DemoChild(tmp_path / "shop.db", ["--plan", "gold"])
    with pytest.raises(OSError, match="exit code 2"):
        child.ready()
    child.stop()
    assert "gold" in capfd.readouterr().err


def test_stopping_before_it_is_ready_lets_go_of_whoever_waits(tmp_path: Path) -> None:
    child = DemoChild(tmp_path / "shop.db", ["--pets", "5"])
    child.stop()
    with pytest.raises((OSError, ValueError)):
        child.ready()


def test_it_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "shop.db")],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert parent.stdout is not None
    assert parent.stdin is not None
    url = parent.stdout.readline().strip()
    assert answers(url) == 401
    parent.kill()
    parent.wait()
    parent.stdin.close()
    parent.stdout.close()
    while answers(url):  # the test's own timeout is the deadline
        pass
