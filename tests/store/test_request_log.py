from __future__ import annotations

import stat

import apsw
import msgspec
import pytest

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.store.request_log import DAYS, MOST, SendLog
from tests.store.failing_disk import failing_disk

NOW = 1_763_731_320.0
DAY = 86_400.0
ODD = SentRequest(NOW, RequestClass.BACKGROUND, "GET", "/pets?cursor=é", None, 12.25, 30.0, "deadline", True)


def sent(count: int, at: float = NOW) -> list[SentRequest]:
    return [SentRequest(at + n, RequestClass.PERSON, "GET", f"/pets/{n}", 200, 0.5, 0.25) for n in range(count)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "connections" / "shop" / "requests.db"


def kept(path, now: float = NOW, size: int = 1000) -> list[SentRequest]:
    """All that a log holds, oldest first."""
    log = SendLog(path, now)
    parts = list(log.earlier(size))
    log.close()
    return [one for part in reversed(parts) for one in part]


def test_what_was_sent_comes_back_as_it_was_at_the_next_start(path):
    log = SendLog(path, NOW)
    log.add([*sent(3), ODD])
    log.add([msgspec.structs.replace(ODD, status=429, lost="", probe=False)])
    log.close()
    assert kept(path) == [*sent(3), ODD, msgspec.structs.replace(ODD, status=429, lost="", probe=False)]


def test_the_newest_come_first_in_parts_and_each_part_is_in_order(path):
    log = SendLog(path, NOW)
    log.add(sent(25))
    log.close()
    log = SendLog(path, NOW)
    parts = list(log.earlier(10))
    log.close()
    assert [len(part) for part in parts] == [10, 10, 5]
    assert parts[0] == tuple(sent(25)[15:])
    assert parts[2] == tuple(sent(25)[:5])


def test_what_this_run_has_sent_is_not_earlier(path):
    log = SendLog(path, NOW)
    log.add(sent(4))
    assert list(log.earlier(10)) == []
    log.close()


def test_the_oldest_go_when_there_are_too_many(path):
    log = SendLog(path, NOW)
    for part in range(82):
        log.add(sent(250, NOW + part * 250))
    log.close()
    rows = kept(path)
    assert MOST <= len(rows) < MOST + 256
    assert rows[-1] == sent(250, NOW + 81 * 250)[-1]


def test_what_is_older_than_eight_days_goes_at_the_next_start(path):
    log = SendLog(path, NOW)
    log.add([*sent(2, NOW - DAYS * DAY - 10), *sent(2, NOW - DAYS * DAY + 10)])
    log.close()
    assert kept(path) == sent(2, NOW - DAYS * DAY + 10)


@pytest.mark.posix("a file has rights of its own")
def test_its_file_is_for_its_owner_alone(path):
    log = SendLog(path, NOW)
    log.add(sent(1))
    modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    log.close()
    assert modes == {0o600}


def test_a_damaged_log_is_set_aside_and_begins_anew(path):
    log = SendLog(path, NOW)
    log.add(sent(300))
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * 8192 + whole[12288:])
    log = SendLog(path, NOW)
    aside = log.set_aside
    log.add(sent(1))
    log.close()
    assert aside is not None
    assert aside.name.startswith("requests.db.damaged-")
    assert kept(path) == sent(1)


@pytest.mark.posix("a database that is opened to read can be locked alone")
def test_a_full_disk_is_said_and_costs_only_what_did_not_fit(path):
    with failing_disk() as disk:
        log = SendLog(path, NOW)
        log.add(sent(1))
        disk.fail_writes = apsw.FullError
        with pytest.raises(StorageError) as caught:
            log.add(sent(2, NOW + 10))
        disk.fail_writes = None
        log.add(sent(1, NOW + 20))
        log.close()
        assert caught.value.code == "disk-full"
        assert kept(path) == [*sent(1), *sent(1, NOW + 20)]
