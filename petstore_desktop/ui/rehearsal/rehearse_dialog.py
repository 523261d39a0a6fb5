"""Asks for the limits and the scene of a rehearsal, then opens it in a window of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan, RehearsalScene
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import PLANS, Plan
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.rehearsal.rehearsal_texts import limit_words, plan_words, scene_name, scene_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel, say

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.message import Say
    from petstore_desktop.ui.context.ports import RehearsalsPort

_HERE, _UNLIMITED = "", "unlimited"


class RehearseDialog(FormDialog):
    """Limits and scene; what the copy leaves out is said."""

    def __init__(self, shop: LiveShop, port: RehearsalsPort, say_in_window: Say, parent: QWidget | None = None) -> None:
        name = isolate(plain(shop.profile.name))
        words = tr(
            "A window of its own opens, on a copy of {shop} as it is here. Nothing in it reaches the shop.", shop=name
        )
        super().__init__(tr("Rehearse"), words, parent, name="rehearseDialog")
        self._port, self._say = port, say_in_window
        self._here = limits_here(shop.desk, shop.profile.told_limits)
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
