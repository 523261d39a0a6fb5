"""What a rehearsal is to be like: its limits, and what happens in it at which second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import count, takewhile
from typing import Final

from msgspec import Struct, field

from petstore_desktop.domain.records import JsonValue


class RehearsalScene(StrEnum):
    """What goes wrong in a rehearsal."""

    CALM = "calm"
    NO_NETWORK = "no-network"
    """No network for a while, once."""
    STORMS = "storms"
    """The service refuses everything for some seconds, again and again (429)."""
    SLOW = "slow"
    """Each answer takes long."""
    COLLEAGUE = "colleague"
    """A second desk changes records."""


class RehearsalPlan(Struct, frozen=True):
    """What a person chose: requests a minute and a day (None: no limit), and the scene."""

    per_minute: int | None = None
    per_day: int | None = None
    scene: RehearsalScene = RehearsalScene.CALM


NETWORK_GOES_S, NETWORK_IS_BACK_S = 20.0, 40.0
STORM_FIRST_S, STORM_EVERY_S, STORM_LASTS_S = 15.0, 45.0, 10.0
DELAY_S = 2.0
COLLEAGUE_EVERY_S = 8.0


class SceneMoment(Struct, frozen=True):
    """What the demo shop is told (see its control routes) so many seconds after the scene began."""

    at: float
    action: str
    body: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


_ONCE: Final[Mapping[RehearsalScene, tuple[SceneMoment, ...]]] = {
    RehearsalScene.CALM: (),
    RehearsalScene.NO_NETWORK: (
        SceneMoment(NETWORK_GOES_S, "offline", {"on": True}),
        SceneMoment(NETWORK_IS_BACK_S, "offline", {"on": False}),
    ),
    RehearsalScene.SLOW: (SceneMoment(0.0, "delay", {"seconds": DELAY_S}),),
}


def moments(scene: RehearsalScene) -> Iterator[SceneMoment]:
    """All that happens, in its order; some scenes have no end."""
    if scene is RehearsalScene.STORMS:
        for turn in count():
            yield SceneMoment(STORM_FIRST_S + turn * STORM_EVERY_S, "pause", {"seconds": STORM_LASTS_S})
    elif scene is RehearsalScene.COLLEAGUE:
        for turn in count(1):
            yield SceneMoment(turn * COLLEAGUE_EVERY_S, "colleague", {"edits": 1})
    else:
        yield from _ONCE[scene]


def happened(scene: RehearsalScene, seconds: float) -> list[SceneMoment]:
    """What has happened so many seconds after the scene began."""
    return list(takewhile(lambda one: one.at <= seconds, moments(scene)))
