"""What is no file, in every place where this program reads or writes one: pipes, folders, devices, sockets, links that
lead nowhere or to themselves, what may not be read, what is too large and what grows faster than it is read. Each is
answered, in words where somebody waits for them; none is waited for, and none is read without end.

`PLACES` are all places: a module that opens files and has none here fails the last test.
"""

from __future__ import annotations

import ast
import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from petstore_desktop import credentials, log
from petstore_desktop.adapters.crash_reports import CrashReports
from petstore_desktop.api.address import service_of
from petstore_desktop.api.http.certificates import read_certificates
from petstore_desktop.commands.changing import _content
from petstore_desktop.commands.profile import profile
from petstore_desktop.contract import cache, contract_files
from petstore_desktop.contract.binding.load import default, load_file
from petstore_desktop.data_folder import Places, refuse_newer, storage_errors, upgrade
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.own_acts import OwnActs
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.csv_reading import read_csv
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import RecordsFile
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.exchange.xlsx_reading import read_xlsx
from petstore_desktop.instance import Instance
from petstore_desktop.platform_support import brief_lock
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.keys import read_further
from petstore_desktop.session.rehearsal_folder import RehearsalFolder, read_made
from petstore_desktop.shop.own_files import read_views, write_views
from petstore_desktop.store.codes import export_codes, import_codes, read_codes, write_codes
from petstore_desktop.store.gates import Gates
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.unsent_count import open_changes
from petstore_desktop.store.minimums import read_minimums, valid_minimums
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader
from petstore_desktop.store.own_acts import read_acts, write_acts
from petstore_desktop.store.request_log import SendLog
from petstore_desktop.sync.jobs.salvage_lists import journal_set_aside
from tests.program import running
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
MOST_MEMORY = 600 * 1024 * 1024
"""Bytes that one of these may take: a list of 128 MiB, and what comes of it."""
ADDRESS = "https://no.invalid"
SHOP = ShopConnection("Shop", "shop", ADDRESS)
BOUND = cache.from_json(cache.to_json(default()))
"""A contract without the reasons for its bindings."""
OPENERS = {
    *("open_regular", "read_regular", "read_start", "read_looked_at", "refuse_other_kinds", "place_to_write"),
    *("brief_lock", "content_of", "copy_regular"),
}

Place = tuple[str, str, Callable[[Path], object]]
"""The module that opens it, the name that it has there, and what is done with its path."""


def beside(name: str) -> Callable[[Path], Path]:
    return lambda path: path.with_name(name)


def close(opened: object) -> None:
    getattr(opened, "close")()  # noqa: B009  whatever it is


def referring(path: Path) -> None:
    document = path.with_name("document.yaml")
    document.write_text(f"openapi: 3.0.0\npaths:\n  /pets:\n    $ref: '{path.name}#/x'\n", encoding="utf-8")
    load_file(str(document))


def with_mark(path: Path) -> None:
    refuse_newer(path.parent)
    upgrade(path.parent)


def logging_to(path: Path) -> None:
    before = log._handlers()
    log.start(path.parent)
    for handler in log._handlers():
        if handler not in before:
            log.logging.getLogger().removeHandler(handler)
            handler.close()


def archived(path: Path) -> None:
    with closing(Journal(path.with_name("journal.db"))) as journal:
        close(Archive(journal))


def logged_beside(path: Path) -> None:
    """`path` is the log of a journal that was there before."""
    close(Journal(path.with_name("journal.db")))


def rehearsed(path: Path) -> None:
    folder = RehearsalFolder(path.parent)
    folder.is_of(ADDRESS)
    read_made(folder)


class Command:
    """A command with a shop of its own; FILE stands for the path. It is a program, and so of the main thread, which
    hears Ctrl+C."""

    def __init__(self, *arguments: str) -> None:
        self._arguments = arguments

    def __call__(self, path: Path) -> None:
        with TemporaryDirectory() as data:
            places = Places(Path(data))
            PreferenceStore(places.preferences).save(Preferences(connections=(SHOP,)))
            close(Mirror(places.mirror("shop")))
            given = (str(path) if one == "FILE" else one for one in self._arguments)
            done = running.command(*given, "--data-dir", data)
            assert (done.returncode, "unexpected error" in done.stderr) == (1, False), done.stderr


def begin_reports(path: Path) -> None:
    reports = CrashReports(path.parent)
    reports.begin()
    reports.close()


def kept_keys(path: Path) -> None:
    """`keys.json` in the folder of a connection."""
    places = Places(path.parents[2])
    read_further(places, SHOP)


def told(read: Callable[..., object]) -> Callable[[Path], None]:
    """One format of an import, whose errors are told by who asks for it."""

    def work(path: Path) -> None:
        with storage_errors(path):
            read(path, SheetOptions(), lambda _: None)

    return work


def write_records(path: Path) -> None:
    file = RecordsFile(path, Resource.CATEGORIES, "csv", others=False)
    file.finish(0)
    file.discard()


PLACES: dict[str, Place] = {
    "an import": ("exchange.reading", "pets.csv", lambda path: read_sheet(path, SheetOptions(), lambda _: None)),
    "a list": ("exchange.csv_reading", "pets.csv", told(read_csv)),
    "a workbook": ("exchange.xlsx_reading", "pets.xlsx", told(read_xlsx)),
    "import": ("commands.changing", "pets.csv", lambda path: _content(str(path), Resource.PETS)),
    "import, the command": ("commands.changing", "pets.csv", Command("import", "Shop", "pets", "FILE")),
    "an export": ("exchange.whole_file", "pets.csv", write_records),
    "export, the command": ("commands.export", "pets.csv", Command("export", "Shop", "pets", "--out", "FILE")),
    "report, the command": (
        "exchange.whole_file",
        "week.pdf",
        Command("report", "Shop", "--week", "last", "--out", "FILE"),
    ),
    "a printed page": ("exchange.whole_file", "a.pdf", lambda path: keep_whole(path, b"a", over=True)),
    "preferences": ("preferences", "preferences.json", lambda path: PreferenceStore(path).load()),
    "preferences, written": ("preferences", "preferences.json", lambda path: PreferenceStore(path).save(Preferences())),
    "codes": ("store.own_file", "codes.json", read_codes),
    "codes, written": ("store.own_file", "codes.json", lambda path: write_codes(path, Codes())),
    "acts": ("store.own_file", "acts.json", read_acts),
    "acts, written": ("store.own_file", "acts.json", lambda path: write_acts(path, OwnActs())),
    "minimums": ("store.own_file", "minimums.json", read_minimums),
    "minimums, at a look": ("store.own_file", "minimums.json", valid_minimums),
    "codes of another computer": ("store.codes", "codes.json", import_codes),
    "codes for another computer": ("store.codes", "codes.json", lambda path: export_codes(path, Codes())),
    "views": ("shop.own_files", "views.json", read_views),
    "views, written": ("shop.own_files", "views.json", lambda path: write_views(path, [])),
    "certificates": ("api.http.certificates", "ca.pem", lambda path: read_certificates(str(path))),
    "a document": ("contract.document.local_file", "api.yaml", lambda path: load_file(str(path))),
    "a file beside a document": ("contract.document.local_file", "pets.yaml", referring),
    "the contract": ("contract.cache", "contract.json", lambda path: cache.read(path, ADDRESS)),
    "the contract, written": ("contract.cache", "contract.json", lambda path: cache.write(path, default())),
    "the survey": (
        "contract.contract_files",
        "operations.json",
        lambda path: contract_files.survey_of(path.with_name("contract.json"), BOUND),
    ),
    "the document, kept": (
        "contract.contract_files",
        "document.openapi",
        lambda path: contract_files.rebind(path.with_name("contract.json"), None, {}, default()),
    ),
    "names of keys": ("session.keys", "connections/shop/keys.json", kept_keys),
    "a rehearsal": ("session.rehearsal_folder", "rehearsal.json", rehearsed),
    "the mark of a rehearsal": ("session.rehearsal_folder", "service.sha256", rehearsed),
    "a list of unsent changes": (
        "sync.jobs.salvage_lists",
        "journal.db.damaged-1.unsent.json",
        lambda path: journal_set_aside(path.with_name("journal.db.damaged-1")),
    ),
    "a damaged journal": ("store.journal.salvage", "journal.db.damaged-1", journal_set_aside),
    "the mark of the data folder": ("data_folder", "data-version.json", with_mark),
    "what is copied before an upgrade": ("data_folder", "other.json", with_mark),
    "the lock of the data folder": ("platform_support", "running.lock", lambda path: Instance(path.parent).release()),
    "the lock of a folder": ("data_folder", "files.lock", lambda path: lock(path)),
    "the log": ("log", "petstore.log", logging_to),
    "crash reports": ("adapters.crash_reports", "crash-running", begin_reports),
    "the journal": ("store.sqlite.typed_apsw", "journal.db", lambda path: close(Journal(path))),
    "the journal, counted": ("store.journal.unsent_count", "journal.db", open_changes),
    "the log of the journal": ("store.sqlite.wal_check", "journal.db-wal", logged_beside),
    "the log of the journal, counted": (
        "store.sqlite.wal_check",
        "journal.db-wal",
        lambda path: open_changes(path.with_name("journal.db")),
    ),
    "earlier changes": ("store.sqlite.database", "journal-archive.db", archived),
    "the mirror": ("store.sqlite.database", "mirror.db", lambda path: close(Mirror(path))),
    "the mirror, read": ("store.sqlite.typed_apsw", "mirror.db", lambda path: close(MirrorReader(path, ADDRESS))),
    "the history": (
        "store.sqlite.database",
        "history.db",
        lambda path: close(ShopHistory(path, ADDRESS, lambda: 0.0)),
    ),
    "the history, read": ("store.sqlite.typed_apsw", "history.db", lambda path: PastReader(path, ADDRESS).span()),
    "pauses": ("store.gates", "gates.db", lambda path: close(Gates(path))),
    "requests": ("store.sqlite.database", "requests.db", lambda path: close(SendLog(path, 0.0))),
}


def lock(path: Path) -> None:
    with brief_lock(path, alone=True):
        pass


# ---------------------------------------------------------------- what is no file


@contextlib.contextmanager
def a_pipe(path: Path) -> Iterator[None]:
    os.mkfifo(path)
    yield
    with contextlib.suppress(OSError):  # whoever waits for it hears its end
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))


@contextlib.contextmanager
def a_socket(path: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as one, contextlib.chdir(path.parent):
        one.bind(path.name)
        yield


@contextlib.contextmanager
def growing(path: Path) -> Iterator[None]:
    """Faster than it is read, up to what fits anywhere."""
    over = threading.Event()

    def grow() -> None:
        with path.open("ab") as file:
            while not over.is_set() and file.tell() < 1 << 28:
                file.write(b"1,2,3\n" * 50_000)

    path.write_bytes(b"1,2,3\n" * 1_000)
    thread = threading.Thread(target=grow)
    thread.start()
    yield
    over.set()
    thread.join()


@contextlib.contextmanager
def plainly(make: Callable[[Path], object], path: Path) -> Iterator[None]:
    make(path)
    yield


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)  # of holes


def unreadable(path: Path) -> None:
    path.write_bytes(b"secret")
    path.chmod(0)


KINDS: dict[str, Callable[[Path], contextlib.AbstractContextManager[None]]] = {
    "pipe": a_pipe,
    "socket": a_socket,
    "growing": growing,
    "folder": lambda path: plainly(Path.mkdir, path),
    "endless device": lambda path: plainly(lambda one: one.symlink_to("/dev/zero"), path),
    "full device": lambda path: plainly(lambda one: one.symlink_to("/dev/full"), path),
    "terminal": lambda path: plainly(lambda one: one.symlink_to("/dev/tty"), path),
    "link to nowhere": lambda path: plainly(lambda one: one.symlink_to("nowhere"), path),
    "link to itself": lambda path: plainly(lambda one: one.symlink_to(one.name), path),
    "huge": lambda path: plainly(huge, path),
    "unreadable": lambda path: plainly(unreadable, path),
}


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "ALLOWED", frozenset[str]())


@pytest.mark.posix("pipes have names in folders")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_is_no_file_is_answered(place, tmp_path, capsys):
    _, name, work = PLACES[place]
    for kind, made in KINDS.items():
        path = tmp_path / kind / name
        path.parent.mkdir(parents=True)
        with made(path):
            assert answered(work, path) is None, (place, kind)
    assert "unexpected error" not in capsys.readouterr().err


def answered(work: Callable[[Path], object], path: Path) -> BaseException | str | None:
    """None for a result or an error that a person is told in words; else what came, or that nothing came. A command
    that waits without end meets the bound of every test."""
    ends = list[BaseException | None]()

    def run() -> None:
        try:
            work(path)
            ends.append(None)
        except (ShopError, OSError) as error:
            ends.append(None if isinstance(error, ShopError) or path.name in TOLERATED else error)
        except BaseException as error:  # noqa: BLE001  whatever it is
            ends.append(error)

    if isinstance(work, Command):
        run()
    else:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(PATIENCE_S)
    return ends[0] if ends else "it hangs"


TOLERATED = {"contract.json"}
"""What is written there is disposable, and who writes it does without."""


def save_profile(path: Path) -> None:
    with TemporaryDirectory() as data:
        places = Places(Path(data))
        PreferenceStore(places.preferences).save(Preferences(connections=(SHOP,)))
        places.connection("shop").mkdir(parents=True)
        cache.write(places.contract("shop"), replace(default(), address=service_of(ADDRESS)))
        assert profile(data, "Shop", str(path)) == 0


NAMED = {
    "an export": lambda path: keep_whole(path, b"rows", over=True),
    "codes": lambda path: export_codes(path, Codes()),
    "profile": save_profile,
}
"""What writes where a person says."""


@pytest.mark.parametrize("write", NAMED.values(), ids=NAMED)
def test_what_a_person_names_and_is_no_file_stays_as_it_is(write, tmp_path):
    """It was replaced by a file, where the rights were there."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/full")
    (tmp_path / "gone").symlink_to("nowhere")
    for name in ("pipe", "device", "gone"):
        with pytest.raises((ShopError, OSError)):
            write(tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    assert all((tmp_path / name).is_symlink() for name in ("device", "gone"))
    assert {one.name for one in tmp_path.iterdir()} == {"pipe", "device", "gone"}


@pytest.mark.parametrize("write", NAMED.values(), ids=NAMED)
def test_a_link_to_a_file_stays_one_when_it_is_written(write, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "pets.csv").write_bytes(b"old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real" / "pets.csv")
    write(tmp_path / "link.csv")
    assert (tmp_path / "real" / "pets.csv").read_bytes() != b"old"
    assert (tmp_path / "link.csv").is_symlink()


def test_every_module_that_opens_files_has_its_place_here():
    opening = {module for module, names in called().items() if names & OPENERS} - {"regular_files"}
    assert opening == {module for module, _, _ in PLACES.values()}


def called() -> dict[str, set[str]]:
    """The functions that each module calls which names one that opens files."""
    package = ROOT / "petstore_desktop"
    sources = {path: path.read_text("utf-8") for path in package.rglob("*.py")}
    return {
        ".".join(path.relative_to(package).with_suffix("").parts): {
            node.func.id
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        for path, source in sources.items()
        if any(name in source for name in OPENERS)
    }
