"""What is half filled in dialogs, kept in journal.db until the dialog is done with."""

from __future__ import annotations

import logging

from petstore_desktop.domain.drafts import Draft
from petstore_desktop.store.journal.intents_json import decode_fields, encode_fields
from petstore_desktop.store.journal.journal import Journal

_log = logging.getLogger(__name__)


class Drafts:
    """The drafts of one connection. Raises StorageError."""

    def __init__(self, journal: Journal) -> None:
        self._database = journal.database

    def keep(self, draft: Draft) -> None:
        """Keep it in the place of what was kept of the same form."""
        content = encode_fields(draft.content)
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", (draft.form, draft.at, content))

    def drop(self, form: str) -> None:
        """The form is done with."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM draft WHERE form = ?", (form,))

    def all(self) -> tuple[Draft, ...]:
        """Everything that is kept."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT form, at, content FROM draft").fetchall()
        found: list[Draft] = []
        for form, at, content in rows:
            try:
                fields = {name: str(text) for name, text in decode_fields(str(content)).items()}
            except ValueError:
                _log.warning("what was half filled in %s cannot be read", form)
                continue
            if isinstance(form, str) and isinstance(at, float):
                found.append(Draft(form, at, fields))
        return tuple(found)
