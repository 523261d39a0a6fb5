"""Asks for the limits and the scene of a rehearsal, then opens it in a window of its own; and what is said of
rehearsals: limits, scenes, and the bar's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

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
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import PLANS, Plan
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import countdown
from petstore_desktop.ui.text.translate import number, sentences, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel, say

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.ports import RehearsalsPort


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


_HERE, _UNLIMITED = "", "unlimited"


class RehearseDialog(FormDialog):
    """Limits and scene; what the copy leaves out is said."""

    def __init__(self, shop: LiveShop, port: RehearsalsPort, say_in_window: Say, parent: QWidget | None = None) -> None:
        name = isolate(plain(shop.connection.name))
        words = tr(
            "A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.", shop=name
        )
        super().__init__(tr("Rehearse"), words, parent, name="rehearseDialog")
        self._port, self._say = port, say_in_window
        self._here = limits_here(shop.desk, shop.connection.told_limits)
        here = limit_words(*self._here)
        choices = [(_HERE, tr("As here: {limits}", limits=here))]
        choices += [(one.name, plan_words(one)) for one in PLANS.values() if one.per_minute is not None]
        choices.append((_UNLIMITED, tr("No limits")))
        self.limits = ChoiceField(tr("Limits"), choices, name="rehearsalLimits")
        self.scene = ChoiceField(
            tr("Scene"), [(one.value, scene_name(one)) for one in RehearsalScene], name="rehearsalScene"
        )
        self.happens = named(PlainLabel("", "muted", 12, wrap=True), "sceneWords")
        self.left_out = named(PlainLabel(unsent_words(shop.desk.outbox.unsent), "wait", 12, wrap=True), "leftOut")
        self.left_out.setVisible(bool(shop.desk.outbox.unsent))
        self.kept = named(PlainLabel("", "text", 12, wrap=True), "keptWords")
        self.kept.hide()
        self.button = self.lay_out(
            self.limits, self.scene, self.happens, self.left_out, self.kept, accept=tr("Rehearse")
        )
        self.scene.box.currentIndexChanged.connect(self._tell_scene)
        self._tell_scene()

    def plan(self) -> RehearsalPlan:
        """Limits and scene as chosen."""
        chosen = self.limits.value()
        known = Plan("", *self._here) if chosen == _HERE else PLANS.get(chosen, Plan("", None, None))
        return RehearsalPlan(known.per_minute, known.per_day, RehearsalScene(self.scene.value()))

    def offer_kept(self, waiting: int, look: Callable[[], object], drop: Callable[[], object]) -> None:
        """Say how many changes of an earlier rehearsal wait, with the ways to them."""
        if not waiting:
            return
        words = tr(
            "{n} changes of a rehearsal wait to be looked at.",
            "",
            waiting,
            one="{n} change of a rehearsal waits to be looked at.",
        )
        say(self.kept, words)
        for name, text, do in (("lookAtKept", tr("Look at them"), look), ("dropKept", tr("Throw them away"), drop)):
            button = named(Button(text, "quiet"), name)
            button.setAutoDefault(False)
            button.clicked.connect(self.reject)
            button.clicked.connect(do)
            self.add_footer(button)

    def accept(self) -> None:
        """Make it; the dialog stays until its program has begun."""
        if self.refuses((self.limits, self.scene)):
            return
        self.say_wrong("")
        self.button.setEnabled(False)
        self.button.set_text(tr("Preparing…"))
        self._port.start(self.plan(), self._started)

    def _started(self, trouble: ShopError | None) -> None:
        self.button.setEnabled(True)
        self.button.set_text(tr("Rehearse"))
        if trouble is not None:
            self.say_wrong(error_words(trouble).sentence)
            return
        self._say(Message(tr("The rehearsal opens in a window of its own."), "rehearsal"))
        super().accept()

    def _tell_scene(self) -> None:
        words = scene_words(RehearsalScene(self.scene.value()))
        say(self.happens, tr("In the rehearsal: {what}.", what=words) if words else "")


def limits_here(desk: Desk, told: Plan | None) -> tuple[int | None, int | None]:
    """The limits of the key in use: what the service says, else what the person said; None where nobody did."""
    quota = desk.known_quota()
    minute, day = (told.per_minute, told.per_day) if told is not None else (None, None)
    return quota.minute.limit or minute, quota.day.limit or day


def unsent_words(unsent: int) -> str:
    """What the copy leaves out."""
    return tr(
        "{n} unsent changes are left out: the copy shows what the service last said.",
        "",
        unsent,
        one="{n} unsent change is left out: the copy shows what the service last said.",
    )
