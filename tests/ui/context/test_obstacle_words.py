"""Why something cannot be done: the same words in an import, a preview, and at an action."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.imports.import_matching import Problem
from petstore_desktop.desk.model.capabilities import Allowed
from petstore_desktop.desk.preview import Note
from petstore_desktop.ui.context.action_set import allowed_words
from petstore_desktop.ui.files.import_texts import problem_words
from petstore_desktop.ui.preview.preview_texts import note_words


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("not-offered", "The service does not offer this."),
        ("removed", "The service no longer offers this."),
        ("being-deleted", "This is being deleted."),
        ("date-unreadable", "Enter a valid date."),
    ],
)
def test_an_import_and_a_preview_say_the_same_sentence(code: str, said: str) -> None:
    assert problem_words(Problem(code)) == note_words(Note(code)) == said


def test_an_action_names_the_shop() -> None:
    assert allowed_words(Allowed(False, "removed"), "Pets Ltd") == ["Pets Ltd no longer offers this."]
