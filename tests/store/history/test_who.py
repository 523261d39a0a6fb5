"""Who changed something: here only where an attempt of ours explains it."""

from __future__ import annotations

from typing import Any

from petstore_desktop.domain.records import LocalId, Ref
from petstore_desktop.domain.seen_changes import What
from petstore_desktop.store.history.recording import OwnAttempt
from tests.store.history.past_bench import KOI, ORDERS, PETS, STOCK, PastBench, order, pet, stock

KAI = Ref(PETS, 2)


def attempt(bench: PastBench, ref: Ref, what: What = What.CHANGED, along: tuple[Ref, ...] = (), **value: Any) -> None:
    bench.attempts.append(OwnAttempt(f"{len(bench.attempts)}@1.0", ref, what, value, along))


def who(bench: PastBench, ref: Ref = KOI) -> list[str]:
    return [one[4] for one in bench.said(ref)]


def test_the_answer_to_a_write_of_ours_is_ours_where_it_shows_what_was_sent(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.answer(pet(1, "Kai", "sold"), name="Kai")
    assert bench.said() == [
        ("changed", "name", "Koi", "Kai", "here"),
        ("changed", "status", "available", "sold", "elsewhere"),
    ]


def test_what_the_service_makes_of_our_own_write_is_ours(bench: PastBench) -> None:
    """An order that was completed here: "elsewhere: status Cancelled -> Completed"."""
    bench.walk(order(9, 1, complete=False, status="Open"))
    bench.answer(order(9, 1, complete=True, status="Completed"), complete=True)
    bench.answer(order(9, 2, complete=False, status="Open"), status="Open")
    assert [one[1:] for one in bench.said(Ref(ORDERS, 9))] == [
        ("complete", False, True, "here"),
        ("status", "Open", "Completed", "here"),
        ("pet_id", 1, 2, "elsewhere"),
        ("complete", True, False, "here"),
        ("status", "Completed", "Open", "here"),
    ]
    bench.show(order(9, 2, complete=True, status="Completed"))
    assert who(bench, Ref(ORDERS, 9))[5:] == ["elsewhere", "elsewhere"]


def test_an_edit_that_a_colleague_overtook_is_theirs(bench: PastBench) -> None:
    bench.walk(pet(1))
    attempt(bench, KOI, name="Ours")
    bench.answer(pet(1, "Theirs"), name="Ours")
    assert who(bench) == ["elsewhere"]
    bench.walk(pet(1, "Theirs again"))
    assert who(bench) == ["elsewhere", "elsewhere"]


def test_a_change_back_to_our_value_by_a_colleague_is_theirs(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.answer(pet(1, "Ours"), name="Ours")
    bench.walk(pet(1, "Theirs"))
    bench.walk(pet(1, "Ours"))
    assert who(bench) == ["here", "elsewhere", "elsewhere"]


def test_an_attempt_of_unknown_fate_explains_one_change_of_each_field(bench: PastBench) -> None:
    bench.walk(pet(1))
    attempt(bench, KOI, name="Ours", status="sold")
    bench.walk(pet(1, "Ours"))
    bench.reopen()
    bench.walk(pet(1, "Theirs"))
    bench.walk(pet(1, "Ours", "sold"))
    assert [one[1:] for one in bench.said()] == [
        ("name", "Koi", "Ours", "here"),
        ("name", "Ours", "Theirs", "elsewhere"),
        ("name", "Theirs", "Ours", "elsewhere"),
        ("status", "available", "sold", "here"),
    ]


def test_an_attempt_explains_neither_another_value_nor_another_record(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    attempt(bench, KOI, name="Ours")
    bench.walk(pet(1, "Theirs"), pet(2, "Ours"))
    assert (who(bench), who(bench, KAI)) == (["elsewhere"], ["elsewhere"])


def test_the_answer_after_a_reading_that_showed_it_uses_the_attempt_up(bench: PastBench) -> None:
    bench.walk(pet(1))
    attempt(bench, KOI, name="Ours")
    bench.answer(pet(1, "Ours"), name="Ours")
    bench.walk(pet(1, "Theirs"))
    bench.walk(pet(1, "Ours"))  # its end was never written down: it is still of unknown fate
    assert who(bench) == ["here", "elsewhere", "elsewhere"]


def test_a_record_made_here_is_ours_with_its_stock(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(stock(1, 5))
    bench.answer(pet(2), made=True, name="Koi")
    bench.walk(stock(1, 5), stock(2, 0))
    assert (who(bench, KAI), who(bench, Ref(STOCK, 2))) == (["here"], ["here"])
    bench.walk(pet(1), pet(2), pet(3))
    bench.walk(stock(1, 5), stock(2, 0), stock(3, 0))
    assert (who(bench, Ref(PETS, 3)), who(bench, Ref(STOCK, 3))) == (["elsewhere"], ["elsewhere"])


def test_a_creation_whose_answer_was_lost_explains_one_record(bench: PastBench) -> None:
    bench.walk(pet(1))
    attempt(bench, Ref(PETS, LocalId("a")), What.NEW, name="New", category_id=1)
    bench.walk(pet(1), pet(2, "New"), pet(4, "Other"))
    assert [who(bench, Ref(PETS, number)) for number in (2, 4)] == [["here"], ["elsewhere"]]


def test_where_two_new_records_are_as_one_creation_without_an_answer_neither_is_told_as_ours(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(stock(1, 5))
    attempt(bench, Ref(PETS, LocalId("a")), What.NEW, name="New", category_id=1)
    bench.walk(pet(1), pet(2, "New"))
    bench.walk(stock(1, 5), stock(2, 0))
    bench.walk(pet(1), pet(2, "New"), pet(3, "New"))
    bench.walk(stock(1, 5), stock(2, 0), stock(3, 0))
    refs = [Ref(resource, number) for resource in (PETS, STOCK) for number in (2, 3)]
    assert [who(bench, ref) for ref in refs] == [["elsewhere"]] * 4


def test_two_creations_without_an_answer_explain_two_new_records_and_no_third(bench: PastBench) -> None:
    bench.walk(pet(1))
    for name in ("a", "b"):
        attempt(bench, Ref(PETS, LocalId(name)), What.NEW, name="New", category_id=1)
    bench.walk(pet(1), pet(2, "New"), pet(3, "New"))
    assert [who(bench, Ref(PETS, number)) for number in (2, 3)] == [["here"], ["here"]]
    bench.walk(pet(1), pet(2, "New"), pet(3, "New"), pet(4, "New"))
    assert [who(bench, Ref(PETS, number)) for number in (2, 3, 4)] == [["elsewhere"]] * 3


def test_a_deletion_of_ours_has_its_stock_and_orders_with_it_until_the_next_whole_reading(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.walk(stock(1, 5), stock(2, 5))
    bench.walk(order(7, 1), order(8, 2), order(9, 1))
    attempt(bench, KOI, What.GONE, (Ref(STOCK, 1), Ref(ORDERS, 7), Ref(ORDERS, 9)))
    bench.gone(KOI, own=True)
    bench.walk(stock(2, 5))
    bench.walk(order(9, 1))
    bench.walk(of=ORDERS)
    assert (who(bench), who(bench, Ref(STOCK, 1))) == (["here"], ["here"])
    assert [who(bench, Ref(ORDERS, number)) for number in (7, 8, 9)] == [["here"], ["elsewhere"], ["elsewhere"]]


def test_a_record_that_our_deletion_found_gone_went_elsewhere(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    attempt(bench, KOI, What.GONE)
    bench.gone(KOI, own=None)
    attempt(bench, KAI, What.GONE)
    bench.gone(KAI)
    assert (who(bench), who(bench, KAI)) == (["elsewhere"], ["here"])


def test_a_record_that_the_service_said_we_made_is_ours_when_a_list_shows_it_and_once(bench: PastBench) -> None:
    bench.walk(pet(1))
    attempt(bench, KAI, What.NEW)
    bench.walk(pet(1), pet(2, "Any"), pet(3, "Any"))
    bench.walk(pet(1))
    bench.walk(pet(1), pet(2, "Any"))
    assert who(bench, KAI) == ["here", "elsewhere", "elsewhere"]
    assert who(bench, Ref(PETS, 3)) == ["elsewhere", "elsewhere"]


def test_what_the_service_writes_in_its_own_way_is_still_ours(bench: PastBench) -> None:
    bench.walk(order(1, 1), order(2, 1))
    bench.walk(pet(1), pet(2))
    bench.answer(pet(1, "Big Koi"), name=" Big  koi ")
    bench.answer(order(1, 1, ship_date="2026-12-01T10:00:00.000+0000"), ship_date="2026-12-01T10:00:00Z")
    attempt(bench, KAI, name="Kai ")
    bench.walk(pet(1, "Big Koi"), pet(2, "Kai"))
    assert (who(bench), who(bench, KAI), who(bench, Ref(ORDERS, 1))) == (["here"], ["here"], ["here"])


def test_stock_of_a_pet_made_here_goes_elsewhere_with_a_pet_that_does(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(stock(1, 5))
    bench.answer(pet(2), made=True, name="Koi")
    bench.answer(stock(2, 7), quantity=7)
    bench.gone(KAI)
    bench.walk(stock(1, 5))
    assert (who(bench, KAI), who(bench, Ref(STOCK, 2))) == (["here", "elsewhere"], ["here", "elsewhere"])


def test_stock_of_a_pet_that_comes_back_elsewhere_comes_from_there(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.walk(stock(1, 5), stock(2, 5))
    attempt(bench, KAI, What.GONE, (Ref(STOCK, 2),))
    bench.gone(KAI, own=True)
    bench.gone(Ref(STOCK, 2))
    bench.attempts.clear()
    bench.show(pet(2))
    bench.show(stock(2, 0))
    bench.gone(KAI)
    bench.gone(Ref(STOCK, 2))
    assert who(bench, Ref(STOCK, 2)) == ["here", "elsewhere", "elsewhere"]


def test_what_was_assumed_may_be_written_by_the_service_in_its_own_way(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    for ref, name in ((KOI, "big  koi"), (KAI, "kai")):
        bench.answer(pet(ref.key, name), name=name)
        bench.history.assumed(ref, bench.mirror.news)
    bench.walk(pet(1, "Big Koi"), pet(2, "Theirs"))
    bench.walk(pet(1, "big koi"), pet(2, "theirs"))
    assert who(bench) == ["here", "here", "elsewhere"]
    assert who(bench, KAI) == ["here", "elsewhere", "elsewhere"]
