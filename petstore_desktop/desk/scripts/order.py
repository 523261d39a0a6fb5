"""What a command asks for, and how far it has come: as plain values that go from one program to another as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, cast

from msgspec import Meta, Struct, ValidationError, convert, field, to_builtins

from petstore_desktop.desk.imports.import_values import DateOrder
from petstore_desktop.domain import errors
from petstore_desktop.domain.errors import BadInput, ShopError
from petstore_desktop.domain.records import JsonValue, Resource, ServiceId

Json: TypeAlias = Mapping[str, JsonValue]
MOST_ERRORS: Final = 200
"""How many wrong rows are named one by one."""
Point: TypeAlias = Literal["", "point", "comma"]
"""What stands before the fraction of a number, "" where that was not said."""
Text: TypeAlias = Annotated[str, Meta(max_length=4096)]
"""A path may be so long."""


class WorkOrder(Struct, frozen=True):
    """Rows of a file to be imported (`file`), or one booking (`pet` and `amount`).

    `batch`: a uuid hex made by who asks: the same one is never saved twice; `save`: else it is only said what it would
    come to; `dates`, `numbers`, `encoding`: how the file is written, where that was said; `content`: 32 hex digits
    that name what the file holds; `again`: its bookings and new records are made though they were made before.
    """

    batch: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    connection: Text
    resource: Resource
    save: bool
    file: Text = ""
    pet: Text = ""
    amount: Text = ""
    dates: DateOrder = ""
    numbers: Point = ""
    encoding: Text = ""
    content: Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")] = ""
    again: bool = False

    def to_json(self) -> Json:
        """As `read_order` understands it."""
        return to_builtins(self)


def read_order(said: Json) -> WorkOrder:
    """Understand an order that another program sent. Raises BadInput."""
    try:
        return convert(said, WorkOrder)
    except ValidationError as wrong:
        raise BadInput("order-unreadable") from wrong


class WrongRow(Struct, frozen=True):
    """Why a row of the file is left out: its number in the file, the name of the field at fault, and a code with
    what fills its words."""

    row: int
    name: str
    code: str
    params: Json = field(default_factory=dict[str, JsonValue])


State: TypeAlias = Literal["reading", "comparing", "pricing", "saving", "sending", "over"]


class Booked(Struct, frozen=True):
    """The pet that is booked or counted, its stock as it is known here, None without one, and what that becomes."""

    id: ServiceId
    name: str
    before: int | None
    after: int | None


class WorkProgress(Struct):
    """How far an order has come.

    `rows`: the file's rows by what comes of them; `wrong`: the first MOST_ERRORS of those that are left out;
    `missing`: how many rows the file itself says that it lacks; `unused`: columns of it that are no field;
    `demands`: what goes with each new record because the service demands it, with the values that it gets;
    `requests` and `seconds`: what the changes cost, None where that is not known; `total`: the changes of the batch,
    and `counts` their states; `earlier`: changes saved before that wait too, of `before` at the beginning; `open_rows`:
    the rows that are the same only by changes that the service has not taken; `repeated`: the changes that an earlier
    import of the same bookings made; `made_before`: the rows of which an earlier import made records; `blocked`: of the
    batch, those that wait for earlier changes about which a person decides. `cause` and `until`: why and until when
    (UTC epoch seconds) nothing is sent; `since`: when the service could first not be reached. `error`: why it came to
    nothing; `obstacle`: why it would, of an order that only asks. `otherwise`: how many records were made with other
    values than were sent, where this process hears of it. `booked`: of an order about one pet, which, and its stock.
    """

    batch: str = ""
    state: State = "reading"
    rows: dict[str, int] = field(default_factory=dict[str, int])
    wrong: list[WrongRow] = field(default_factory=list[WrongRow])
    missing: int = 0
    unused: list[str] = field(default_factory=list[str])
    demands: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    requests: int | None = 0
    seconds: float | None = 0.0
    total: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    earlier: int = 0
    before: int = 0
    open_rows: int = 0
    repeated: int = 0
    made_before: int = 0
    blocked: int = 0
    paused: bool = False
    cause: str = ""
    until: float | None = None
    since: float | None = None
    error: ShopError | None = None
    obstacle: ShopError | None = None
    otherwise: int = 0
    booked: Booked | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it by itself."""
        return self.state == "over"

    def to_json(self) -> Json:
        """As `read_progress` understands it."""
        return to_builtins(self, enc_hook=_error_json)


def read_progress(said: Json) -> WorkProgress:
    """What a running program of ours answers. Raises BadInput where it is none."""
    try:
        return convert({"state": None, **said}, WorkProgress, dec_hook=lambda _, error: _error(error))
    except (ValidationError, KeyError) as wrong:
        raise BadInput("order-unreadable") from wrong


def _error_json(error: ShopError) -> Json:
    return {"kind": type(error).__name__, "code": error.code, "params": _plain(error.params)}


def _error(said: Mapping[str, object]) -> ShopError:
    """The same error in this program."""
    kind = getattr(errors, str(said["kind"]), ShopError)
    params = cast("dict[str, object]", said["params"])
    if not isinstance(kind, type) or not issubclass(kind, ShopError):
        raise TypeError("an error of no known kind")
    return kind(str(said["code"]), **params)


def _plain(params: Mapping[str, object]) -> dict[str, JsonValue]:
    """What fills an error's words, as JSON has it."""
    return {name: plain_value(value) for name, value in params.items() if name != "raw"}


def plain_value(value: object) -> JsonValue:
    """A value of an error's words as JSON has it."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [plain_value(one) for one in cast("tuple[object, ...]", value)]
    return str(value)
