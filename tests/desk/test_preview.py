from __future__ import annotations

from petstore_desktop.desk.preview import CellWish, Note, Preview
from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.desk.shopkit import small_shop

KOI, CLOWNFISH, SNAKE = (Ref(Resource.PETS, key) for key in (1234, 940, 1129))


def test_each_field_of_each_record_is_a_row_from_old_to_new() -> None:
    preview = Preview(small_shop(), [CellWish(KOI, "status", "Sold"), CellWish(CLOWNFISH, "category", "birds")])
    assert [(preview.old(row).text, new.text) for row in range(2) if (new := preview.new(row))] == [
        ("available", "sold"),
        ("Fish", "Birds"),
    ]
    assert preview.changes() == (
        NewChange(KOI, SetFields({"status": "sold"}), {"status": "available"}),
        NewChange(CLOWNFISH, SetFields({"category_id": 2}), {"category_id": 1}),
    )


def test_fields_of_one_record_stand_together_and_leave_as_one_change() -> None:
    wishes = [CellWish(KOI, "status", "sold"), CellWish(SNAKE, "name", "Bo"), CellWish(KOI, "name", "Kai")]
    preview = Preview(small_shop(), [*wishes, CellWish(KOI, "stock", "+5")])
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
    wishes = [
        CellWish(KOI, "category", "Dragons"),
        CellWish(KOI, "id", "5"),
        CellWish(Ref(Resource.PETS, 5), "name", "Nobody"),
        CellWish(SNAKE, "stock", "+5"),
        CellWish(SNAKE, "status", "sold"),
        CellWish(KOI, "stock", "-30"),
        CellWish(KOI, "status", "sold"),
    ]
    preview = Preview(small_shop(), wishes)
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


def test_a_creation_that_is_left_out_takes_along_what_names_it() -> None:
    cats = Ref(Resource.CATEGORIES, LocalId("cats"))
    tom = Ref(Resource.PETS, LocalId("tom"))
    new = [NewChange(cats, Create({"name": "Cats"})), NewChange(tom, Create({"name": "Tom", "category_id": cats.key}))]
    preview = Preview(small_shop(), [CellWish(KOI, "category", "cats")], new)
    after = preview.new(2)
    assert after is not None and after.text == "Cats"
    assert preview.changes() == (*new, NewChange(KOI, SetFields({"category_id": cats.key}), {"category_id": 1}))
    preview.tick(0, False)
    assert preview.changes() == ()
    assert [preview.note(row).code for row in range(3)] == ["left-out", "hangs", "hangs"]
    preview.tick(0, True)
    preview.mend(1, " Tim ")
    assert preview.changes()[1].intent == Create({"name": "Tim", "category_id": cats.key})
