"""The tabs of the window: their names in order, what a page of one can do, and how those of records differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.context.action_set import ActionContext
from petstore_desktop.ui.context.actions import STATIONS
from petstore_desktop.ui.text.translate import resource_title, tr
from petstore_desktop.ui.widgets.button import Kind
from petstore_desktop.ui.widgets.paint import Plane

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.context.navigation import StationLine


class TabPage(QWidget):
    """What a tab shows. `place`: the name of the desk of the stock room that it is, for what is undone only there;
    `watches`: the lists whose records it shows, which are kept fresher than others while it is on the screen."""

    place = ""
    watches: tuple[Resource, ...] = ()

    def focus_list(self) -> None:
        """Give the keyboard to what the tab shows."""
        raise NotImplementedError

    def desk_changed(self, moved: Changed) -> None:
        """Show what moved at the desk in one turn of the bridge."""
        raise NotImplementedError

    def context(self) -> ActionContext:
        """What the window's actions may do here."""
        return ActionContext()

    def label_lines(self) -> tuple[StationLine, ...]:
        """What Labels print when they are asked for here; empty where a page has nothing of its own."""
        return ()

    def refresh_state(self) -> None:
        """The tab is shown, or the window has another size."""

    def tick(self) -> None:
        """A second has passed while the tab is shown: ages move on."""

    def line(self) -> str:
        """The key of the line that has the keyboard, or had it last; empty on a page without such lines."""
        return ""

    def go_to_line(self, key: str) -> None:
        """Give the keyboard to the line of this key."""
        self.focus_list()


class HostedPage(Plane, TabPage):
    """A page over the plane of a tab until it is closed.

    Signals:
        closed(): Escape, or the close button.
    """

    closed = Signal()

    def begin(self, given: object) -> None:
        """Show what it was opened with: what a link gave, or what `left` said last; None the first time."""

    def take_scan(self, text: str) -> None:
        """A code was scanned, whatever had the keyboard."""

    def foot_rect(self) -> QRect:
        """Where it has buttons at its lower edge, which no message may cover; empty without any."""
        return QRect()

    def left(self) -> object:
        """What it shows, for `begin` when it is shown again after it was closed."""
        return None

    def go_on(self, before: HostedPage) -> None:
        """Take what is half typed from a page of the same kind, of a window that spoke another language."""


class TabSpec(Struct, frozen=True):
    """One tab: `view` names what is listed, `tools` are (action, kind of button) of the tool bar, `main` the action for
    an empty list, `pane` the details pane's width at base 13, `narrow_pane` that in a small window."""

    resource: Resource
    icon: str
    view: Callable[[], str]
    tools: tuple[tuple[str, Kind], ...]
    main: str
    pane: int
    narrow_pane: int = 296


SPECS: tuple[TabSpec, ...] = (
    TabSpec(
        Resource.PETS,
        "paw",
        lambda: tr("All pets"),
        (
            ("stockToZero", "quiet"),
            ("giveCategory", "quiet"),
            ("edit", "quiet"),
            ("importFile", "quiet"),
            ("refresh", "quiet"),
            ("newPet", "plain"),
        ),
        "newPet",
        320,
    ),
    TabSpec(
        Resource.CATEGORIES,
        "tag",
        lambda: tr("All categories"),
        (("edit", "quiet"), ("refresh", "quiet"), ("newCategory", "plain")),
        "newCategory",
        320,
    ),
    TabSpec(
        Resource.ORDERS,
        "receipt",
        lambda: tr("All orders"),
        (("importFile", "quiet"), ("refresh", "quiet"), ("newOrder", "plain")),
        "newOrder",
        360,
        344,  # its two buttons need the room
    ),
    TabSpec(
        Resource.INVENTORY,
        "box",
        lambda: tr("All stock"),
        (
            ("stockToZero", "quiet"),
            ("editStock", "quiet"),
            *((station, "quiet") for station in STATIONS),
            ("importFile", "quiet"),
            ("refresh", "quiet"),
        ),
        "",
        320,
    ),
)

TODAY, ACTIVITY = "today", "activity"
TABS: tuple[str, ...] = (TODAY, *(spec.resource.value for spec in SPECS), ACTIVITY)
"""The names of all tabs, in their order: what is kept, and what actions and places call them."""
TODAY_FIRST, TODAY_FIRST_UNTOLD = "todayFirst", "on"
"""The preference ("on" or "off") whether the first start of a day shows Today, and what it is until somebody says."""
FIRST = SPECS[0].resource.value
"""The tab of a window of which nothing is kept."""


def tab_title(name: str) -> tuple[str, str]:
    """The icon and the word of a tab."""
    if name == TODAY:
        return "sun", tr("Today")
    if name == ACTIVITY:
        return "tray-up", tr("Activity")
    spec = next(spec for spec in SPECS if spec.resource.value == name)
    return spec.icon, resource_title(spec.resource)
