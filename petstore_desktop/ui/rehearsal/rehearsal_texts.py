"""Texts of rehearsals: limits, scenes, and what the bar says."""

from __future__ import annotations

from petstore_desktop.desk.rehearsal.scenes import (
    COLLEAGUE_EVERY_S,
    DELAY_S,
    NETWORK_GOES_S,
    NETWORK_IS_BACK_S,
    STORM_EVERY_S,
    STORM_FIRST_S,
    STORM_LASTS_S,
    RehearsalPlan,
    RehearsalScene,
)
from petstore_desktop.domain.quota import Plan
from petstore_desktop.ui.text.times import countdown
from petstore_desktop.ui.text.translate import number, sentences, tr


def limit_words(per_minute: int | None, per_day: int | None) -> str:
    """`60 requests a minute, 1,000 a day`."""
    if per_minute is not None and per_day is not None:
        return tr("{n} requests a minute, {day} a day", "", per_minute, day=number(per_day))
    if per_minute is not None:
        return tr("{n} requests a minute", "", per_minute)
    return tr("No limits") if per_day is None else tr("{n} requests a day", "", per_day)


def plan_words(plan: Plan) -> str:
    """`Free: 60 requests a minute, 1,000 a day`."""
    return tr("{plan}: {limits}", plan=plan.name.capitalize(), limits=limit_words(plan.per_minute, plan.per_day))


def scene_name(scene: RehearsalScene) -> str:
    """The scene, to choose from a list."""
    return {
        RehearsalScene.CALM: tr("Everything works"),
        RehearsalScene.NO_NETWORK: tr("No network for {n} seconds", "", int(NETWORK_IS_BACK_S - NETWORK_GOES_S)),
        RehearsalScene.STORMS: tr("The service refuses everything now and then"),
        RehearsalScene.SLOW: tr("The service is slow"),
        RehearsalScene.COLLEAGUE: tr("Somebody else edits too"),
    }[scene]


def scene_words(scene: RehearsalScene) -> str:
    """What happens, in a sentence; empty where everything works."""
    goes, back = countdown(NETWORK_GOES_S), countdown(NETWORK_IS_BACK_S)
    every, lasts, first = int(STORM_EVERY_S), int(STORM_LASTS_S), countdown(STORM_FIRST_S)
    return {
        RehearsalScene.CALM: "",
        RehearsalScene.NO_NETWORK: tr("no network from {goes} to {back}", goes=goes, back=back),
        RehearsalScene.STORMS: tr(
            "every {every} s a pause of {lasts} s, first at {first}", every=every, lasts=lasts, first=first
        ),
        RehearsalScene.SLOW: tr("every answer takes {seconds} s", seconds=int(DELAY_S)),
        RehearsalScene.COLLEAGUE: tr(
            "somebody else changes a record every {seconds} s", seconds=int(COLLEAGUE_EVERY_S)
        ),
    }[scene]


def bar_words(plan: RehearsalPlan) -> str:
    """What the bar says behind its title."""
    limits = _short_limits(plan)
    scene = scene_words(plan.scene)
    said = tr("{limits}, {scene}.", limits=limits, scene=scene) if scene else tr("{limits}.", limits=limits)
    return tr("nothing here reaches your shop. {said}", said=said)


def _short_limits(plan: RehearsalPlan) -> str:
    if plan.per_minute is not None:
        return tr("Limits {n} a minute", "", plan.per_minute)
    return tr("No limits") if plan.per_day is None else tr("Limits {n} a day", "", plan.per_day)


def clock_words(seconds: float | None) -> str:
    """`Now 0:26`; before the scene begins, that it is prepared."""
    return tr("Preparing…") if seconds is None else tr("Now {time}", time=countdown(seconds))


def left_out_words(slashed: int, text_ids: bool) -> str:
    """What the demo shop cannot do as the service does; empty where there is nothing."""
    said: list[str] = []
    if slashed:
        said.append(
            tr(
                "{n} records have a slash in their ids: they are shown, and cannot be changed here.",
                "",
                slashed,
                one="{n} record has a slash in its id: it is shown, and cannot be changed here.",
            )
        )
    if text_ids:
        said.append(tr("New records get numbers for ids here."))
    return sentences(*said)
