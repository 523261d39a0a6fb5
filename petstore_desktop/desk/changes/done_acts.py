"""What people did, in one order, and what Undo and Redo take of it now: keys, menus, toasts and pages all ask here.

The journal keeps batches and decisions about stuck changes, over restarts, and the sync thread takes them back
(`sync/jobs`; which of them can be, it works out in `batch_facts.py` there). What only this computer keeps (minimums,
views, taught codes, and the lines of a delivery or a count that are not booked) has its own inverse, as long as the
program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.done_act import DoneAct, Inverse
from petstore_desktop.desk.changes.outbox import OutboxView
from petstore_desktop.sync.wire.events import BatchesMoved, Undone

BEFORE_START = "undo-before-start"
"""The code of why what an earlier run did at a desk of the stock room cannot be undone."""
MOST = 1_000
"""Acts of this computer that can be undone; older ones stay as they are."""


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
        """What only this computer keeps, the latest at the end."""
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
        self._before: dict[str, DoneAct] = {}
        """What stands at each desk of the stock room from an earlier run, which undo does not take."""
        self._passed: set[str] = set()
        """What cannot be undone, and a person went past all the same, until something else is done."""

    def attach(self, moved: Callable[[], object], here: Callable[[], str]) -> None:
        """A window shows the shop from now on. What only this computer keeps was done in the one before it."""
        self.moved, self.here = moved, here
        self.forget("")

    # ---- the question

    def next(self, *, redo: bool = False) -> DoneAct | None:
        """What Undo takes now, or Redo: the latest act of a person that can be undone here. One that `stays` cannot be
        undone: what was done before it is taken only when a person says so (`go_past`)."""
        if redo:
            return self._next_redo()
        return self._latest(id_ for id_ in self._outbox.undo if id_ not in self._passed)

    def further_back(self) -> DoneAct | None:
        """What Undo would take past what cannot be undone."""
        known = (self._outbox.batches.get(id_) for id_ in self._outbox.undo)
        return self._latest(facts.batch.id for facts in known if facts is not None and facts.undoable)

    def can(self, id_: str) -> bool:
        """Whether this act can be undone, as far as is known here."""
        own, facts = self._find(self._own, id_), self._outbox.batches.get(id_)
        return self._holds(own) if own is not None else facts is None or not facts.stays

    def soon(self, *, redo: bool = False) -> bool:
        """Whether what Undo takes, or Redo, is known in a moment."""
        return self._outbox.looking or self.busy or (bool(self._asked) and not redo)

    @property
    def busy(self) -> bool:
        """Whether undo or redo is at something: what the next one takes is not known yet."""
        doing = self._doing
        return doing is not None and (not doing.decision or doing.id in self._outbox.decisions)

    def _latest(self, batches: Iterable[str]) -> DoneAct | None:
        """The latest of these batches (the newest first), the decisions, and what only this computer keeps."""
        kept = self._unwritten() or self._outbox.latest(next(iter(batches), ""))
        here = ("", self.here())
        for own in reversed(self._own):
            if kept is not None and kept.id not in own.known and kept.at >= own.at:
                break
            if own.place in here and self._holds(own):
                return own
        before = self._before.get(here[1])
        if before is not None and before.id not in self._passed and (kept is None or kept.at < before.at):
            return before
        return kept

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

    def add(self, what: str, inverse: Inverse, place: str = "") -> DoneAct:
        """Something was done that only this computer keeps, at this desk of the stock room, where it was one. `what`:
        the rest of "Undo ..."."""
        act = DoneAct(unique(), what, self._now(), inverse=inverse, place=place, known=self._known())
        self._own.append(act)
        del self._own[:-MOST]
        self.turns += 1
        self._close_redo()
        self.moved()
        return act

    def stands(self, place: str, what: str, at: float) -> None:
        """Of what was done at this desk in an earlier run, last at `at`, no inverse is kept: who undoes there means
        that, and nothing older is taken in its place before a person says so."""
        self._before[place] = DoneAct(f"before:{place}", what, at, stays=BEFORE_START, place=place)

    def asked(self, id_: str, *, decision: bool = False) -> None:
        """Something was done that the journal is to keep, as this batch or decision."""
        self._asked[id_] = self._now()
        if decision:
            self._deciding.add(id_)
        self.turns += 1
        self._close_redo()
        self.moved()

    def forget(self, place: str) -> None:
        """What was done at this desk (empty: at none of them) is not undone any more."""
        self._before.pop(place, None)
        self._own = [act for act in self._own if act.place != place]
        self._undone = [act for act in self._undone if isinstance(act, str) or act.place != place]

    def _known(self) -> frozenset[str]:
        known = frozenset((*self._asked, *self._outbox.batches, *self._outbox.decisions))
        before = self._own[-1].known if self._own else known
        return before if before == known else known  # of a thousand scans it is one object

    def _close_redo(self) -> None:
        self._undone.clear()
        self._closed.update(self._outbox.redo)

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
            self._own.append(act.again(self._now(), self._known()))
            act.inverse.again()
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
        if self._doing is not None and event.batch == self._doing.id:
            self._answered = True
            if event.redo and not event.made:  # nothing moved, and nothing is told of
                self.end()
