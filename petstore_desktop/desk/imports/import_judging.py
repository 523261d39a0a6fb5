"""What one row of a file would do: nothing, change a record, make one, or why it cannot be taken."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.columns import COLUMNS, COLUMNS_BY_ID
from petstore_desktop.desk.imports.import_fields import KEY_OF
from petstore_desktop.desk.imports.import_layout import Layout
from petstore_desktop.desk.imports.import_matching import Cells, Match, Matcher, Problem, problem_of
from petstore_desktop.desk.imports.import_reading import Reader, Unknown
from petstore_desktop.desk.imports.import_values import Formats
from petstore_desktop.desk.model.capabilities import ACTIONS
from petstore_desktop.desk.preview.preview import CellInput
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.changes import Create, NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import ContentId, FieldValue, Key, LocalId, Ref, Resource, key_to_text

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.sheets import Sheet


class RowKind(StrEnum):
    """What comes of a row."""

    CHANGED = "changed"
    NEW = "new"
    SAME = "same"
    WRONG = "wrong"


class Judged(Struct, frozen=True):
    """The result for one row: the record and its new values, a new record, or the errors. One that is the same has its
    record only where changes of that are shown."""

    kind: RowKind
    ref: Ref | None = None
    inputs: tuple[CellInput, ...] = ()
    new: NewChange | None = None
    problems: tuple[Problem, ...] = ()
    unknown: tuple[str, ...] = ()
    """Names of categories that must be made first."""
    stocked: bool = False
    """Whether it is a new pet with a stock, which cannot be booked before the service knows the pet."""

    @property
    def problem(self) -> Problem | None:
        """The first thing that is wrong."""
        return self.problems[0] if self.problems else None


SAME: Final = Judged(RowKind.SAME)


class CategoryCreator:
    """Makes a category the first time that its name is asked for."""

    def __init__(self, desk: Desk) -> None:
        self._acts = desk.acts
        self._made: dict[str, NewChange] = {}

    def of(self, name: str) -> NewChange | None:
        """The creation of this category; None where there can be none."""
        folded = fold(name.strip())
        if folded not in self._made:
            made = self._acts.create(Resource.CATEGORIES, {"name": name})
            if isinstance(made, BadInput):
                return None
            self._made[folded] = made
        return self._made[folded]


class Judge:
    """Compares rows with the records of a desk."""

    def __init__(self, desk: Desk, sheet: Sheet, layout: Layout, formats: Formats) -> None:
        self._desk, self._shop, self._resource = desk, desk.shop, layout.resource
        self.matcher = Matcher(desk.shop, layout)
        self.coming: CategoryCreator | None = None
        """Makes the categories that are not there, where that is wanted."""
        self.leaving_stock = False
        """Whether the stock of new pets is left out."""
        self._typed = desk.acts.typed()
        self._reader = Reader(desk, sheet, layout, formats, self.matcher)
        self._fields = tuple(name for name in layout.fields if name and name != KEY_OF[layout.resource])
        self._obstacles: dict[str, str] = {}
        self._called = {"booking": "stock", **{column.field: column.id for column in COLUMNS[layout.resource]}}
        """The columns of the table that show fields."""

    def judge(self, match: Match, cells: Cells) -> Judged:
        """What one row comes to."""
        if match.key is None:
            return self._new(cells)
        ref = Ref(self._resource, match.key)
        inputs: list[CellInput] = []
        problems: list[Problem] = []
        unknown: list[str] = []
        for name in self._fields:
            if name not in cells or (self.matcher.by != "id" and name in self.matcher.identifying):
                continue
            cell_input = self._judge_cell(ref, name, cells, unknown)
            if isinstance(cell_input, Problem):
                problems.append(cell_input)
            elif cell_input is not None:
                inputs.append(cell_input)
        if problems:
            return Judged(RowKind.WRONG, ref, problems=tuple(problems), unknown=tuple(unknown))
        if inputs:
            return Judged(RowKind.CHANGED, ref, tuple(inputs), unknown=tuple(unknown))
        return Judged(RowKind.SAME, ref) if self._desk.is_changed(ref) else SAME

    def _judge_cell(self, ref: Ref, name: str, cells: Cells, unknown: list[str]) -> CellInput | Problem | None:
        """What a cell changes; an unknown category's name is added to `unknown`."""
        text = self._reader.input_text(ref, name, cells)
        if isinstance(text, Unknown):
            unknown.append(text.name)
            key = self._made(text)
            text = key if isinstance(key, Problem) else key_to_text(key)
        if text is None or isinstance(text, Problem):
            return text
        cell_input = CellInput(ref, self._called.get(name, name), text)
        going = self._going(cell_input, name)
        return going if isinstance(going, Problem) else cell_input if going else None

    def _made(self, unknown: Unknown) -> Key | Problem:
        """A category that is to be made; a problem where that is not wanted."""
        made = None if self.coming is None else self.coming.of(unknown.name)
        return Problem("unknown-category", "category", {"name": unknown.name}) if made is None else made.ref.key

    def _going(self, cell_input: CellInput, name: str) -> Problem | bool:
        """Why the desk does not take an input; else whether it changes anything."""
        column = COLUMNS_BY_ID[self._resource].get(cell_input.column)
        if column is None:
            return Problem("not-editable", name)
        code = self._obstacle(cell_input.ref.key, column)
        if code:
            return Problem(code, name)
        if name == "ship_date" or (column.choices == "category" and cell_input.text.startswith("local:")):
            return True
        act = self._desk.acts.set_from_text(cell_input.ref, cell_input.column, cell_input.text, self._typed)
        return problem_of(act, name) if isinstance(act, BadInput) else act is not None

    def _obstacle(self, key: Key, column: Column) -> str:
        of_stock = Resource.INVENTORY if column.kind == "stock" else self._resource
        plain = isinstance(key, int | str) and self._shop.overlay.of(Ref(of_stock, key)) is None
        if not plain or column.kind == "stock":
            return self._desk.obstacle(column, Ref(self._resource, key))
        if column.id not in self._obstacles:
            self._obstacles[column.id] = self._desk.obstacle(column, None, self._resource)
        return self._obstacles[column.id]

    # ---- new records

    def _new(self, cells: Cells) -> Judged:
        action = ACTIONS.get((self._resource, "new"))
        allowed = None if action is None else self._desk.allowed(action)
        if allowed is None or not allowed.ok:
            code = "not-offered" if allowed is None else allowed.reason
            return Judged(RowKind.WRONG, problems=(Problem("no-new", "", {"reason": code}),))
        fields: dict[str, FieldValue] = {}
        problems: list[Problem] = []
        unknown: list[str] = []
        for name in self._fields:
            value = self._value(name, cells, unknown) if name in cells else None
            target = {"category": "category_id", "pet": "pet_id"}.get(name, name)
            if isinstance(value, Problem):
                problems.append(value)
            elif value is not None and not isinstance(value, ContentId) and target not in fields:
                fields[target] = value
        made = problems[0] if problems else self._create(fields)
        if isinstance(made, BadInput):
            problems.append(problem_of(made, self._blamed(made)))
        stocked = "stock" in cells
        if not isinstance(made, NewChange):
            return Judged(RowKind.WRONG, problems=tuple(problems), unknown=tuple(unknown), stocked=stocked)
        return Judged(RowKind.NEW, made.ref, new=made, unknown=tuple(unknown), stocked=stocked)

    def _value(self, name: str, cells: Cells, unknown: list[str]) -> FieldValue | Key | Problem:
        """What a cell says; an unknown category's name is added to `unknown`."""
        if name == "stock" and self.leaving_stock:
            return None
        value = self._reader.value(name, cells)
        if not isinstance(value, Unknown):
            return value
        unknown.append(value.name)
        return self._made(value)

    def _create(self, fields: dict[str, FieldValue]) -> NewChange | BadInput:
        category = fields.get("category_id")
        if not isinstance(category, LocalId) or category in self._shop.stores[Resource.CATEGORIES]:
            return self._desk.acts.create(self._resource, fields)
        # It is not there yet, so the rest is checked as a category would be, which needs a name too.
        bare = self._desk.acts.create(Resource.CATEGORIES, {"name": fields.get("name")})
        if isinstance(bare, BadInput) or not isinstance(bare.intent, Create):
            return bare
        return NewChange(Ref(self._resource, LocalId.new()), Create({**fields, **bare.intent.fields}))

    def _blamed(self, error: BadInput) -> str:
        name = str(error.params.get("field", ""))
        shown = {"category_id": "category", "pet_id": "pet"}.get(name, name)
        return shown if shown in self._fields else name
