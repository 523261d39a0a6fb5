"""What holds for every test.

A test fails on: a Python warning, an exception in a thread, an exception nobody could raise further, a Qt warning
(pytest and pytest-qt, told so in pyproject.toml), a log record of WARNING or above, and, in tests with a window, an
event loop that stood still for over a second, a thread that touched Qt (tests/support/qt_threads.py), and a Python
object left for an item of a layout. With CI set in the environment a skipped test fails as well.

Where a warning is what the test is about:
    @pytest.mark.expected_log("mirror .* set aside")    # or the fixture: expected_log("mirror .* set aside")
    @pytest.mark.qt_log_ignore("regular expression")    # Qt's messages, see pytest-qt
    @pytest.mark.heartbeat(ms=3000)                      # a GUI test that has a reason to block
With PETSTORE_TESTS_EAGER set, garbage is looked for before and after each wait, too (petstore_desktop/garbage.py).
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if missing := [name for name in ("hypothesis", "pytestqt", "pytest_timeout", "PySide6") if find_spec(name) is None]:
    sys.exit(f"this Python lacks {', '.join(missing)}: run python3 packaging/dev.py test")

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import translations
from petstore_desktop.app import import_plainly
from petstore_desktop.garbage import collect_here, keep_what_is_there
from tests.support.elsewhere import expect_what_is_lacking, under_wine
from tests.support.layout_items import kept_layout_items
from tests.support.patience import PATIENCE_S
from tests.support.qt_threads import watched_threads
from tests.support.watch import HEARTBEAT_BOUND_MS, Heartbeat, LogWatch

if TYPE_CHECKING:
    from tests.support.tls import Authority

# How long a machine takes to make or to run an example is no matter of a test. What fails was caused by what was
# changed: the examples are always the same; `dev.py long drawn` draws others.
settings.register_profile("anew", deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
settings.register_profile("test", settings.get_profile("anew"), derandomize=True, max_examples=40)
settings.load_profile("test")

# The tests start hundreds of programs, and several processes collect them: what was compiled once is kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A key of the person who runs the tests must not reach them, nor they that person's keyring.
for _name in ("PETSTORE_API_KEY", "DBUS_SESSION_BUS_ADDRESS", "PYTHONHASHSEED"):
    os.environ.pop(_name, None)

for _name in (
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
):  # nor their proxy stand between a test and a server
    os.environ.pop(_name, None)
    os.environ.pop(_name.upper(), None)

# What is in memory is there at once: the tests write many small files, and wait for each to be on disk.
MEMORY, ROOM = Path("/dev/shm"), 2**31
if MEMORY.is_dir() and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# Nor may the tests reach that person's data (XDG Base Directory Specification): a test, or a program that it starts,
# which forgets --data-dir writes here.
_SCRATCH = tempfile.mkdtemp(prefix="petstore-tests-")
atexit.register(shutil.rmtree, _SCRATCH, ignore_errors=True)
os.environ.update(dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), _SCRATCH))

if sys.platform == "win32":  # where Qt's screen that is none knows no fonts
    os.environ.setdefault("QT_QPA_FONTDIR", str(Path(os.environ["WINDIR"]) / "Fonts"))
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":  # whose own screen is smaller than the window
    _SCREENS = Path(_SCRATCH) / "screens.json"
    _SCREENS.write_text(json.dumps({"screens": [{"name": "tests", "width": 1600, "height": 1000, "logicalDpi": 96}]}))
    _PLACE = _SCREENS.as_posix().removeprefix(_SCREENS.drive)  # to Qt a colon is the end of it
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={_PLACE}"
# Else a picture is painted by threads, of which each waits for a core that other tests have.
os.environ["QT_NO_GUI_THREADPOOL"] = "1"


collect = collect_here(old_every=50)
EAGER = bool(os.environ.get("PETSTORE_TESTS_EAGER"))


@pytest.hookimpl(trylast=True)  # after pytest-qt, which loads Qt
def pytest_configure(config: pytest.Config) -> None:
    """What the program reads and nobody keeps in the repository is made first, once for all processes."""
    import_plainly()
    if settings.get_current_profile_name() == "test":
        # Else Hypothesis draws from the constants of all modules of ours: others by themselves than among all tests,
        # and others after a change of anything.
        providers.is_local_module_file = lambda _: False
    if not hasattr(config, "workerinput") and (code := translations.compile_all()):
        pytest.exit(f"the languages cannot be compiled (exit code {code}): run python3 packaging/dev.py setup", 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[object]:
    """What holds for all tests of a process is set once, as each fixture of each test takes its time."""
    if session.items and not session.config.option.collectonly:
        from petstore_desktop.store.sqlite import database  # late: a command of pytest may only list the tests
        from tests.support.made_once import made_once

        database.migrate = made_once
        _be_patient()
    try:
        return (yield)
    finally:  # what the last test copied would end this process with a crash (see clear_own_clipboard)
        gui = sys.modules.get("PySide6.QtGui")
        # A command has a QCoreApplication, which knows of no clipboard.
        if gui is not None and isinstance(gui.QGuiApplication.instance(), gui.QGuiApplication):
            gui.QGuiApplication.clipboard().clear()


def _be_patient() -> None:
    """pytest-qt gives up waiting after five seconds unless told; on a busy machine that proves nothing."""
    from pytestqt.qtbot import QtBot  # late: who has no test with a window

    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitActive, QtBot.waitExposed):
        wait.__kwdefaults__["timeout"] = round(PATIENCE_S * 1000)
        if EAGER:
            setattr(QtBot, wait.__name__, _between_collections(wait))


def _between_collections(work: Callable[..., Any]) -> Callable[..., Any]:
    def done(*given: Any, **named: Any) -> Any:
        collect()
        said = work(*given, **named)
        collect()
        return said

    return done


@pytest.fixture(scope="session")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority for certificates that only who has its file trusts."""
    from tests.support.tls import Authority  # late: few tests want one

    return Authority(tmp_path_factory.mktemp("ours"))


@pytest.fixture(autouse=True)
def _watched(request: pytest.FixtureRequest) -> Iterator[LogWatch]:
    """Fail a test in which something happened that none may do unnoticed. One fixture watches for all of it: each costs
    every test a third of a millisecond."""
    window = bool({"qapp", "qtbot"} & set(request.fixturenames))
    with LogWatch() as watch, _garbage() as garbage, _with_a_window(request) if window else nullcontext([]) as found:
        for marker in request.node.iter_markers("expected_log"):
            watch.expect(*marker.args)
        yield watch
    if said := [*watch.complaints(), *garbage, *found]:
        pytest.fail("\n".join(said), pytrace=False)


@pytest.fixture
def expected_log(_watched: LogWatch) -> Callable[[str], None]:
    """Call with a regular expression: a matching record is allowed, and must come."""
    return _watched.expect


@contextmanager
def _garbage() -> Iterator[list[str]]:
    """Find who looks for cyclic garbage in another thread: widgets among it would be destroyed there."""
    here, found = threading.get_ident(), list[str]()

    def look(phase: str, _: object) -> None:
        if phase == "start" and threading.get_ident() != here:
            found.append(f"garbage was looked for in {threading.current_thread().name}")

    gc.callbacks.append(look)
    yield found
    gc.callbacks.remove(look)


@contextmanager
def _with_a_window(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Find an event loop that stands still, threads that touch Qt, and Python objects for items of layouts, which Qt
    deletes without a word (see `forget_items`)."""
    request.getfixturevalue("qapp")
    found = list[str]()
    heartbeat = Heartbeat()
    heartbeat.start()
    with watched_threads() as threads:
        yield found
    heartbeat.stop()
    marker = request.node.get_closest_marker("heartbeat")
    bound = float(marker.kwargs["ms"]) if marker else HEARTBEAT_BOUND_MS
    if (worst := max(heartbeat.stills_ms(), default=0.0)) > bound:
        found.append(f"the event loop stood still for {worst:.0f} ms (bound {bound:.0f} ms)")
    found.extend(threads.found)
    if kinds := kept_layout_items():
        found.append(f"Python objects stand for items of layouts: {', '.join(kinds)}")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, which a run in one process does without
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Whole files, the longest first."""
    if config.getvalue("dist") != "loadfile":
        return None
    from tests.support.longest_first import LongestFirst  # late: only the process that deals the files out

    return LongestFirst(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What this system lacks is expected to fail (tests/support/elsewhere.py)."""
    expect_what_is_lacking(items, wine=under_wine())


def pytest_collection_finish() -> None:
    """What was imported stays to the end: no look for garbage goes through it again, as in the program."""
    collect()
    keep_what_is_there()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Garbage goes with the test that left it. What outlives the tests of a file is looked through once: caches,
    modules and reports of thousands of tests would take longer with each of them."""
    yield
    collect()
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        keep_what_is_there()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    return _no_skip(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    return _no_skip(report)


def _no_skip(report):
    """Turn a skip into a failure where nobody would look at it (an expected failure stays what it is)."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which is a failure in CI: {report.longrepr}"
    return report
