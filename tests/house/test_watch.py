"""Each thing that must fail a test is planted once, under the project's own settings and conftest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis.internal.conjecture import providers

from tests.house.trees import copy_of_the_watched_house, plant, python

PLANTED = """
import gc, logging, threading, time, warnings
import pytest
from PySide6.QtCore import QTimer, qWarning

log = logging.getLogger("petstore_desktop.planted")

def test_logs_a_warning():
    log.warning("the mirror was set aside")

def test_logs_a_warning_in_a_thread_of_a_deaf_logger():
    logging.getLogger("petstore_desktop").propagate = False
    try:
        thread = threading.Thread(target=log.error, args=("the mirror was set aside",))
        thread.start()
        thread.join()
    finally:
        logging.getLogger("petstore_desktop").propagate = True

def test_expects_a_warning_that_does_not_come(expected_log):
    expected_log("set aside")

def test_warns():
    warnings.warn("soon gone", DeprecationWarning)

def test_raises_in_a_thread():
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()

def test_raises_in_a_destructor():
    class Broken:
        def __del__(self):
            raise RuntimeError("in a destructor")
    Broken()

def test_raises_in_a_slot(qtbot):
    QTimer.singleShot(1, lambda: 1 / 0)
    qtbot.wait(20)

def test_makes_qt_warn():
    qWarning("QPainter::begin: Paint device returned engine == 0")

def test_blocks_the_event_loop(qtbot):
    QTimer.singleShot(5, lambda: time.sleep(3))
    qtbot.wait(30)

def test_looks_for_garbage_in_a_thread():
    thread = threading.Thread(target=gc.collect)
    thread.start()
    thread.join()

@pytest.mark.expected_log("set aside")
def test_good_expects_by_marker():
    log.warning("the mirror was set aside")

def test_good_expects_by_fixture(expected_log):
    expected_log("set as.de")
    log.warning("the mirror was set aside")

@pytest.mark.heartbeat(ms=5000)
def test_good_blocks_and_says_so(qtbot):
    QTimer.singleShot(5, lambda: time.sleep(1.2))
    qtbot.wait(30)

def test_good_is_busy_itself_between_two_waits(qtbot):
    qtbot.wait(20)
    time.sleep(1.2)
    qtbot.wait(20)

def test_good_logs_what_nobody_has_to_see():
    log.info("opened")
"""
BAD = sorted(re.findall(r"def (test_(?!good)\w+)", PLANTED))
GOOD = sorted(re.findall(r"def (test_good\w+)", PLANTED))


def outcomes(said: str) -> dict[str, set[str]]:
    """Return, from the short summary, the words (PASSED, FAILED, ERROR) for each test."""
    found: dict[str, set[str]] = {}
    for word, name in re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED) \S+?::(\w+)", said, re.MULTILINE):
        found.setdefault(name, set()).add(word)
    return found


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    root = copy_of_the_watched_house(tmp_path_factory.mktemp("watched"))
    plant(root, {"tests/test_planted.py": PLANTED})
    return outcomes(python(root, "-m", "pytest", "-rA", "--tb=no", "-p", "no:cacheprovider").stdout)


@pytest.mark.parametrize("name", BAD)
def test_what_nobody_expected_fails_the_test(name: str, verdicts: dict[str, set[str]]) -> None:
    assert verdicts[name] & {"FAILED", "ERROR"}


@pytest.mark.parametrize("name", GOOD)
def test_what_was_expected_or_is_harmless_passes(name: str, verdicts: dict[str, set[str]]) -> None:
    assert verdicts[name] == {"PASSED"}


SKIPS = """
import pytest

def test_skips():
    pytest.skip("no time")

@pytest.mark.skip(reason="no time")
def test_is_marked():
    pass

@pytest.mark.xfail(reason="known")
def test_is_known_to_fail():
    assert False
"""


def run_skips(root: Path, text: str, **env: str) -> tuple[int, str]:
    copy_of_the_watched_house(root)
    plant(root, {"tests/test_planted.py": text})
    done = python(root, "-m", "pytest", "--tb=no", "-p", "no:cacheprovider", **env)
    return done.returncode, done.stdout


def test_a_skip_is_only_a_skip_outside_ci(tmp_path: Path) -> None:
    code, said = run_skips(tmp_path, SKIPS)
    assert (code, "2 skipped, 1 xfailed" in said) == (0, True)


def test_a_skip_is_a_failure_in_ci(tmp_path: Path) -> None:
    code, said = run_skips(tmp_path, SKIPS, CI="true")
    assert (code, "1 failed, 1 xfailed, 1 error" in said) == (1, True)


def test_a_module_that_skips_itself_is_a_failure_in_ci(tmp_path: Path) -> None:
    code, _ = run_skips(tmp_path, "import pytest\npytest.importorskip('no_such_module_at_all')\n", CI="true")
    assert code != 0


def test_what_is_drawn_does_not_hang_on_which_modules_are_loaded() -> None:
    assert len(providers._get_local_constants()) == 0
