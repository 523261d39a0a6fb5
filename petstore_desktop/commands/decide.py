"""`petstore-desktop decide NAME [CHANGE --done|--again|--discard] [--undo]`: what needs a person's decision, and that
decision. Nothing is sent by it; what is to be sent again goes out with the next `sync`, import or booking."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, Final

from petstore_desktop.clock import unique
from petstore_desktop.commands.change_words import Names, name_of, names_kept, record_words, steps_words
from petstore_desktop.commands.sentences import find_connection, note, note_trouble, show
from petstore_desktop.desk.changes.change_lines import sentence_of
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.changes import Change, ChangeState, Create, Fields
from petstore_desktop.domain.commands import Choice, Decided
from petstore_desktop.instance import Instance
from petstore_desktop.store.journal.decisions import JournalDecisions
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.jobs.salvage_lists import damaged_lists
from petstore_desktop.ui.text.translate import speak_without_window, tr

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import ShopConnection

_CHOICES: Final = {"done": Choice.DONE, "again": Choice.MINE, "discard": Choice.THEIRS}
_MARKS: Final = dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))
"""The marks for the direction of writing, which a terminal shows as boxes."""


def decide(data_dir: str | None, name: str, change: int | None, choice: str, undo: bool) -> int:
    """List what needs a decision, or decide about one change (`choice`: "done", "again" or "discard"), or take the last
    decision back; the exit code. Raises AlreadyRunning, BadInput, StorageError."""
    places, connection = find_connection(data_dir, name)
    instance = Instance(places.data)  # a window decides by itself, and has the journal
    spoken = speak_without_window()
    try:
        return _decide(places, connection, change, choice, undo)
    finally:
        instance.release()
        del spoken


def _decide(places: Places, connection: ShopConnection, change: int | None, choice: str, undo: bool) -> int:
    file = places.journal(connection.slug)
    if not file.exists():
        return _none_waits() if change is None and not undo else _nothing()
    names = names_kept(places, connection)
    with closing(Journal(file)) as journal:
        aside = damaged_lists(journal, time.time())
        for error in aside:  # to open it set it aside
            note_trouble(error)
        journal.recover(time.time())
        if undo:
            return _undone(journal, names)
        stuck = {one.id: one for one in journal.open_changes() if one.needs_person}
        if change is None:
            show(_line(one, names) for one in stuck.values())
            return int(bool(aside)) if stuck or aside else _none_waits()
        return _decided(journal, stuck[change], choice, names) if change in stuck else _nothing()


def _none_waits() -> int:
    note(tr("nothing needs a decision"))
    return 0


def _nothing() -> int:
    note(tr("there is nothing to decide about it"))
    return 1


def _decided(journal: Journal, change: Change, choice: str, names: Names) -> int:
    if choice == "done" and change.state is not ChangeState.UNCERTAIN:
        note(tr("it was refused or never sent: it cannot count as done"))
        return 1
    theirs: Fields = {} if change.reason is None else change.reason.theirs
    one = Decided((change.id,), _CHOICES[choice], theirs if choice == "again" else {})
    if not JournalDecisions(journal).decide(unique(), [one], time.time()):
        return _nothing()
    said = {
        "done": tr("counts as done; nothing is sent"),
        "again": tr("goes out with the next `petstore-desktop sync`, import or booking, or while the window is open"),
        "discard": tr("is discarded; nothing is sent"),
    }[choice]
    show([f"{_head(change, names)}: {said}"])
    return 0


def _undone(journal: Journal, names: Names) -> int:
    decisions = JournalDecisions(journal)
    last = decisions.latest()[-1:]
    back = decisions.take_back(last[0].id, time.time()) if last else ()
    if not back:
        return _nothing()
    show(_line(one, names) for one in back)
    return 0


def _line(change: Change, names: Names) -> str:
    from petstore_desktop.ui.text.changes.change import change_sentence

    sentence = sentence_of(change, None)
    words = change_sentence(sentence.code, sentence.params, time.time(), None).translate(_MARKS)
    return f"{_head(change, names)}: {visible(words)}"


def _head(change: Change, names: Names) -> str:
    title = name_of(names, change.ref)
    if not title and isinstance(change.intent, Create):
        title = str(change.intent.fields.get("name") or "")
    return f"{change.id}  {record_words(change.ref, title)}: {steps_words(change)}"
