from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.preview import CellInput, Note, Preview, inputs_of
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.records import InventoryItem, LocalId, Pet, Ref, Resource
from tests.desk.shopkit import Journal, small_shop, tell

KOI, CLOWNFISH, SNAKE = (Ref(Resource.PETS, key) for key in (1234, 940, 1129))


def test_each_field_of_each_record_is_a_row_from_old_to_new() -> None:
    preview = Preview(small_shop(), [CellInput(KOI, "status", "Sold"), CellInput(CLOWNFISH, "category", "birds")])
    assert [(preview.old(row).text, new.text) for row in range(2) if (new := preview.new(row))] == [
        ("available", "sold"),
        ("Fish", "Birds"),
    ]
    assert preview.changes() == (
        NewChange(KOI, SetFields({"status": "sold"}), {"status": "available"}),
        NewChange(CLOWNFISH, SetFields({"category_id": 2}), {"category_id": 1}),
    )


def test_fields_of_one_record_stand_together_and_leave_as_one_change() -> None:
    inputs = [CellInput(KOI, "status", "sold"), CellInput(SNAKE, "name", "Bo"), CellInput(KOI, "name", "Kai")]
    preview = Preview(small_shop(), [*inputs, CellInput(KOI, "stock", "+5")])
    assert [(row.ref, row.column) for row in preview.rows] == [
        (KOI, "status"),
        (KOI, "name"),
        (KOI, "stock"),
        (SNAKE, "name"),
    ]
    assert [change.intent for change in preview.changes()] == [
        SetFields({"status": "sold", "name": "Kai"}),
        AddStock(5),
        SetFields({"name": "Bo"}),
    ]


def test_what_cannot_be_says_why_and_stands_in_the_way_of_nothing_else() -> None:
    inputs = [
        CellInput(KOI, "category", "Dragons"),
        CellInput(KOI, "id", "5"),
        CellInput(Ref(Resource.PETS, 5), "name", "Nobody"),
        CellInput(SNAKE, "stock", "+5"),
        CellInput(SNAKE, "status", "sold"),
        CellInput(KOI, "stock", "-30"),
        CellInput(KOI, "status", "sold"),
    ]
    preview = Preview(small_shop(), inputs)
    assert {preview.rows[row].column + str(preview.rows[row].ref.key): preview.note(row) for row in range(7)} == {
        "category1234": Note("no-such-category"),
        "id1234": Note("not-editable"),
        "name5": Note("no-such-record"),
        "stock1129": Note("no-stock-entry"),
        "status1129": Note("same"),
        "stock1234": Note("below-zero"),
        "status1234": Note("open-orders", 1),
    }
    assert len(preview.changes()) == 2
    assert not preview.tick(0, True)
    preview.mend(0, "Birds")
    assert preview.changes()[0].intent == SetFields({"category_id": 2, "status": "sold"})


def test_a_quantity_beyond_all_that_is_in_stock_is_noted_and_can_be_saved() -> None:
    order = Ref(Resource.ORDERS, 1)
    texts = ((KOI, "stock", "99999999999"), (CLOWNFISH, "stock", "+23900"), (order, "quantity", "5"))
    preview = Preview(small_shop(), [CellInput(*one) for one in texts])
    assert [preview.note(row).code for row in range(3)] == ["huge", "", ""]
    preview.mend(1, "+24000")
    preview.mend(2, "70000")
    assert [preview.note(row).code for row in range(3)] == ["huge", "huge", "huge"]
    assert len(preview.changes()) == 3


def test_many_creations_are_left_out_in_one_act() -> None:
    """Else a thousand times as many rows cost a million times as much."""
    looks = 0

    class Counted(LocalId, frozen=True):
        def __hash__(self) -> int:
            nonlocal looks
            looks += 1
            return super().__hash__()

    new = [NewChange(Ref(Resource.PETS, Counted(str(at))), Create({"name": str(at)})) for at in range(300)]
    preview = Preview(small_shop(), (), new)
    looks = 0
    assert preview.tick_all(range(300), False)
    assert looks < 3_000
    assert preview.changes() == ()
    assert preview.tick_all(range(300), True)
    assert len(preview.changes()) == 300


def test_a_creation_that_is_left_out_takes_along_what_names_it() -> None:
    cats = Ref(Resource.CATEGORIES, LocalId("cats"))
    tom = Ref(Resource.PETS, LocalId("tom"))
    new = [NewChange(cats, Create({"name": "Cats"})), NewChange(tom, Create({"name": "Tom", "category_id": cats.key}))]
    preview = Preview(small_shop(), [CellInput(KOI, "category", "cats")], new)
    after = preview.new(2)
    assert after is not None and after.text == "Cats"
    assert preview.changes() == (*new, NewChange(KOI, SetFields({"category_id": cats.key}), {"category_id": 1}))
    preview.tick(0, False)
    assert preview.changes() == ()
    assert [preview.note(row).code for row in range(3)] == ["left-out", "hangs", "hangs"]
    preview.tick(0, True)
    preview.mend(1, " Tim ")
    assert preview.changes()[1].intent == Create({"name": "Tim", "category_id": cats.key})


def test_an_order_that_would_be_made_has_no_name_to_mend() -> None:
    order = NewChange(Ref(Resource.ORDERS, LocalId("order")), Create({"pet_id": 1234, "quantity": 3}))
    preview = Preview(small_shop(), (), [order])
    assert not preview.mendable(0)
    preview.mend(0, "Dory 2")
    assert preview.changes() == (order,)


TEXTS = st.one_of(
    st.sampled_from(
        (
            "sold",
            "Pending",
            "fish",
            "BIRDS",
            "2",
            "#1",
            "+5",
            "-30",
            "=40",
            "7",
            "true",
            "open",
            "24.12.2025",
            "today",
            "",
        )
    ),
    st.text(max_size=8),
)
REFS = st.sampled_from(
    [Ref(Resource.PETS, key) for key in (1234, 940, 1129, 5)]
    + [Ref(Resource.ORDERS, key) for key in (1, 2, 3)]
    + [Ref(Resource.CATEGORIES, 1), Ref(Resource.INVENTORY, 1234), Ref(Resource.INVENTORY, 1129)]
)
COLUMN_IDS = ("name", "category", "status", "stock", "state", "ship_date", "quantity", "description", "id", "nonsense")
WISHES = st.lists(st.builds(CellInput, REFS, st.sampled_from(COLUMN_IDS), TEXTS), max_size=12)


def everything_shown(desk: Desk) -> dict[tuple[Ref, str], CellFacts]:
    """Every cell of the shop that can be edited, without its marks."""
    found: dict[tuple[Ref, str], CellFacts] = {}
    for resource, table in desk.tables.items():
        for key in list(table.keys()):
            for column in table.columns:
                if column.editable:
                    found[Ref(resource, key), column.id] = bare(table.cell_of(key, column.id))
    return found


def bare(facts: CellFacts) -> CellFacts:
    """The value alone: what it was before, what waits, and the name of the record that it names are other matters."""
    stock = None if facts.stock is None else replace(facts.stock, base=None, chip=None, low=False)
    return replace(facts, base=None, mark=None, stock=stock, text="" if stock or facts.ref else facts.text)


def shown_by(preview: Preview) -> dict[tuple[Ref, str], CellFacts]:
    """The cells that the preview changes, with what it says they become; a stock is shown in two tables."""
    found: dict[tuple[Ref, str], CellFacts] = {}
    for row, one in enumerate(preview.rows):
        if not one.ticked or preview.note(row) == Note("hangs"):
            continue
        new = preview.new(row)
        assert new is not None and one.valid
        twice = (Resource.PETS, Resource.INVENTORY) if one.column == "stock" else (one.ref.resource,)
        found |= {(Ref(resource, one.ref.key), one.column): bare(new) for resource in twice}
    return found


@given(WISHES, st.data())
def test_what_is_ticked_becomes_what_was_shown_and_nothing_else_changes(
    inputs: list[CellInput], data: st.DataObject
) -> None:
    desk = small_shop()
    for table in desk.tables.values():
        table.open()
    journal = Journal(desk)
    journal.act(Ref(Resource.INVENTORY, 940), AddStock(-2))
    preview = Preview(desk, inputs)
    for row in range(len(preview.rows)):
        done = data.draw(st.sampled_from(("", "", "out", "mend")))
        if done == "out":
            preview.tick(row, False)
        elif done == "mend" and preview.mendable(row):
            preview.mend(row, data.draw(TEXTS))
    said = [(preview.old(row), preview.note(row)) for row in range(len(preview.rows))]
    assert all(note.code for (_, note), row in zip(said, preview.rows, strict=True) if not row.ticked)
    expected = everything_shown(desk) | shown_by(preview)
    changes = preview.changes()
    assert len({(change.ref, type(change.intent)) for change in changes}) == len(changes)
    for change in changes:
        journal.act(change.ref, change.intent, base=change.base)
    assert everything_shown(desk) == expected
    counts = preview.tally().counts
    assert counts.going + counts.left_out + counts.wrong + counts.same == len(preview.rows) == len(inputs)


def test_changes_come_back_from_the_texts_that_would_make_them() -> None:
    desk = small_shop()
    changes = (
        NewChange(KOI, SetFields({"status": "sold", "category_id": 2}), {"status": "available", "category_id": 1}),
        NewChange(Ref(Resource.INVENTORY, 940), AddStock(-3), {"quantity": 22}),
        NewChange(
            Ref(Resource.ORDERS, 1), SetFields({"complete": True, "quantity": 7}), {"complete": False, "quantity": 2}
        ),
    )
    preview = Preview(desk, inputs_of(changes) or ())
    assert preview.changes() == changes
    assert inputs_of((NewChange(KOI, Delete()),)) is None


def test_what_moves_while_somebody_reads_is_left_out_until_it_is_ticked_again() -> None:
    desk = small_shop()
    preview = Preview(desk, [CellInput(KOI, "status", "sold"), CellInput(CLOWNFISH, "status", "sold")])
    preview.tick(1, False)
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "pending"), Pet(940, "Clownfish", 1, "available"))
    assert preview.renew({Resource.PETS: {1234, 940}})
    assert preview.old(0).text == "pending"
    assert [preview.note(row).code for row in range(2)] == ["moved", "left-out"]
    assert preview.tally().counts.moved == 1
    assert preview.changes() == ()
    preview.tick(0, True)
    assert preview.changes() == (NewChange(KOI, SetFields({"status": "sold"}), {"status": "pending"}),)
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "sold"))
    preview.renew({Resource.PETS: {1234}})
    assert preview.note(0) == Note("same")
    assert preview.changes() == ()
    tell(desk, Resource.PETS, Pet(1234, "Koi", 1, "available"))
    preview.renew({Resource.PETS: {1234}})
    assert preview.note(0) == Note("moved"), "it was said to cost nothing"
    assert preview.changes() == ()


def test_pieces_that_come_and_go_rest_on_no_old_stock() -> None:
    desk = small_shop()
    preview = Preview(desk, [CellInput(KOI, "stock", "+5"), CellInput(CLOWNFISH, "stock", "=7")])
    tell(desk, Resource.INVENTORY, InventoryItem(1234, 30), InventoryItem(940, 9))
    preview.renew({Resource.INVENTORY: {1234, 940}})
    assert [preview.note(row).code for row in range(2)] == ["", "moved"]
    assert [change.intent for change in preview.changes()] == [AddStock(5)]


def test_an_own_change_that_is_sent_meanwhile_leaves_nothing_out() -> None:
    desk = small_shop()
    journal, stock = Journal(desk), Ref(Resource.INVENTORY, 1234)
    booked = journal.act(stock, AddStock(3), base={"quantity": 24})
    preview = Preview(desk, [CellInput(KOI, "stock", "=0")])
    tell(desk, Resource.INVENTORY, InventoryItem(1234, 27))
    journal.move(booked, ChangeState.DONE)
    preview.renew({Resource.INVENTORY: {1234}})
    assert preview.note(0) == Note()
    assert len(preview.changes()) == 1


def test_what_there_is_no_reason_for_any_more_is_left_out_unless_a_person_ticks_it_again() -> None:
    desk, sold = small_shop(), {KOI, CLOWNFISH}
    preview = Preview(desk, [CellInput(KOI, "stock", "0"), CellInput(CLOWNFISH, "stock", "0")])
    preview.still = sold.__contains__
    sold.remove(KOI)
    assert preview.renew({Resource.PETS: {1234}})
    assert [preview.note(row).code for row in range(2)] == ["not-found", ""]
    assert [change.ref.key for change in preview.changes()] == [940]
    preview.tick(0, True)
    preview.renew({Resource.PETS: {1234}})
    assert len(preview.changes()) == 2


def test_a_cell_that_is_named_twice_is_done_once_as_it_is_named_last() -> None:
    preview = Preview(
        small_shop(), [CellInput(KOI, "stock", "+5"), CellInput(Ref(Resource.INVENTORY, 1234), "stock", "+1")]
    )
    assert [row.problem for row in preview.rows] == ["repeated", ""]
    assert [change.intent for change in preview.changes()] == [AddStock(1)]
    assert not preview.mendable(0)


def test_a_connection_that_may_only_be_read_changes_nothing() -> None:
    desk = small_shop()
    desk.shop.read_only = True
    preview = Preview(desk, [CellInput(KOI, "status", "sold"), CellInput(KOI, "stock", "+5")])
    assert {preview.note(row).code for row in range(2)} == {"read-only-connection"}
    assert preview.changes() == ()
