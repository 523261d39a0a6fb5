"""`petstore-desktop decide NAME [CHANGE --done|--again] [--undo]`: what needs a person's decision, and that decision.
Nothing is sent by it; what is to be sent again goes out with the next `sync`, import or booking."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

from petstore_desktop.clock import unique
from petstore_desktop.commands.change_words import record_words, steps_words
from petstore_desktop.commands.sentences import connection, note, show
from petstore_desktop.desk.changes.change_lines import sentence_of
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.commands import Choice, Decided
from petstore_desktop.instance import Instance
from petstore_desktop.store.journal.decisions import JournalDecisions
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.ui.text.translate import speak_without_window, tr

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import Profile

_MARKS: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
"""The marks for the direction of writing, which a terminal shows as boxes."""


def decide(data_dir: str | None, name: str, change: int | None, choice: str, undo: bool) -> int:
    """List what needs a decision, or decide about one change (`choice`: "done" or "again"), or take the last decision
    back; the exit code. Raises AlreadyRunning, BadInput, StorageError."""
    places, profile = connection(data_dir, name)
    instance = Instance(places.data)  # a window decides by itself, and has the journal
    spoken = speak_without_window()
    try:
        return _decide(places, profile, change, choice, undo)
    finally:
        instance.release()
        del spoken


def _decide(places: Places, profile: Profile, change: int | None, choice: str, undo: bool) -> int:
    file = places.journal(profile.slug)
    if not file.exists():
        return 0 if change is None and not undo else _nothing()
    with closing(Journal(file)) as journal:
        journal.recover(time.time())
        if undo:
            return _undone(journal)
        stuck = {one.id: one for one in journal.open_changes() if one.needs_person}
        if change is None:
            show(_line(one) for one in stuck.values())
            return 0
        return _decided(journal, stuck[change], choice) if change in stuck else _nothing()


def _nothing() -> int:
    note(tr("there is nothing to decide about it"))
    return 1


def _decided(journal: Journal, change: Change, choice: str) -> int:
    if choice == "done" and change.state is not ChangeState.UNCERTAIN:
        note(tr("it was refused or never sent: it cannot count as done"))
        return 1
    one = Decided((change.id,), Choice.DONE)
    if choice == "again":
        one = Decided((change.id,), Choice.MINE, {} if change.reason is None else change.reason.theirs)
    if not JournalDecisions(journal).decide(unique(), [one], time.time()):
        return _nothing()
    said = (
        tr("counts as done; nothing is sent")
        if choice == "done"
        else tr("goes out with the next `petstore-desktop sync`, import or booking, or while the window is open")
    )
    show([f"{_head(change)}: {said}"])
    return 0


def _undone(journal: Journal) -> int:
    decisions = JournalDecisions(journal)
    last = decisions.latest()[-1:]
    back = decisions.take_back(last[0].id, time.time()) if last else ()
    if not back:
        return _nothing()
    show(map(_line, back))
    return 0


def _line(change: Change) -> str:
    from petstore_desktop.ui.text.changes.change import change_sentence

    sentence = sentence_of(change, None)
    words = change_sentence(sentence.code, sentence.params, time.time(), None).translate(_MARKS)
    return f"{_head(change)}: {visible(words)}"


def _head(change: Change) -> str:
    return f"{change.id}  {record_words(change.ref, '')}: {steps_words(change)}"
