from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, Order, Ref
from tests.store.history.past_bench import KOI, NO_HISTORY, ORDERS, PETS, STOCK, PastBench, order, pet, stock, told_of

KAI = Ref(PETS, 2)


def test_before_the_first_whole_reading_nothing_is_a_change(bench: PastBench) -> None:
    bench.show(pet(1))
    bench.show(pet(1, "Kai"))
    assert bench.reader.span() == NO_HISTORY
    bench.walk(pet(1, "Kim"), pet(2))
    assert bench.changes() == []
    assert bench.reader.span() == told_of(bench.now, bench.now)
    assert set(bench.state()[PETS]) == {1, 2}


def test_each_field_that_an_answer_shows_changed_is_one_change_between_two_readings(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai", None))
    name, status = reversed(bench.of(KOI))
    assert bench.said() == [
        ("changed", "name", "Koi", "Kai", "elsewhere"),
        ("changed", "status", "available", None, "elsewhere"),
    ]
    assert {(one.seen_after, one.seen_by) for one in (name, status)} == {(1_002.0, 1_003.0)}
    assert name.title == "Kai"


def test_what_comes_and_goes_is_told_with_its_fields(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1), pet(2, "Kai"))
    bench.walk(pet(1))
    assert bench.said(KAI) == [("new", "", None, None, "elsewhere"), ("gone", "", None, None, "elsewhere")]
    gone, new = bench.of(KAI)
    assert dict(new.record) == dict(gone.record) == {"name": "Kai", "category_id": 1, "status": "available"}
    assert (new.seen_after, new.seen_by, gone.seen_after, gone.seen_by) == (1_001.0, 1_002.0, 1_002.0, 1_003.0)
    assert (gone.title, bench.reader.changes_between(0.0, 9e9)) == ("Kai", [])


def test_flags_and_texts_come_back_as_they_were(bench: PastBench) -> None:
    bench.walk(order(5, 1, complete=False), Order("ord_1", 1, 2))
    bench.walk(order(5, 1, complete=True, status="delivered"), Order("ord_1", 1, 3))
    assert bench.said(Ref(ORDERS, 5)) == [
        ("changed", "complete", False, True, "elsewhere"),
        ("changed", "status", None, "delivered", "elsewhere"),
    ]
    assert bench.said(Ref(ORDERS, "ord_1")) == [("changed", "quantity", 2, 3, "elsewhere")]
    assert bench.state(1_001.0)[ORDERS][5]["complete"] is False
    assert bench.state()[ORDERS][5]["complete"] is True


def test_the_state_of_any_moment_is_known(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.walk(pet(1, "Kai"), pet(3))
    bench.gone(KOI)
    first = bench.state(1_001.0)[PETS]
    assert {key: fields["name"] for key, fields in first.items()} == {1: "Koi", 2: "Koi"}
    assert {key: fields["name"] for key, fields in bench.state(1_002.5)[PETS].items()} == {1: "Kai", 3: "Koi"}
    assert set(bench.state()[PETS]) == {3}


def test_a_clock_that_is_set_back_does_not_change_the_order(bench: PastBench) -> None:
    bench.walk(pet(1, "A"))
    bench.now = 5_000.0
    bench.walk(pet(1, "B"))
    bench.now = 2_000.0
    bench.walk(pet(1, "C"))
    assert [one[2:4] for one in bench.said()] == [("A", "B"), ("B", "C")]
    assert bench.state(2_500.0)[PETS][1]["name"] == "C"
    assert bench.state(1_500.0)[PETS][1]["name"] == "A"
    assert [one.seen_after for one in reversed(bench.of(KOI))] == [1_001.0, 2_001.0], (
        "never later than what it comes before"
    )
    bench.walk(pet(1, "C"))
    bench.walk(pet(1, "D"))
    assert bench.of(KOI)[0].seen_after == 2_002.0, "the last reading counts, not the latest moment"


def test_a_page_of_a_list_that_is_cut_begins_no_history(bench: PastBench) -> None:
    bench.walk(pet(1), cut_at=1)
    bench.walk(pet(2), cut_at=1)
    assert (bench.changes(), bench.reader.span()) == ([], NO_HISTORY)
    bench.walk(stock(1, 5))
    assert bench.reader.span() == told_of(bench.now, bench.now, STOCK), "of the pets nothing is told"


def test_a_list_with_records_that_cannot_be_read_loses_none(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2), sweep=False)
    bench.walk(pet(1, "Kai"), sweep=False)
    assert (bench.said(), bench.said(KAI)) == ([("changed", "name", "Koi", "Kai", "elsewhere")], [])
    assert set(bench.state()[PETS]) == {1, 2}


def test_pieces_that_went_are_counted_decrease_by_decrease(bench: PastBench) -> None:
    for quantity in (10, 7, 12, 2):
        bench.walk(stock(1, quantity), stock(2, 5))
    assert bench.reader.units_gone(0.0) == {1: 13}
    assert bench.reader.units_gone(1_002.0) == {1: 10}
    bench.walk(stock(1, INT64_MAX), stock(2, 5))
    bench.walk(stock(1, INT64_MIN), stock(2, 5))
    assert bench.reader.units_gone(1_004.5) == {1: INT64_MAX - INT64_MIN}


def test_a_pets_history_has_its_stock_with_it(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(stock(1, 5))
    bench.walk(pet(1, "Kai"))
    bench.walk(stock(1, 4))
    found = bench.reader.changes_of(KOI)
    assert [(one.ref.resource, one.field, one.title) for one in found] == [
        (STOCK, "quantity", "Kai"),
        (PETS, "name", "Kai"),
    ]


# -- a mirror and a history that do not fit


def test_a_new_mirror_empties_no_history(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2), pet(3))
    bench.walk(pet(1), pet(2), pet(3))
    bench.new_mirror()
    bench.walk(pet(1, "Kai"), pet(3), pet(4))
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]
    assert bench.of(KOI)[0].seen_after == 1_002.0
    assert [one[0] for one in bench.said(KAI)] == ["gone"]
    assert [one[0] for one in bench.said(Ref(PETS, 4))] == ["new"]
    assert bench.said(Ref(PETS, 3)) == []
    assert bench.reader.span() == told_of(1_001.0, bench.now)


def test_what_a_new_mirror_does_not_show_yet_is_not_gone(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.new_mirror()
    bench.show(pet(1, "Kai"))
    assert (len(bench.said()), bench.said(KAI)) == (1, [])
    bench.reopen()
    bench.walk(pet(1, "Kai"))
    assert ([one[0] for one in bench.said(KAI)], len(bench.said())) == (["gone"], 1)


def test_a_kill_before_the_mirrors_commit_has_nothing_told_twice(bench: PastBench, monkeypatch) -> None:
    bench.walk(pet(1), pet(2))
    with pytest.raises(RuntimeError), monkeypatch.context() as patched:
        patched.setattr(type(bench.mirror), "_keep_sequence", lambda *_: _die())
        bench.show(pet(1, "Kai"))
    assert bench.mirror.get(KOI).record.name == "Koi"
    bench.reopen()
    bench.walk(pet(1, "Kai"), pet(2))
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]


def test_what_went_back_after_such_a_kill_is_found_by_the_next_whole_reading(bench: PastBench, monkeypatch) -> None:
    bench.walk(pet(1), pet(2))
    with pytest.raises(RuntimeError), monkeypatch.context() as patched:
        patched.setattr(type(bench.mirror), "_keep_sequence", lambda *_: _die())
        bench.show(pet(1, "Kai"), pet(3))
    bench.reopen()
    bench.walk(pet(1), pet(2))
    assert [one[2:4] for one in bench.said()] == [("Koi", "Kai"), ("Kai", "Koi")]
    assert [one[0] for one in bench.said(Ref(PETS, 3))] == ["new", "gone"]


def _die() -> None:
    raise RuntimeError


def test_a_history_that_lost_its_last_commits_is_brought_up_to_date_at_the_start(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.close()
    kept = bench.path.read_bytes()
    bench.open()
    bench.walk(pet(1, "Kai"), pet(3))
    bench.close()
    bench.path.write_bytes(kept)
    bench.open()
    bench.history.catch_up(bench.mirror)
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]
    assert ([one[0] for one in bench.said(KAI)], [one[0] for one in bench.said(Ref(PETS, 3))]) == (["gone"], ["new"])
    bench.walk(pet(1, "Kai"), pet(3))
    assert len(bench.changes()) == 3


def test_a_history_without_its_file_begins_anew_with_the_mirrors_rows(bench: PastBench) -> None:
    bench.walk(pet(1), pet(2))
    bench.close()
    bench.path.unlink()
    bench.open()
    bench.walk(pet(1), pet(2))
    assert (bench.changes(), set(bench.state()[PETS])) == ([], {1, 2})
    bench.walk(pet(1, "Kai"), pet(2))
    assert bench.said() == [("changed", "name", "Koi", "Kai", "elsewhere")]


def test_another_address_has_another_history(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    bench.close()
    bench.open("https://other.example")
    assert (bench.changes(), bench.state()) == ([], {})


def test_the_history_of_an_address_is_there_again_when_the_connection_has_it_back(bench: PastBench) -> None:
    bench.walk(pet(1))
    bench.walk(pet(1, "Kai"))
    bench.close()
    bench.open("https://other.example")
    bench.show(pet(1, "Other"))
    bench.new_mirror()
    assert (bench.said(), bench.told) == ([("changed", "name", "Koi", "Kai", "elsewhere")], [])
    bench.walk(pet(1, "Kim"))
    assert bench.said()[1:] == [("changed", "name", "Kai", "Kim", "elsewhere")]


def test_a_field_that_the_program_learns_later_is_no_change(bench: PastBench) -> None:
    bench.walk(pet(1))
    connection = bench.history._database.connection
    connection.execute("UPDATE shown SET fields = json_remove(fields, '$.status')")
    bench.walk(replace(pet(1), status="sold"))
    assert bench.changes() == []
    bench.walk(pet(1, status="pending"))
    assert bench.said() == [("changed", "status", "sold", "pending", "elsewhere")]
