"""What a person chose for labels, as it is kept for the next time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, cast, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.desk.labels.design import Content
from petstore_desktop.desk.labels.patterns import CodeKind
from petstore_desktop.desk.labels.sheets import FIRST_SHEET, SHEETS, LabelSheet, sheet_json, sheet_of_json
from petstore_desktop.domain.records import JsonValue

KEPT: Final = "labels"
"""The name under which the window keeps them."""
Copies = Literal["received", "stock", "each"]
"""How many labels a pet gets: as many as were received, as many as are in stock, or the same number for each."""
KINDS: tuple[CodeKind, ...] = ("code128", "qr", "none")
MOST_COPIES: Final = 1_000
MOST_OWN: Final = 50
MOST_LINE: Final = 200
_PARTS: Final = ("name", "id", "category", "own_line")


class LabelChoices(Struct, frozen=True):
    """`sheet`: a name in SHEETS or of an own size; `starts`: of each sheet the first free place, from 0; `codes`: of
    pets with numbers and of pets with texts as ids the kind of code."""

    sheet: str = FIRST_SHEET
    starts: Mapping[str, int] = field(default_factory=dict[str, int])
    copies: Copies = "each"
    count: int = 1
    content: Content = field(default_factory=Content)
    own_line: str = ""
    codes: Mapping[str, CodeKind] = field(default_factory=dict[str, CodeKind])
    own: Mapping[str, LabelSheet] = field(default_factory=dict[str, LabelSheet])

    @property
    def label_sheet(self) -> LabelSheet:
        """The sheet or roll that is chosen."""
        return self.own.get(self.sheet) or SHEETS.get(self.sheet) or SHEETS[FIRST_SHEET]

    @property
    def start(self) -> int:
        """The first free place of the chosen sheet, from 0."""
        return min(self.starts.get(self.sheet, 0), self.label_sheet.per_page - 1)

    def with_start(self, place: int) -> LabelChoices:
        """A copy that begins at this place of the chosen sheet."""
        return replace(self, starts={**self.starts, self.sheet: place})

    def with_own(self, name: str, sheet: LabelSheet) -> LabelChoices:
        """A copy with this own size, which is chosen."""
        return replace(self, sheet=name, own={**self.own, name: sheet})

    def without_own(self, name: str) -> LabelChoices:
        """A copy without this own size."""
        own = {one: sheet for one, sheet in self.own.items() if one != name}
        return replace(self, sheet=FIRST_SHEET if self.sheet == name else self.sheet, own=own)

    def free_name(self) -> str:
        """A name for another own size."""
        return next(name for number in range(1, MOST_OWN + 2) if (name := f"own-{number}") not in self.own)


def choices_json(choices: LabelChoices) -> dict[str, JsonValue]:
    """The choices as they are kept."""
    return {
        "sheet": choices.sheet,
        "starts": dict(choices.starts),
        "copies": choices.copies,
        "count": choices.count,
        "parts": [part for part in _PARTS if getattr(choices.content, part)],
        "own_line": choices.own_line,
        "codes": dict(choices.codes),
        "own": {name: sheet_json(sheet) for name, sheet in choices.own.items()},
    }


def choices_of_json(kept: Mapping[str, object]) -> LabelChoices:
    """The choices as they were kept; what cannot be read is as at first."""
    own = {name: sheet for name, value in _items(kept, "own") if (sheet := sheet_of_json(value)) is not None}
    starts = {name: value for name, value in _items(kept, "starts") if isinstance(value, int) and value >= 0}
    codes: dict[str, CodeKind] = {
        name: kind for name, value in _items(kept, "codes") for kind in KINDS if kind == value
    }
    sheet, copies, count = kept.get("sheet"), kept.get("copies"), kept.get("count")
    parts, line = kept.get("parts"), kept.get("own_line")
    return LabelChoices(
        sheet if isinstance(sheet, str) and sheet in {*SHEETS, *own} else FIRST_SHEET,
        starts,
        cast("Copies", copies) if copies in get_args(Copies) else "each",
        count if isinstance(count, int) and 1 <= count <= MOST_COPIES else 1,
        Content(**{part: part in parts for part in _PARTS}) if isinstance(parts, list) else Content(),
        line[:MOST_LINE] if isinstance(line, str) else "",
        codes,
        dict(list(own.items())[:MOST_OWN]),
    )


def _items(kept: Mapping[str, object], name: str) -> list[tuple[str, object]]:
    value = kept.get(name)
    return list(cast("Mapping[str, object]", value).items()) if isinstance(value, Mapping) else []
