"""What went wrong, in one line of English: what happened, and what to do."""

from __future__ import annotations

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.domain.errors import DocumentUnusable, StorageError


def test_a_folder_that_cannot_be_opened_is_told_with_a_way_out() -> None:
    said = sentence(StorageError("cannot-open", path="/proc/nope"))
    assert said.startswith("/proc/nope cannot be opened")
    assert "--data-dir" in said
    assert "cannot-open" not in said


def test_a_document_without_a_title_is_told_as_such() -> None:
    assert "one without a title" in sentence(DocumentUnusable("document-empty"))
