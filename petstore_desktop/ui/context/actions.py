"""Every action of the window, as data. `action_set` makes QActions of them, menus and tool bars arrange them by name.

Text holds the mnemonic (`&`); a text that ends in "…" asks something first. Keys are portable text for QKeySequence,
or a standard key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from PySide6.QtGui import QKeySequence

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.ui.context.navigation import Station

Keys: TypeAlias = str | QKeySequence.StandardKey | None
_Std = QKeySequence.StandardKey


class Need(Enum):
    """What must be there before an action can do something."""

    NOTHING = auto()
    ROW = auto()
    """A current row in a table."""
    ROWS = auto()
    """At least one selected row."""
    ANY = auto()
    """A current row, or selected ones."""
    COPY = auto()
    """Selected rows, or a page that can be copied without any."""


class ActionSpec(Struct, frozen=True):
    """One action. `act` is the desk's name of what the service must allow for it ("" for nothing; `{one}` and `{many}`
    stand for the shown tab's resource); `only` are the tabs where it means something, empty for all."""

    name: str
    text: Callable[[], str]
    menu: str = ""
    icon: str = ""
    keys: Keys = None
    need: Need = Need.NOTHING
    act: str = ""
    only: tuple[Resource, ...] = ()
    separated: bool = False
    """A line stands before it in its menu."""
    missing: str = ""
    """Why the program cannot do it yet where the service offers it, as a reason of `Allowed`."""
    field: str = ""
    """The field that it sets, where the service may take others only."""
    checks: tuple[str, ...] = ()
    """The data checks by which its list is filtered where it means something, empty for any filter."""
    of_all: Callable[[], str] | None = None
    """Its text where it is about all rows shown, and not about several that are selected."""
    shown_key: str = ""
    """A key that works without the action (it types in editable cells), said for information."""


MENUS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("file", lambda: tr("&File")),
    ("edit", lambda: tr("&Edit")),
    ("view", lambda: tr("&View")),
    ("shop", lambda: tr("&Shop")),
    ("help", lambda: tr("&Help")),
)

SUBMENUS: tuple[tuple[str, str, Callable[[], str], str], ...] = (
    ("views", "view", lambda: tr("Vie&ws"), ""),
    ("reports", "file", lambda: tr("Reports &by week and month"), "report"),
)
"""Name, the menu in which it stands, text, and after which action it stands there; without one before all else."""

_PETS, _CATEGORIES, _ORDERS, _STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
_LISTED = tuple(Resource)


def _on_rows(
    name: str, text: Callable[[], str], icon: str, keys: str, act: str, resource: Resource, separated: bool = False
) -> ActionSpec:
    """What the selected rows of one list are set to."""
    return ActionSpec(name, text, "shop", icon, keys, Need.ROWS, act, (resource,), separated)


STATIONS: tuple[Station, ...] = ("receive", "stocktake", "labels")
"""The stations of the stock room that are there, in their order: each is an action too."""
_STATION_ACTIONS: Mapping[Station, ActionSpec] = {
    "receive": ActionSpec("receive", lambda: tr("Receive"), "shop", "receive", "F8", act="edit-stock", separated=True),
    "stocktake": ActionSpec("stocktake", lambda: tr("Stocktake"), "shop", "stocktake", "F9", act="edit-stock"),
    "labels": ActionSpec("labels", lambda: tr("Labels"), "shop", "labels", "Ctrl+L"),
}

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("newPet", lambda: tr("New &pet…"), "file", "plus", "Ctrl+N", act="new-pet"),
    ActionSpec("newCategory", lambda: tr("New &category…"), "file", "plus", "Ctrl+Shift+N", act="new-category"),
    ActionSpec("newOrder", lambda: tr("Ne&w order…"), "file", "plus", "Ctrl+Shift+O", act="new-order"),
    ActionSpec("newStock", lambda: tr("New s&tock entry…"), "file", "plus", missing="made-with-pet"),
    ActionSpec("importFile", lambda: tr("I&mport…"), "file", "import", "Ctrl+Shift+I", separated=True),
    ActionSpec("exportList", lambda: tr("&Export this list…"), "file", "export", "Ctrl+Shift+E", only=_LISTED),
    ActionSpec("print", lambda: tr("Pr&int this list…"), "file", "print", _Std.Print, only=_LISTED),
    ActionSpec("report", lambda: tr("&Report…"), "file", "", "Ctrl+Shift+R"),
    ActionSpec("reportThisWeek", lambda: tr("Weekly report: &this week…"), "reports"),
    ActionSpec("reportLastWeek", lambda: tr("Weekly report: &last week…"), "reports"),
    ActionSpec("reportThisMonth", lambda: tr("Monthly report: t&his month…"), "reports"),
    ActionSpec("reportLastMonth", lambda: tr("Monthly report: l&ast month…"), "reports"),
    ActionSpec("connectShop", lambda: tr("Connect &another shop…"), "file", separated=True),
    ActionSpec("connectionSettings", lambda: tr("Connection &settings…"), "file"),
    ActionSpec("operations", lambda: tr("&Operations…"), "file"),
    ActionSpec("changeKey", lambda: tr("Change &key…"), "file"),
    ActionSpec("checkConnection", lambda: tr("C&heck the connection…"), "file"),
    ActionSpec("preferences", lambda: tr("Pre&ferences…"), "file", "", _Std.Preferences, separated=True),
    ActionSpec("quit", lambda: tr("&Quit"), "file", "", "Ctrl+Q", separated=True),
    ActionSpec("undo", lambda: tr("&Undo"), "edit", "undo", _Std.Undo),
    ActionSpec("redo", lambda: tr("&Redo"), "edit", "", _Std.Redo),
    ActionSpec("copy", lambda: tr("&Copy"), "edit", "copy", _Std.Copy, Need.COPY, separated=True),
    ActionSpec(
        "copyWithHeaders", lambda: tr("Copy with &headers"), "edit", "", "Ctrl+Shift+C", Need.ROWS, only=_LISTED
    ),
    ActionSpec("copyId", lambda: tr("Cop&y id"), "edit", "", None, Need.ROWS),
    ActionSpec("paste", lambda: tr("&Paste"), "edit", "", _Std.Paste, Need.ROW, only=_LISTED),
    ActionSpec("fillDown", lambda: tr("Fill dow&n"), "edit", "", "Ctrl+D", Need.ROW, only=_LISTED),
    ActionSpec("fillSelection", lambda: tr("Fill the bloc&k"), "edit", "", "Ctrl+Return", Need.ROW, only=_LISTED),
    ActionSpec("selectAll", lambda: tr("Select &all"), "edit", "", _Std.SelectAll),
    ActionSpec("selectRows", lambda: tr("Select &whole rows"), "edit", "", "Shift+Space", Need.ROW, only=_LISTED),
    ActionSpec("selectColumns", lambda: tr("Select whole columns"), "edit", "", "Ctrl+Space", Need.ROW, only=_LISTED),
    ActionSpec(
        "editCell",
        lambda: tr("Ed&it cell"),
        "edit",
        "",
        "F2",
        Need.ROW,
        only=_LISTED,
        separated=True,
    ),
    ActionSpec("editStock", lambda: tr("Edit &stock"), "edit", "pencil", None, Need.ROW, "edit-stock", (_STOCK,)),
    ActionSpec("edit", lambda: tr("&Edit…"), "edit", "pencil", "Ctrl+E", Need.ANY, "edit-{one}", tuple(Resource)),
    ActionSpec(
        "delete", lambda: tr("&Delete"), "edit", "trash", _Std.Delete, Need.ROWS, "delete-{one}", (_PETS, _CATEGORIES)
    ),
    ActionSpec("palette", lambda: tr("Search or &jump to…"), "edit", "search", "Ctrl+K", separated=True),
    ActionSpec("find", lambda: tr("&Filter"), "edit", "search", _Std.Find),
    ActionSpec("filterColumn", lambda: tr("Filter this colu&mn"), "edit", "", "Ctrl+Shift+F", only=tuple(Resource)),
    ActionSpec("clearFilter", lambda: tr("C&lear filter"), "edit"),
    ActionSpec("filterByThis", lambda: tr("Filter &by this"), "edit", "", None, Need.ROW),
    ActionSpec("leaveOut", lambda: tr("E&xclude this"), "edit", "", None, Need.ROW),
    ActionSpec("back", lambda: tr("&Back"), "view", "", "Alt+Left"),
    ActionSpec("forth", lambda: tr("&Forward"), "view", "", "Alt+Right"),
    ActionSpec("details", lambda: tr("&Details"), "view", "", "Ctrl+I", separated=True),
    ActionSpec("history", lambda: tr("&History"), "view", "", None, Need.ROW),
    ActionSpec("chooseColumns", lambda: tr("Col&umns shown"), "view", "columns", only=tuple(Resource)),
    ActionSpec("fitColumns", lambda: tr("Fit co&lumns"), "view"),
    ActionSpec("freezeColumns", lambda: tr("Free&ze columns up to here"), "view", "", None, Need.ROW, only=_LISTED),
    ActionSpec("letColumnsGo", lambda: tr("Unfr&eeze columns"), "view", only=_LISTED),
    ActionSpec("resetColumns", lambda: tr("&Reset columns"), "view"),
    ActionSpec("todayTab", lambda: tr("&Today"), "view", "sun", "Alt+T", separated=True),
    ActionSpec("petsTab", lambda: tr("&Pets"), "view", "paw", "Alt+P"),
    ActionSpec("categoriesTab", lambda: tr("&Categories"), "view", "tag", "Alt+C"),
    ActionSpec("ordersTab", lambda: tr("&Orders"), "view", "receipt", "Alt+O"),
    ActionSpec("inventoryTab", lambda: tr("&Inventory"), "view", "box", "Alt+I"),
    ActionSpec("activityTab", lambda: tr("&Activity"), "view", "tray-up", "Alt+A"),
    ActionSpec("nextTab", lambda: tr("&Next tab"), "view", "", "Ctrl+PgDown"),
    ActionSpec("previousTab", lambda: tr("Pre&vious tab"), "view", "", "Ctrl+PgUp"),
    ActionSpec(
        "chooseView",
        lambda: tr("C&hoose a view…"),
        "views",
        only=tuple(Resource),
        separated=True,
        shown_key="Ctrl+1 – Ctrl+9",
    ),
    ActionSpec("saveHere", lambda: tr("Save &changes of this view"), "views", separated=True),
    ActionSpec("backToView", lambda: tr("Disc&ard changes of this view"), "views"),
    ActionSpec("saveView", lambda: tr("&Save view…"), "views", separated=True),
    ActionSpec("renameView", lambda: tr("&Rename this view…"), "views"),
    ActionSpec("deleteView", lambda: tr("&Delete this view"), "views"),
    ActionSpec("moveViewUp", lambda: tr("Move this view &up"), "views"),
    ActionSpec("moveViewDown", lambda: tr("Move this view d&own"), "views"),
    ActionSpec("exportViews", lambda: tr("&Export views…"), "views", separated=True),
    ActionSpec("importViews", lambda: tr("&Import views…"), "views"),
    ActionSpec("mendViews", lambda: tr("Res&tore built-in views"), "views"),
    ActionSpec("refresh", lambda: tr("R&efresh"), "shop", "refresh", "F5", act="refresh-{many}"),
    ActionSpec("lookUp", lambda: tr("Loo&k up by id…"), "shop", "search", "Ctrl+G", act="look-up-{many}"),
    ActionSpec("checkLive", lambda: tr("Check &live"), "shop", "live", "Shift+F5", Need.ROW, "check-live"),
    _on_rows(
        "setAvailable", lambda: tr("Set a&vailable"), "available", "Alt+1", "set-available", _PETS, separated=True
    ),
    _on_rows("setPending", lambda: tr("Set pendin&g"), "pending", "Alt+2", "set-pending", _PETS),
    _on_rows("setSold", lambda: tr("Set &sold"), "sold", "Alt+3", "set-sold", _PETS),
    ActionSpec(
        "reserve", lambda: tr("Reserve for a caller…"), "shop", "receipt", "Alt+R", Need.ROW, "reserve-pet", (_PETS,)
    ),
    _on_rows("reopenOrder", lambda: tr("M&ark open"), "open", "Alt+1", "edit-order", _ORDERS, separated=True),
    _on_rows("completeOrder", lambda: tr("&Mark complete"), "check", "Alt+2", "complete-order", _ORDERS),
    _on_rows("cancelOrder", lambda: tr("Cancel or&der…"), "", "Alt+3", "cancel-order", _ORDERS),
    ActionSpec(
        "copySentence",
        lambda: tr("Copy the &sentence"),
        "shop",
        "copy",
        None,
        Need.ROW,
        only=(_ORDERS,),
        shown_key="Ctrl+Shift+C",
    ),
    ActionSpec(
        "openPet", lambda: tr("&Go to its pet"), "shop", "", None, Need.ROW, only=(_ORDERS, _STOCK), separated=True
    ),
    ActionSpec("openCategory", lambda: tr("Go to its c&ategory"), "shop", "", None, Need.ROW, only=(_PETS, _STOCK)),
    ActionSpec("openOrders", lambda: tr("Show its o&rders"), "shop", "", None, Need.ROW, only=(_PETS, _STOCK)),
    ActionSpec("openStock", lambda: tr("Go to its s&tock"), "shop", "", None, Need.ROW, only=(_PETS, _ORDERS)),
    ActionSpec(
        "minimumStock",
        lambda: tr("&Minimum stock…"),
        "shop",
        "low",
        None,
        Need.ROWS,
        only=(_PETS, _CATEGORIES, _STOCK),
        separated=True,
    ),
    ActionSpec("barCodes", lambda: tr("Bar codes…"), "shop"),
    ActionSpec(
        "stockToZero",
        lambda: tr("Set stock to &0…"),
        "shop",
        "box",
        act="edit-stock",
        only=(_PETS, _STOCK),
        separated=True,
        checks=("sold-with-stock", "below-zero"),
        of_all=lambda: tr("Set all stock shown to &0…"),
    ),
    ActionSpec(
        "giveCategory",
        lambda: tr("P&ut into a category…"),
        "shop",
        "tag",
        act="edit-pet",
        only=(_PETS,),
        field="category_id",
        checks=("without-category",),
        of_all=lambda: tr("P&ut all shown into a category…"),
    ),
    *(_STATION_ACTIONS[station] for station in STATIONS),
    ActionSpec("showWaiting", lambda: tr("Outbo&x"), "shop", "tray-up", separated=True),
    ActionSpec("showReview", lambda: tr("Needs attenti&on"), "shop", "conflict"),
    ActionSpec("showChanges", lambda: tr("C&hanges"), "shop"),
    ActionSpec("showRequests", lambda: tr("Re&quests"), "shop"),
    ActionSpec("compareDays", lambda: tr("&Compare two days"), "shop", "calendar", "Ctrl+Shift+D"),
    ActionSpec("showQuota", lambda: tr("Requests le&ft"), "shop"),
    ActionSpec("switchShop", lambda: tr("Sw&itch to another shop…"), "shop", keys="Ctrl+O", separated=True),
    ActionSpec("rehearse", lambda: tr("Rehearse…"), "shop", "rehearsal"),
    ActionSpec("resumeNow", lambda: tr("Resume &now…"), "shop"),
    ActionSpec("manual", lambda: tr("&Manual"), "help", "info", _Std.HelpContents),
    ActionSpec("help", lambda: tr("&Keys and marks"), "help", "", "Shift+F1"),
    ActionSpec("openLog", lambda: tr("Open &log folder"), "help", separated=True),
    ActionSpec("copyDiagnostics", lambda: tr("&Copy diagnostics"), "help"),
    ActionSpec("copyRequests", lambda: tr("Copy &requests for support"), "help"),
    ActionSpec("about", lambda: tr("&About Pet Store Desktop"), "help", "app", separated=True),
)

NEW_KEY = "Ctrl+N"
NEW_OF = {_PETS: "newPet", _CATEGORIES: "newCategory", _ORDERS: "newOrder", _STOCK: "newStock"}
"""What the key of New makes in a tab; where no list is shown, a pet."""

_FILTER_AND_COPY = ("filterByThis", "leaveOut", "copy", "copyId", "paste", "fillDown")
_LOOK = ("history", "showReview", "checkLive")


def _with_lines(*groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of all groups, an empty one between two groups."""
    return tuple(name for group in groups for name in ("", *group))[1:]


ROW_MENUS: dict[Resource, tuple[str, ...]] = {
    _PETS: _with_lines(
        ("editCell", "edit"),
        ("setAvailable", "setPending", "setSold"),
        ("newOrder", "reserve"),
        ("openCategory", "openOrders", "openStock"),
        ("minimumStock", "labels"),
        ("stockToZero", "giveCategory"),
        _FILTER_AND_COPY,
        (*_LOOK, "delete"),
    ),
    _CATEGORIES: _with_lines(("editCell", "edit"), ("minimumStock",), _FILTER_AND_COPY, (*_LOOK, "delete")),
    _ORDERS: _with_lines(
        ("completeOrder", "reopenOrder", "edit", "cancelOrder"),
        ("newOrder", "openPet", "openStock"),
        ("copySentence",),
        _FILTER_AND_COPY,
        _LOOK,
    ),
    _STOCK: _with_lines(
        ("editStock", "edit", "newOrder"),
        ("openPet", "openCategory", "openOrders"),
        ("minimumStock", "labels"),
        ("stockToZero",),
        _FILTER_AND_COPY,
        _LOOK,
    ),
}
"""Context menus of rows; an empty name is a line."""
