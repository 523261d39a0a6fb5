"""One connected shop, as the window knows it: nothing here blocks the caller, unless it says so.

Data flow one way: events come through `LiveShop.events` and the bridge into the desk; what a person does leaves
through `LiveShop.submit`, as a command. What takes longer than a moment runs through `background`, and is told in
the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.commands import BindOperations, UsePlan
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import JsonValue
from petstore_desktop.preferences import Remembered
from petstore_desktop.session.session import Session, service_address

if TYPE_CHECKING:
    from petstore_desktop.domain.checks import Check, CheckReport
    from petstore_desktop.shop.own_files import OwnFiles
    from petstore_desktop.shop.past import PastQuestions
    from petstore_desktop.shop.row_files import RowFiles
    from petstore_desktop.sync.wire.event_queue import EventQueue


class LiveShop:
    """One connected shop: a session with what its screens show.

    `connection`: name, address and plan; `bindings`: what a person bound by hand, `pets.list` to
    `GET /animals`; `submit` hands over what is asked, and what comes of it is told as events.

    These two block: `read_operations`, how each operation was found in the service's document; `try_bindings`, how each
    would be found with these bindings, None where that is not known before the service is asked. It raises ShopError.
    """

    def __init__(self, session: Session, desk: Desk, remembered: Remembered) -> None:
        self._session = session
        self._remembered = remembered
        self.desk = desk
        self.submit = session.submit
        self._views: OwnFiles | None = None
        self._past: PastQuestions | None = None
        self.read_operations = session.survey
        self.try_bindings = session.survey_with
        self.connection = session.connection
        self.bindings = session.connection.by_hand
        self.data_folder = session.places.data
        self.log_folder = session.places.log.parent

    @property
    def events(self) -> EventQueue:
        """What the sync thread tells."""
        return self._session.events

    @property
    def files(self) -> RowFiles:
        """Files of rows."""
        from petstore_desktop.shop.row_files import RowFiles

        return RowFiles()

    def use_plan(self, plan: Plan) -> None:
        """Reckon with this plan for as long as the shop is open; one without numbers is not known."""
        limits = {"per_minute": plan.per_minute, "per_day": plan.per_day}
        self.connection = replace(self.connection, plan=plan.name or None, **limits)
        self.submit(UsePlan(plan if any(limits.values()) else None))

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        """Keep these bindings, as long as the shop is open where it is not kept itself, and follow them."""
        from petstore_desktop.session.connections import with_bindings

        self._remembered.update(lambda now: with_bindings(now, self._session.name, bindings))
        self.submit(BindOperations(bindings))

    @property
    def views(self) -> OwnFiles:
        """Data kept beside the service's records: views, minimums, codes, drafts."""
        if self._views is None:
            from petstore_desktop.shop.own_files import OwnFiles

            places, connection = self._session.places, self._session.connection
            slug, address = connection.slug, service_address(connection)
            own = (places.minimums(slug, address), places.codes(slug, address), places.acts(slug, address))
            self._views = OwnFiles(*own, places.mirror(slug), address)
        return self._views

    @property
    def past(self) -> PastQuestions:
        """The history: changes that answers showed, and totals of each day."""
        if self._past is None:
            from petstore_desktop.shop.past import PastQuestions

            connection = self._session.connection
            self._past = PastQuestions(self._session.places.history(connection.slug), service_address(connection))
        return self._past

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        """Check the connection, with few requests, all of them reads; `tell` hears each part, and `done` gets
        the whole, in the GUI thread. Returns what stops it."""
        from petstore_desktop.shop.checks import check_open

        return check_open(self._session, tell, done)

    def window_state(self) -> Mapping[str, object]:
        """What `save_window_state` kept; empty at first."""
        return window_state(self._remembered, self._session.name)

    def save_window_state(self, state: Mapping[str, object]) -> None:
        """Keep geometry, tab, columns, sort and filter: plain JSON values, whose keys the window alone knows."""
        own = cast("JsonValue", dict(state))
        name = self._session.name
        self._remembered.update(lambda now: replace(now, window={**now.window, name: own}))


def window_state(remembered: Remembered, connection: str) -> Mapping[str, object]:
    """The stored window state of a connection."""
    state = remembered.now.window.get(connection)
    return cast("Mapping[str, object]", state) if isinstance(state, dict) else {}
