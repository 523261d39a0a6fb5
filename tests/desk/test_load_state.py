from __future__ import annotations

from petstore_desktop.contract.model import Contract
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import NotOffered, Unreachable
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.sync.wire.events import Link, LinkMoved, LoadEnded, LoadFailed, LoadMoved, MirrorRead
from tests.desk.shopkit import EVERYTHING, NOON, new_desk, small_shop, tell

PETS = Resource.PETS


def test_a_first_load_goes_from_reading_to_never_to_loading_to_ready() -> None:
    desk = new_desk()
    assert desk.load(PETS).phase == "reading"
    apply_event(desk, MirrorRead("shop", PETS, 0, None))
    assert desk.load(PETS).phase == "never"
    tell(desk, PETS, Pet(1, "Koi"))
    assert apply_event(desk, LoadMoved("shop", PETS, 1, 10)).loads == {PETS}
    loading = desk.load(PETS)
    assert (loading.phase, loading.done, loading.total, loading.rows) == ("loading", 1, 10, 1)
    apply_event(desk, LoadEnded("shop", PETS, NOON, gaps=Gaps(100, 1, ("one",))))
    ready = desk.load(PETS)
    assert (ready.phase, ready.as_of, ready.gaps) == ("ready", NOON, Gaps(100, 1, ("one",)))


def test_a_list_of_which_records_are_missing_is_not_whole() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "Koi"))
    apply_event(desk, LoadEnded("shop", PETS, NOON, gaps=Gaps(missing=1)))
    assert (desk.load(PETS).gaps.missing, desk.load(PETS).is_whole, PETS in desk.shop.whole) == (1, False, False)
    apply_event(desk, LoadEnded("shop", PETS, NOON))
    assert (desk.load(PETS).gaps.missing, desk.load(PETS).is_whole, PETS in desk.shop.whole) == (0, True, True)


def test_an_empty_shop_is_not_a_shop_that_was_never_read() -> None:
    desk = new_desk()
    apply_event(desk, LoadEnded("shop", PETS, NOON))
    assert desk.load(PETS).phase == "empty"
    apply_event(desk, MirrorRead("shop", Resource.ORDERS, 0, NOON))
    assert desk.load(Resource.ORDERS).phase == "empty"


def test_a_load_that_was_stopped_or_failed_keeps_the_age_of_what_is_here() -> None:
    desk = small_shop()
    apply_event(desk, MirrorRead("shop", PETS, 3, NOON - 60))
    apply_event(desk, LoadMoved("shop", PETS, 2, None))
    apply_event(desk, LoadEnded("shop", PETS, NOON, cancelled=True))
    assert (desk.load(PETS).phase, desk.load(PETS).as_of) == ("cancelled", NOON - 60)
    error = Unreachable()
    apply_event(desk, LoadFailed("shop", PETS, error))
    failed = desk.load(PETS)
    assert (failed.phase, failed.as_of, failed.error, failed.rows) == ("failed", NOON - 60, error, 3)
    apply_event(desk, LoadMoved("shop", PETS, 1, 3))
    assert desk.load(PETS).error is None


def test_the_mirror_read_late_does_not_end_a_load_that_began() -> None:
    desk = new_desk()
    apply_event(desk, LoadMoved("shop", PETS, 1, 10))
    apply_event(desk, MirrorRead("shop", PETS, 5, NOON - 60))
    assert (desk.load(PETS).phase, desk.load(PETS).as_of) == ("loading", NOON - 60)


def test_a_list_that_is_not_offered_says_so_unless_there_are_rows_to_show() -> None:
    desk = new_desk()
    tell(desk, PETS, Pet(1, "Koi"))
    desk.set_contract(Contract({}))
    assert desk.load(PETS).phase == "reading"
    assert new_desk().load(PETS).phase == "reading"
    empty = new_desk()
    empty.set_contract(Contract({}))
    assert empty.load(PETS).phase == "not-offered"
    empty.set_contract(EVERYTHING)
    assert empty.load(PETS).phase == "reading"


def test_rows_looked_up_one_by_one_are_no_failure_of_a_list_that_is_not_offered() -> None:
    desk = small_shop()
    apply_event(desk, LoadFailed("shop", PETS, NotOffered("not-offered")))
    assert desk.load(PETS).phase == "failed"
    desk.set_contract(Contract({}))
    assert (desk.load(PETS).phase, desk.load(PETS).error) == ("ready", None)


def test_the_connection_is_told_in_a_word() -> None:
    desk = new_desk()
    assert desk.connection_state().word == "reading"
    for resource in Resource:
        apply_event(desk, MirrorRead("shop", resource, 0, None))
    assert desk.connection_state().word == "never"
    apply_event(desk, MirrorRead("shop", PETS, 1, NOON - 60))
    apply_event(desk, MirrorRead("shop", Resource.ORDERS, 1, NOON - 90))
    assert (desk.connection_state().word, desk.connection_state().at) == ("as-of", NOON - 60)
    apply_event(desk, LinkMoved("shop", Link.LIVE, NOON))
    assert desk.connection_state().word == "live"
    apply_event(desk, LinkMoved("shop", Link.SILENT, NOON + 1))
    state = desk.connection_state()
    assert (state.word, state.at) == ("silent", NOON + 1)
    error = Unreachable()
    apply_event(desk, LinkMoved("shop", Link.OFFLINE, NOON + 5, error))
    state = desk.connection_state()
    assert (state.word, state.at, state.error) == ("offline", NOON + 5, error)
