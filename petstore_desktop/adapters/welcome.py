"""Making connections and opening them, for the welcome page and the connect dialog."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.adapters.own_process import start_again
from petstore_desktop.adapters.shop import keep_key
from petstore_desktop.clock import Clock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import BadInput, ShopError
from petstore_desktop.preferences import Remembered, ShopConnection

if TYPE_CHECKING:
    from petstore_desktop.api.gate.admission import Admission
    from petstore_desktop.api.gate.registry import GateRegistry
    from petstore_desktop.domain.checks import Check, ConnectionInput
    from petstore_desktop.shop.background import Background
    from petstore_desktop.shop.checks import ConnectionChecks, Done
    from petstore_desktop.ui.context.ports import AppPort


class WelcomeGlue(Struct, eq=False, dict=True):
    """WelcomePort: making and opening connections. `_open` opens one by its slug in the window, with a
    key that no keyring took and the reason for that, if so."""

    _places: Places
    _remembered: Remembered
    _clock: Clock
    _background: Background
    _open: Callable[[str, str | None, ShopError | None], None]
    open_demo: Callable[[], None]
    _registry: Callable[[], GateRegistry[Admission]]
    _showing: subprocess.Popen[bytes] | None = None
    """The process that plays the demo shop's best."""

    @cached_property
    def _checks(self) -> ConnectionChecks:
        from petstore_desktop.shop.checks import ConnectionChecks  # late: nobody connects before the first paint

        return ConnectionChecks(self._places, self._clock, self._registry())

    def check(self, inputs: ConnectionInput, tell: Callable[[Check], None], done: Done) -> Callable[[], None]:
        """Check a connection that is not kept yet."""
        return self._checks.check(inputs, tell, done)

    def connect(self, inputs: ConnectionInput, done: Callable[[ShopError | None], None]) -> None:
        """Keep the connection, its key in the keyring, and open it."""

        def work() -> tuple[ShopConnection, ShopError | None]:
            from petstore_desktop.session.connections import (
                added_or_changed,
                usable_ca_file,
                usable_document,
                with_values,
            )
            from petstore_desktop.shop.checks import bindings_of

            document = usable_document(inputs.document or None, inputs.url, bindings_of(inputs))
            given = document, usable_ca_file(inputs.ca_file or None)
            _, connection = added_or_changed(self._remembered.now, inputs.name, inputs.url, inputs.plan, *given)
            connection = with_values(connection, inputs.values)
            connection = replace(connection, bindings={**connection.bindings, **self._checks.key_choice(inputs)})
            known = self._remembered.now.connection(inputs.name.strip())
            if known is not None and known.url != connection.url:
                # What waits there for one service must never go to another.
                raise BadInput("name-taken", name=known.name)
            self._checks.kept(inputs, connection.slug)
            return connection, keep_key(self._places, connection, inputs.key, inputs.further)

        self._background.attempt(work, lambda result: self._kept(result, inputs.key, done))

    def _kept(
        self,
        result: tuple[ShopConnection, ShopError | None] | ShopError,
        key: str,
        done: Callable[[ShopError | None], None],
    ) -> None:
        """Open the connection that was kept; a key that no keyring took stays in memory, and the window says so."""
        if isinstance(result, ShopError):
            done(result)
            return
        connection, error = result
        self._remembered.update(lambda now: now.with_connection(connection))
        done(None)
        self._open(connection.slug, None if error is None else key, error)

    def show_me(self, done: Callable[[ShopError | None], None]) -> None:
        """Play the demo shop's best in a process of its own, one at a time."""
        if self._showing is not None and self._showing.poll() is None:
            done(None)
            return

        def began(process: subprocess.Popen[bytes] | ShopError) -> None:
            if isinstance(process, ShopError):
                done(process)
            else:
                self._showing = process
                done(None)

        folder = str(self._places.data)
        self._background.attempt(lambda: start_again("--show-me", "--data-dir", folder), began)

    def connections(self) -> Sequence[str]:
        """Names of the connections that exist."""
        return [connection.name for connection in self._remembered.now.connections]

    def open_connection(self, name: str) -> None:
        """Open one of them."""
        connection = self._remembered.now.connection(name)
        if connection is not None:
            self._open(connection.slug, None, None)

    @staticmethod
    def open_manual() -> None:
        """Show how to connect a shop."""
        from petstore_desktop.ui.manual.manual_window import open_manual  # late: only when it is asked for

        open_manual("connect")

    def open_preferences(self, app: AppPort, parent: Any) -> None:
        """Show the language and how the program looks."""
        from petstore_desktop.ui.program.program_dialogs import PreferencesDialog  # late, as above
        from petstore_desktop.ui.widgets.dialogs import show

        show(PreferencesDialog(app, self._places.data, parent))
