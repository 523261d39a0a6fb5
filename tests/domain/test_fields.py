"""A field that is said at its record is said to everybody: what somebody forgot is found here, not by a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.desk.changes.change_lines import value_cell
from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.imports.import_layout import field_named, field_of
from petstore_desktop.domain.records import (
    ALL_SPECS,
    FIELD_SPECS,
    FIELDS,
    FIRST_MIRROR,
    FieldKind,
    FieldSpec,
    Resource,
)
from petstore_desktop.exchange import records_table
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.rows import COUNTS_SINCE, GAPS_SINCE, SCHEMA_VERSION, TOLD_SINCE
from petstore_desktop.store.sqlite.typed_apsw import connect
from petstore_desktop.ui.text.translate import column_title, field_word
from tests.desk.shopkit import small_shop

PAIRS = [(resource, spec) for resource in Resource for spec in FIELD_SPECS[resource]]


def each(*pairs: tuple[Resource, FieldSpec]) -> pytest.MarkDecorator:
    names = [f"{resource}.{spec.name}" for resource, spec in pairs]
    return pytest.mark.parametrize(("resource", "spec"), pairs, ids=names)


SAMPLES = {
    FieldKind.ID: 1,
    FieldKind.WORD: "sold",
    FieldKind.NUMBER: 7,
    FieldKind.FLAG: True,
    FieldKind.MOMENT: "2025-11-18",
}


@each(*PAIRS)
def test_a_field_has_a_column_and_a_title(resource: Resource, spec: FieldSpec) -> None:
    (column,) = [one for one in COLUMNS[resource] if one.field == spec.name]
    assert column.editable is spec.editable
    assert field_word(spec.name) != spec.name, "it has no title"
    assert column_title(resource, column.id) != column.id, "its column has no title"


@each(*PAIRS)
def test_a_field_comes_from_files_and_goes_into_them(resource: Resource, spec: FieldSpec) -> None:
    assert field_of(resource, spec.name) is not None
    assert field_named(resource, spec.name) == field_named(resource, spec.wire) == spec.name
    assert spec.name in {column.name for column in records_table.COLUMNS[resource]}


@each(*(pair for pair in PAIRS if pair[1].kind is not FieldKind.TEXT))
def test_a_change_of_a_field_that_is_no_text_is_shown_as_what_it_is(resource: Resource, spec: FieldSpec) -> None:
    assert value_cell(small_shop().shop, spec.name, SAMPLES[spec.kind]).kind != "text"


@pytest.mark.parametrize("resource", list(Resource))
def test_every_column_has_a_title(resource: Resource) -> None:
    for column in COLUMNS[resource]:
        assert column_title(resource, column.id) not in ("", column.id)


@pytest.mark.parametrize("resource", list(Resource))
def test_the_mirror_has_a_column_for_each_field(tmp_path: Path, resource: Resource) -> None:
    Mirror(tmp_path / "mirror.db").close()
    connection = connect(tmp_path / "mirror.db", 1)
    columns = {
        str(name): str(kind)
        for name, kind in connection.execute(f"SELECT name, type FROM pragma_table_info('{resource.value}')")
    }
    connection.close()
    types = {int: "INTEGER", str: "TEXT", bool: "INTEGER"}
    assert {name: columns.get(name) for name in FIELDS[resource]} == {
        spec.name: "ANY" if spec.kind is FieldKind.ID else types[spec.kind.type] for spec in FIELD_SPECS[resource]
    }


def test_each_later_field_has_a_version_of_the_mirror_of_its_own_and_may_be_missing() -> None:
    later = [spec for specs in FIELD_SPECS.values() for spec in specs if spec.mirrored_since > FIRST_MIRROR]
    assert sorted([COUNTS_SINCE, TOLD_SINCE, GAPS_SINCE, *(spec.mirrored_since for spec in later)]) == list(
        range(FIRST_MIRROR + 1, SCHEMA_VERSION + 1)
    )
    assert all(spec.optional for spec in later)


def test_a_record_is_known_by_an_id() -> None:
    assert {specs[0].kind for specs in ALL_SPECS.values()} == {FieldKind.ID}
