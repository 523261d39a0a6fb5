"""What a list uses of the window that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from petstore_desktop.desk.jump.views import SavedView
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Message
    from petstore_desktop.ui.context.navigation import Navigation
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


class ListViews(Protocol):
    """The views that a list can show."""

    def current(self, resource: Resource) -> SavedView:
        """The one that its list shows, or showed last."""
        ...

    def attach(self, tab: ResourceTab) -> None:
        """From now on this list says which one it shows."""
        ...


class ShownLists(Protocol):
    """The lists of one window."""

    def tab(self) -> ResourceTab | None:
        """The one on the screen, or None on another tab."""
        ...

    def built_tabs(self) -> list[ResourceTab]:
        """Those that were shown at least once."""
        ...

    def go_to(self, resource: Resource) -> ResourceTab | None:
        """Show one."""
        ...


class ListContext(Protocol):
    """`details_wanted`: whether the details are open beside whichever list is shown; `longest_ids`: of each kind, the
    longest id that came so far."""

    shop: LiveShop
    actions: ActionSet
    navigation: Navigation
    edits: Edits
    details_wanted: bool
    longest_ids: dict[Resource, str]

    @property
    def views(self) -> ListViews: ...

    def say(self, message: Message) -> None:
        """Show a message in the window."""
        ...
