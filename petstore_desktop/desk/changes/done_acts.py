"""What people did, in one order, and what Undo and Redo take of it now: keys, menus, toasts and pages all ask here.

The journal keeps batches and decisions about stuck changes, over restarts, and the sync thread takes them back
(`sync/jobs`; which of them can be, it works out in `batch_facts.py` there). What only this computer keeps (minimums,
views, taught codes, checks put away) has a `Keeper`, and an act is what its parts were before and after, which is kept
over restarts too. The lines of a delivery or a count that are not booked have an inverse as long as the program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.done_act import DoneAct, Inverse, Keeper
from petstore_desktop.desk.changes.outbox import OutboxView
from petstore_desktop.domain.own_acts import OwnAct, OwnActs, OwnParts
from petstore_desktop.sync.wire.events import BatchesMoved, Undone

BEFORE_START = "undo-before-start"
"""The code of why what an earlier run did at a desk of the stock room cannot be undone."""
MOST = 1_000
"""Acts of this computer that can be undone; older ones stay as they are."""
KEPT = 100
"""So many of them, the latest, are kept over a restart."""
MINIMUMS, CODES, VIEWS, CHECKS = KINDS = ("minimums", "codes", "views", "checks")
"""What has a `Keeper`."""


class DoneActs:
    """The acts of one shop. `here` says at which desk of the stock room a person is: what was done at a desk is undone
    there. `moved` is called when something else is next."""

    def __init__(self, outbox: OutboxView, now: Callable[[], float]) -> None:
        self._outbox, self._now = outbox, now
        self.moved: Callable[[], object] = lambda: None
        self.here: Callable[[], str] = lambda: ""
        self.turns = 0
        """How often something was done, undone or redone: what was said of an act before that is over."""
        self._own: list[DoneAct] = []
        """What only this computer keeps, the latest at the end; among them, as acts that stay, what stands at the desks
        of the stock room from an earlier run."""
        self._keepers: dict[str, Keeper] = {}
        self._keep: Callable[[OwnActs], object] | None = None
        """Keeps the acts over a restart; None until those of earlier runs are read."""
        self._kept = OwnActs()
        self._is_reading = False
        self._undone: list[DoneAct | str] = []
        """What was undone since the last act, the last at the end: an act, or the batch that the journal undid."""
        self._closed: set[str] = set()
        """Batches that were undone before the last act: redo does not take them."""
        self._asked: dict[str, float] = {}
        """What a person did and the journal has not written yet, with its time (UTC epoch seconds), the latest last."""
        self._deciding: set[str] = set()
        """Those of them that are decisions."""
        self._doing: DoneAct | None = None
        """What undo or redo is at; answered when it is in the journal, and over when the next act is known."""
        self._answered = False
        self._passed: set[str] = set()
        """What cannot be undone, and a person went past all the same, until something else is done."""

    def attach(self, moved: Callable[[], object], here: Callable[[], str]) -> None:
        """A window shows the shop from now on, and brings its keepers; until it has, undo is not known."""
        self.moved, self.here = moved, here
        self._keepers.clear()
        self._is_reading = self._keep is None

    def keeps(self, kind: str, keeper: Keeper) -> None:
        """This one keeps what is of this kind from now on."""
        self._keepers[kind] = keeper
        self.moved()

    def restore(self, acts: OwnActs, keep: Callable[[OwnActs], object]) -> None:
        """What earlier runs did, which is read once; `keep` hears of the acts as they are from now on."""
        self._is_reading = False
        if self._keep is None:
            self._keep, self._kept = keep, acts
            done = (self._earlier(act) for act in acts.done if act.kind in KINDS)
            undone = (one for one in acts.undone if isinstance(one, str) or one.kind in KINDS)
            self._own = sorted((*done, *self._own), key=lambda act: act.at)
            self._undone[:0] = [one if isinstance(one, str) else self._earlier(one) for one in undone]
            self._closed.update(acts.closed)
            self._move()
        self.moved()

    def _earlier(self, act: OwnAct) -> DoneAct:
        inverse = self._inverse(act.kind, act.before, act.after)
        return DoneAct(act.id, act.what, act.at, inverse=inverse, known=frozenset({act.upon}), kept=act)

    # ---- the question

    def next(self, *, redo: bool = False) -> DoneAct | None:
        """What Undo takes now, or Redo: the latest act of a person that can be undone here. One that `stays` cannot be
        undone: what was done before it is taken only when a person says so (`go_past`)."""
        if self._is_open:
            return None
        if redo:
            return self._next_redo()
        return self._latest(id_ for id_ in self._outbox.undo if id_ not in self._passed)

    def further_back(self) -> DoneAct | None:
        """What Undo would take past what cannot be undone."""
        known = (self._outbox.batches.get(id_) for id_ in self._outbox.undo)
        undoable = (facts.batch.id for facts in known if facts is not None and facts.undoable)
        return self._latest(undoable, stays=False)

    def can(self, id_: str) -> bool:
        """Whether this act can be undone, as far as is known here."""
        own, facts = self._find(self._own, id_), self._outbox.batches.get(id_)
        return self._holds(own) if own is not None else facts is None or not facts.stays

    def soon(self, *, redo: bool = False) -> bool:
        """Whether what Undo takes, or Redo, is known in a moment."""
        return self._is_open or self._outbox.looking or self.busy or (bool(self._asked) and not redo)

    @property
    def _is_open(self) -> bool:
        """Whether it is not known yet what earlier runs did, or what has become of it."""
        if self._is_reading:
            return True
        unread = {kind for kind in KINDS if kind not in self._keepers or not self._keepers[kind].is_read()}
        return bool(unread) and any(act.kept is not None and act.kept.kind in unread for act in self._own)

    @property
    def busy(self) -> bool:
        """Whether undo or redo is at something: what the next one takes is not known yet."""
        doing = self._doing
        return doing is not None and (not doing.decision or doing.id in self._outbox.decisions)

    def _latest(self, batches: Iterable[str], *, stays: bool = True) -> DoneAct | None:
        """The latest of these batches (the newest first), the decisions, and what only this computer keeps; what
        `stays` too, unless a person went past it."""
        kept = self._in_journal(batches)
        here = ("", self.here())
        for own in reversed(self._own):
            if kept is not None and kept.id not in own.known and kept.at >= own.at:
                break
            if own.place in here and ((stays and own.id not in self._passed) if own.stays else self._holds(own)):
                return own
        return kept

    def _in_journal(self, batches: Iterable[str]) -> DoneAct | None:
        return self._unwritten() or self._outbox.latest(next(iter(batches), ""))

    def _upon(self) -> str:
        latest = self._in_journal(self._outbox.undo)
        return "" if latest is None else latest.id

    def _unwritten(self) -> DoneAct | None:
        if not self._asked:
            return None
        id_ = next(reversed(self._asked))
        return DoneAct(id_, "", self._asked[id_], written=False)

    def _next_redo(self) -> DoneAct | None:
        """What was undone last, unless something was done since."""
        last = self._undone[-1] if self._undone else None
        if last is not None and not isinstance(last, str):
            return last if last.place in ("", self.here()) and self._holds(last, undone=True) else None
        id_ = next(iter(self._outbox.redo), "")
        return None if self._asked or id_ in self._closed else self._outbox.done_act(id_, redo=True)

    # ---- what is done

    def do(self, what: str, kind: str, after: OwnParts) -> DoneAct:
        """Let these parts of what only this computer keeps be so. `what`: the rest of "Undo ..."."""
        keeper = self._keepers[kind]
        before = dict(keeper.now(after))
        keeper.put(after)
        own = OwnAct(unique(), what, self._now(), kind, before, dict(after), self._upon())
        return self._add(replace(self._earlier(own), known=self._known()))

    def add(self, what: str, inverse: Inverse, place: str) -> DoneAct:
        """Something was done at this desk of the stock room that only this computer keeps. `what`: as above."""
        return self._add(DoneAct(unique(), what, self._now(), inverse=inverse, place=place, known=self._known()))

    def _add(self, act: DoneAct) -> DoneAct:
        self._own.append(act)
        del self._own[:-MOST]
        self.turns += 1
        self._close_redo()
        self.moved()
        return act

    def _inverse(self, kind: str, before: OwnParts, after: OwnParts) -> Inverse:
        """Whoever keeps these parts when it is undone or redone lets them be so."""

        def holds(undone: bool) -> bool:
            keeper = self._keepers.get(kind)
            return keeper is not None and keeper.are(before if undone else after)

        return Inverse(lambda: self._keepers[kind].put(before), lambda: self._keepers[kind].put(after), holds)

    def stands(self, place: str, what: str, at: float) -> None:
        """Of what was done at this desk in an earlier run, last at `at`, no inverse is kept: who undoes there means
        that, and nothing older is taken in its place before a person says so."""
        act = DoneAct(f"before:{place}", what, at, stays=BEFORE_START, place=place)
        others = [one for one in self._own if one.id != act.id]
        later = next((number for number, one in enumerate(others) if one.at > at), len(others))
        self._own = [*others[:later], act, *others[later:]]

    def asked(self, id_: str, *, decision: bool = False) -> None:
        """Something was done that the journal is to keep, as this batch or decision."""
        self._asked[id_] = self._now()
        if decision:
            self._deciding.add(id_)
        self.turns += 1
        self._close_redo()
        self.moved()

    def forget(self, place: str) -> None:
        """What was done at this desk is not undone any more."""
        self._own = [act for act in self._own if act.place != place]
        self._undone = [act for act in self._undone if isinstance(act, str) or act.place != place]

    def _known(self) -> frozenset[str]:
        known = frozenset((*self._asked, *self._outbox.batches, *self._outbox.decisions))
        before = self._own[-1].known if self._own else known
        return before if before == known else known  # of a thousand scans it is one object

    def _close_redo(self) -> None:
        self._undone.clear()
        self._closed.update(self._outbox.redo)
        self._move()

    def _move(self) -> None:
        """The acts that are kept over a restart are others, perhaps."""
        if self._keep is None:
            return
        done = tuple(act.kept for act in self._own if act.kept is not None)[-KEPT:]
        undone = (act if isinstance(act, str) else act.kept for act in self._undone)
        closed = self._closed if self._outbox.looking else self._closed.intersection(self._outbox.redo)
        acts = OwnActs(done, tuple(act for act in undone if act is not None)[-KEPT:], tuple(sorted(closed)))
        if acts != self._kept:
            self._kept = acts
            self._keep(acts)

    # ---- what is undone and redone

    def turn(self, id_: str, tell: Callable[[DoneAct, bool], object] = lambda _, __: None) -> bool:
        """Undo, or redo, what only this computer keeps, as long as it holds; whether this is such an act. `tell` hears
        of the act when it is undone, or redone (True)."""
        done, undone = self._find(self._own, id_), self._find(self._undone, id_)
        act = done or undone
        if act is None or act.inverse is None or not self._holds(act, undone=done is None):
            return act is not None
        self.turns += 1
        if done is not None:
            self._own.remove(done)
            self._undone.append(done)
            act.inverse.back()
        else:
            self._undone.remove(act)
            self._own.append(act.again(self._now(), self._known(), self._upon()))
            act.inverse.again()
        self._move()
        self.moved()
        tell(act, done is None)
        return True

    def begin(self, act: DoneAct) -> None:
        """Undo or redo is told to take this."""
        self._doing, self._answered = act, False

    def end(self) -> None:
        """Undo or redo has ended, or is no longer waited for."""
        self._doing, self._answered = None, False

    def go_past(self, act: DoneAct) -> None:
        """A person wants undo to go on behind what cannot be undone."""
        self._passed.add(act.id)

    @staticmethod
    def _find(acts: Iterable[DoneAct | str], id_: str) -> DoneAct | None:
        return next((act for act in acts if not isinstance(act, str) and act.id == id_), None)

    @staticmethod
    def _holds(act: DoneAct, *, undone: bool = False) -> bool:
        return act.inverse is not None and act.inverse.holds(undone)

    # ---- what the sync thread tells

    def batches_moved(self, moved: BatchesMoved) -> None:
        """Batches moved, which the outbox is told next."""
        if moved.undo and moved.undo[0] not in self._outbox.batches:
            self._passed.clear()
        for facts in moved.batches:
            self._asked.pop(facts.batch.id, None)
        if self._answered:
            self.end()

    def not_written(self, batch: str) -> None:
        """A batch, an undo or a redo could not be written."""
        self._asked.pop(batch, None)
        self.end()

    def decided(self) -> None:
        """What was decided is written, as far as it could be."""
        for id_ in self._deciding:
            self._asked.pop(id_, None)
        self._deciding.clear()

    def undone(self, event: Undone) -> None:
        """Undo or redo is in the journal."""
        self.turns += 1
        self._closed.discard(event.batch)
        if not event.redo and event.made:
            self._undone.append(event.batch)
        elif event.batch in self._undone:
            self._undone.remove(event.batch)
        self._move()
        if self._doing is not None and event.batch == self._doing.id:
            self._answered = True
            if event.redo and not event.made:  # nothing moved, and nothing is told of
                self.end()
