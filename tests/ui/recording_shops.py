"""The other shops of a window, faked: a port that records what it is asked and lets a test tell news."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import ConnectionSettings
from petstore_desktop.ui.context.ports import Forgetting, ShopFacts, ShopNews


class RecordingRehearsals:
    """A RehearsalsPort; what is asked of it goes into `asked`."""

    def __init__(self, asked: list[tuple[str, Any]]) -> None:
        self._asked = asked
        self.refusal: ShopError | None = None
        self.found: list[Any] = []
        self.ended: Callable[[], object] = lambda: None

    def start(self, plan: RehearsalPlan, done: Callable[[ShopError | None], None]) -> None:
        self._asked.append(("rehearse", plan))
        done(self.refusal)

    def listen(self, ended: Callable[[], object]) -> None:
        self.ended = ended

    def kept(self, done: Callable[[Any], None]) -> None:
        done(self.found)

    def forget(self, kept: Any) -> None:
        self._asked.append(("forget kept", kept))

    def clean(self) -> None:
        """What was left is none of the tests' business."""


class RecordingShops:
    """A ShopsPort; `facts` is what it lists, and what is asked of it goes into `asked`."""

    def __init__(self, asked: list[tuple[str, Any]]) -> None:
        self._asked = asked
        self.rehearsals = RecordingRehearsals(asked)
        self.facts: list[ShopFacts] = []
        self.refusal: ShopError | None = None
        self.forgetting: Forgetting | ShopError = Forgetting(0)
        self.changed: Callable[[], None] = lambda: None
        self.told: Callable[[ShopNews], None] = lambda _: None

    def all(self) -> Sequence[ShopFacts]:
        return self.facts

    def show_demo(self) -> None:
        self._asked.append(("demo", None))

    def open(self, slug: str) -> None:
        self._asked.append(("switch", slug))

    def listen(self, changed: Callable[[], None], told: Callable[[ShopNews], None]) -> None:
        self.changed, self.told = changed, told

    def change(self, slug: str, settings: ConnectionSettings, keys: UseKey, done: Callable[[Any], None]) -> None:
        self._asked.append(("change", (slug, settings, keys.key)))
        done(self.refusal)

    def look_forgetting(self, slug: str, done: Callable[[Any], None]) -> None:
        done(self.forgetting)

    def forget(self, slug: str) -> None:
        self._asked.append(("forget", slug))
