"""What the window asks about connections: of the welcome page, of all shops, and of the program as a whole.

None of these methods blocks; callbacks come in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.checks import Check, CheckReport, ConnectionInput
    from petstore_desktop.domain.commands import UseKey
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.preferences import ConnectionSettings


class WelcomePort(Protocol):
    """What the welcome page and the connect dialog may do. Callbacks come in the GUI thread."""

    def check(
        self, inputs: ConnectionInput, tell: Callable[[Check], None], done: Callable[[CheckReport], None]
    ) -> Callable[[], None]:
        """Check such a connection, with few requests, all of them reads; `tell` hears each part when it is
        finished, `done` gets the whole. Returns what stops it."""
        ...

    def connect(self, inputs: ConnectionInput, done: Callable[[ShopError | None], None]) -> None:
        """Keep the connection, its key in the keyring, and open it; `done` gets what went wrong, or None."""
        ...

    def open_demo(self) -> None:
        """Start the demo shop and open it."""
        ...

    def show_me(self, done: Callable[[ShopError | None], None]) -> None:
        """Play the demo shop's best in another window; `done` gets what went wrong, or None, once it begins."""
        ...

    def connections(self) -> Sequence[str]:
        """Names of the connections that exist."""
        ...

    def open_connection(self, name: str) -> None:
        """Open one of them."""
        ...

    def open_manual(self) -> None:
        """Show in the manual how to connect a shop."""
        ...

    def open_preferences(self, app: AppPort, parent: QWidget) -> None:
        """Show the language and how the program looks."""
        ...


ShopTrouble: TypeAlias = Literal["", "key", "banned", "failed"]
"""What keeps a shop that is not in the window from sending: its key is missing or not accepted, or banned for a while;
or it does not run any more, and says why when it is opened."""


NewsKind: TypeAlias = Literal["needs", "not-saved", "damaged", "key", "banned", "failed"]


class ShopFacts(Struct, frozen=True):
    """One connection, as the list of shops shows it. `shown`: in this window; `unsent` changes wait to go out, `needs`
    wait for a person, as far as that is known; `works`: it is sending what it has left, without a window."""

    slug: str
    name: str
    colour: str | None = None
    shown: bool = False
    unsent: int = 0
    needs: int = 0
    works: bool = False
    trouble: ShopTrouble = ""
    read_only: bool = False
    demo: bool = False


class ShopNews(Struct, frozen=True):
    """What happened at a shop that is not in the window: `count` changes need a person ("needs"), could not be saved
    ("not-saved"), or a trouble."""

    slug: str
    name: str
    kind: NewsKind
    count: int = 0


class Forgetting(Struct, frozen=True):
    """What goes when a connection is forgotten: its `unsent` open changes are written to a file in the folder `export`
    first (`export` is empty where there are none). It is unknown whether `unsure` of them arrived."""

    unsent: int
    export: str = ""
    unsure: int = 0


class ShopsPort(Protocol):
    """All connections. Callbacks come in the GUI thread."""

    def all(self) -> Sequence[ShopFacts]:
        """Every connection, in the order in which they were made; the demo shop too, while it is open."""
        ...

    def show_demo(self) -> None:
        """Show the demo shop, which is there whether it was opened before or not."""
        ...

    def open(self, slug: str) -> None:
        """Show this one in the place of the one that is shown, which goes on sending what it has left."""
        ...

    def listen(self, changed: Callable[[], None], told: Callable[[ShopNews], None]) -> None:
        """From now on, call these when `all` gives something else, and when a shop without a window has news."""
        ...

    def change(
        self, slug: str, settings: ConnectionSettings, keys: UseKey, done: Callable[[ShopError | None], None]
    ) -> None:
        """Keep these settings, and these keys (empty: those that it has), and open the shop anew with them; `done` gets
        what went wrong, or None."""
        ...

    def look_forgetting(self, slug: str, done: Callable[[Forgetting | ShopError], None]) -> None:
        """What would go."""
        ...

    @property
    def rehearsals(self) -> RehearsalsPort:
        """Rehearsals of the shop that is shown."""
        ...

    def forget(self, slug: str) -> None:
        """Close it, export what is unsent, and remove its key and its files; what came of it is said in whatever window
        is open then."""
        ...


class KeptRehearsal(Protocol):
    """Changes of a rehearsal that a person wants in the shop; see `session.rehearsal_folder.KeptFile`."""

    @property
    def batch(self) -> str: ...
    @property
    def at(self) -> float: ...
    @property
    def changes(self) -> tuple[NewChange, ...]: ...
    @property
    def left_out(self) -> int: ...


class RehearsalsPort(Protocol):
    """Rehearsals of the shop in the window. Callbacks come in the GUI thread."""

    def start(self, plan: RehearsalPlan, done: Callable[[ShopError | None], None]) -> None:
        """Open a rehearsal in a window of its own; `done` gets what went wrong, or None when its program has begun."""
        ...

    def listen(self, ended: Callable[[], object]) -> None:
        """From now on, call this when a rehearsal has ended."""
        ...

    def kept(self, done: Callable[[Sequence[KeptRehearsal] | ShopError], None]) -> None:
        """What ended rehearsals left to be kept, oldest first."""
        ...

    def forget(self, kept: Any) -> None:
        """Remove one of those: it is saved, or thrown away."""
        ...

    def clean(self) -> None:
        """Remove what killed rehearsals left."""
        ...


class NewerVersion(Struct, frozen=True):
    """A version that is newer than this one; `news`: what is new in it, `page`: the address of more."""

    version: str
    news: str
    page: str


class UpdatesPort(Protocol):
    """Newer versions, where whoever packaged the program says where to ask."""

    def look(self) -> NewerVersion | None:
        """Ask, if the person wants it and it is time; a newer version of which nothing was told yet. Waits for the
        network: for another thread."""
        ...

    def newest(self) -> NewerVersion | None:
        """The newer version that was told of last."""
        ...


class AppPort(Protocol):
    """What concerns the whole program rather than one shop."""

    def preference(self, name: str) -> str:
        """`theme` ("system", "light", "dark"), `contrast` or `motion` ("on", "off", else the system's), or `language`
        ("" is the system's, else a locale name)."""
        ...

    def set_preference(self, name: str, value: str) -> None:
        """Keep it; theme, contrast, motion and language are applied at once."""
        ...

    def languages(self) -> Sequence[str]:
        """The locale names of the languages that the window speaks."""
        ...

    def updates(self) -> UpdatesPort | None:
        """Newer versions; None where nobody says where to ask, or the command line says not to."""
        ...

    def diagnostics(self) -> str:
        """Versions, paths, counts and the last errors, redacted, as text to copy."""
        ...

    @property
    def welcome(self) -> WelcomePort:
        """For "Connect another shop"."""
        ...

    @property
    def shops(self) -> ShopsPort:
        """For switching between connections, their settings, and forgetting them."""
        ...
