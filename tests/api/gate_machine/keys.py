"""What the model service knows of each key apart from the others, and the moves by which keys are entered."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from petstore_desktop.api.gate.model import DOCUMENT, Ask
from petstore_desktop.domain.quota import RequestClass

KEYLESS = " keyless"
"""How the scheme of a document ends that is asked for without the key."""


def least_reserve(cls: RequestClass, limit: int | None) -> int:
    """Changes leave the larger of 10 % and 5 to the person (half of a window at most); what is behind them no less."""
    if limit is None or cls is RequestClass.PERSON:
        return 0
    return min(max(math.ceil(limit * 0.1), 5), limit // 2)


def is_keyless(ask: Ask) -> bool:
    """Whether this asks for a document without the key: the windows of the answer are nobody's."""
    return ask.scheme == DOCUMENT or (ask.scheme.startswith(DOCUMENT) and ask.scheme.endswith(KEYLESS))


_OF_A_KEY = ("rejected", "heard", "spent", "told", "spoken", "doubtful", "vague", "own", "refused", "known")


def _nothing_told() -> dict[str, Any]:
    """What is known of a key that was never used."""
    sets: dict[str, Any] = {name: set() for name in ("rejected", "spoken", "doubtful", "vague", "refused", "known")}
    return sets | {"heard": False, "spent": {}, "told": {}, "own": []}


class KeysApart:
    """The part of a service in which each key has its own: `key` is in use, `aside` is what was told of the others.
    Each name of `_OF_A_KEY` is an attribute, and is about the key in use."""

    key: int
    closed_until: float
    probe_owed: bool
    own_pause: bool
    """Whether the pause is of the key in use alone."""
    stale: bool = False
    """Whether the gate of this key may remember a pause that a probe with another key has ended."""
    rejected: set[str]
    refused: set[str]
    known: set[str]
    lost: int
    close: Callable[[float, float], None]
    closed_for: Callable[[float, float], None]
    flying: Callable[[], list[Any]]
    aside: dict[int, dict[str, Any]]

    def use_key(self, key: int) -> None:
        """A person has entered this key. The pause is the origin's and stays; what was told of windows is the key's,
        and so is the pause where nothing is left of one and nobody says until when."""
        self.aside[self.key] = {name: getattr(self, name) for name in _OF_A_KEY}
        if self.own_pause:
            self.aside[self.key]["paused"] = (self.closed_until, self.probe_owed)
            self.closed_until, self.probe_owed, self.own_pause = 0.0, False, False
        self.stale = self.stale or (key != self.key and key in self.aside)
        kept = self.aside.pop(key, None) or _nothing_told()
        until, owed = kept.pop("paused", (0.0, False))
        self._know(key, kept)
        self.own_pause = owed and not self.probe_owed
        self.closed_until, self.probe_owed = max(self.closed_until, until), self.probe_owed or owed
        self.rejected = set()

    @contextmanager
    def about(self, key: int) -> Generator[None]:
        """What is said now of windows is about this key, whichever is in use. No pause begins or ends by it."""
        if key == self.key:
            yield
            return
        present, mine = self.key, {name: getattr(self, name) for name in _OF_A_KEY}
        theirs = self.aside.setdefault(key, _nothing_told())
        self._know(key, theirs)
        yield
        theirs |= {name: getattr(self, name) for name in _OF_A_KEY}
        self._know(present, mine)

    def _know(self, key: int, told: dict[str, Any]) -> None:
        self.key = key
        for name in _OF_A_KEY:
            setattr(self, name, told[name])

    def leave(self) -> None:
        """Another key is entered: what left with this one is of an earlier time, even once it is entered again."""
        for sent in self.flying():
            sent.of_now = False

    def no_verdict(self, sent: Any, now: float) -> None:
        """A probe that brought nothing is tried again later, and later; one of an earlier key, or of an earlier time of
        this one, says nothing."""
        if sent.probe and self.probe_owed and sent.key == self.key and sent.of_now:
            self.lost += 1
            self.closed_for(min(2.0 ** (self.lost - 1), 60.0), now)

    def blind(self, sent: Any, now: float) -> None:
        """Nothing is left of the key in use, and nobody says until when: a pause of it alone, if there is no other."""
        if is_keyless(sent.ask):
            return
        own = self.own_pause or not self.probe_owed
        self.close(now, 60.0)
        self.own_pause = own

    def own_pause_is_over(self, key: int) -> None:
        """Its probe went well: nothing is owed any more for the pause of this key alone, whichever key is in use."""
        if key != self.key:
            self.aside[key].pop("paused", None)
        elif self.own_pause:
            self.probe_owed = self.own_pause = False

    def is_news(self, sent: Any) -> bool:
        """Whether its refusal is another strike: of several on their way only the first, and no late one."""
        return sent.key == self.key and bool(sent.probe if self.probe_owed else not self.stale)

    def answers_at(self, sent: Any, status: int, *, ban_said: bool = False) -> None:
        """What the key may not do at a place is known from its answers there; one that calls it banned says nothing of
        its place."""
        with self.about(sent.key):
            if sent.ask.place and status == 403 and not ban_said:
                self.refused.add(sent.ask.place)
            elif status < 400:
                self.refused.discard(sent.ask.place)
                if sent.probe:  # there is no ban: it is these places that refuse
                    self.known = set(self.refused)
                self.known.discard(sent.ask.place)

    @property
    def revoked(self) -> bool:
        """Whether the key was refused for anything."""
        return bool(self.rejected)

    def reject(self, key: int, scheme: str) -> None:
        """A request with this key, by this security scheme, was refused."""
        if key == self.key:
            self.rejected.add(scheme)

    def forget_what_was_told(self, vague: set[Any]) -> None:
        """The process is another: of these keys too only that is known which closed their gates."""
        for kept in self.aside.values():
            kept.update(_nothing_told() | {name: kept[name] for name in ("spent", "spoken", "own", "refused", "known")})
            kept["vague"] = set(vague)

    def forget_what_was_spent(self) -> None:
        """No client can know it of these either."""
        for kept in self.aside.values():
            kept["spent"], kept["own"] = {}, []
            if "paused" in kept:
                kept["paused"] = (0.0, kept["paused"][1])


# ---------------------------------------------------------------- moves


def another_key_is_given(desk: Any, chance: Any) -> None:
    desk.new_key()


def a_known_key_is_entered(desk: Any, chance: Any) -> None:
    """The same as before, or one that was in use earlier."""
    desk.enter(chance.choice([desk.service.key, *range(desk.keys + 1)]))
