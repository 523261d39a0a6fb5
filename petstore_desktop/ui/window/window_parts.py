"""What the pieces of one window are made of: the shop, its actions and edits, the way between records, how to say
something."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from petstore_desktop.ui.context.action_set import ActionSet
from petstore_desktop.ui.context.edits import Edits, Unpriced
from petstore_desktop.ui.context.navigation import Navigation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.records import Key, Resource
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Message
    from petstore_desktop.ui.context.ports import AppPort
    from petstore_desktop.ui.context.scans import Scans
    from petstore_desktop.ui.today.worth_a_look import PutAway
    from petstore_desktop.ui.views.views import Views
    from petstore_desktop.ui.window.main_window import MainWindow


class WindowParts(QObject):
    """Made with the window.

    Signals:
        said: Message: show this in the window.
        draftsCame: object: what is half filled is known.
        moved: Changed: what moved at the desk in one turn, for what is open above the lists.
    """

    said = Signal(object)
    draftsCame = Signal(object)
    moved = Signal(object)

    def __init__(self, window: MainWindow, shop: LiveShop, app: AppPort) -> None:
        super().__init__(window)
        self._window = self.window = window
        self._views: Views | None = None
        self._put_away: PutAway | None = None
        self._scans: Scans | None = None
        self.shop = shop
        self.app = app
        self.actions = ActionSet(window, shop.connection.name, window.run)
        self.navigation = Navigation(self)
        self.edits = Edits(shop, self.say, self._confirm, self)
        self.details_wanted = True
        self.longest_ids: dict[Resource, str] = {}
        """The longest id of each kind that came so far."""

    def note_ids(self, rows: Mapping[Resource, Iterable[Key]]) -> None:
        """Remember the longest of the ids that came in one turn."""
        for resource, keys in rows.items():
            found = [key for key in keys if isinstance(key, int | str)]
            if not found:
                continue
            numbers = [key for key in found if isinstance(key, int)]
            ends = [str(max(numbers)), str(min(numbers))] if numbers else []
            texts = [key for key in found if isinstance(key, str)] if len(numbers) < len(found) else []
            self.longest_ids[resource] = max(*ends, *texts, "", self.longest_ids.get(resource, ""), key=len)

    @property
    def views(self) -> Views:
        """All views; made when they are first needed, which is after the first paint."""
        if self._views is None:
            from petstore_desktop.ui.views.views import KEPT, Views  # late: their names are not needed before

            window, state = self._window, self._window.state
            self._views = Views(
                window,
                state.kept(KEPT),
                partial(state.keep, KEPT),
                self.edits,
                self.say,
                lambda tab: window.after_paint.views_menu.open_for(tab),
                window,
            )
        return self._views

    @property
    def put_away(self) -> PutAway:
        """Which data checks are not shown; made when it is first needed, which is after the first paint."""
        if self._put_away is None:
            from petstore_desktop.ui.today.worth_a_look import KEPT, PutAway  # late, as views

            state = self._window.state
            self._put_away = PutAway(partial(state.kept, KEPT), partial(state.keep, KEPT), self.edits)
        return self._put_away

    @property
    def scans(self) -> Scans:
        """Where scans go; made when it is first needed, which is after the first paint."""
        if self._scans is None:
            from petstore_desktop.ui.context.scans import Scans  # late: nobody scans before

            self._scans = Scans(self)
        return self._scans

    def say(self, message: Message) -> None:
        """A short word at the bottom of the window."""
        self.said.emit(message)

    def _confirm(self, act: Unpriced, price: Price) -> None:
        from petstore_desktop.ui.window import dialogs  # late: nothing costs much before the first paint

        dialogs.confirm(self._window, act, price)
