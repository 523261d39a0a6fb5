"""Remembers the choices for a file's columns for the next file with the same columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from petstore_desktop.desk.imports.import_layout import Layout, field_of, layout_digest, width
from petstore_desktop.domain.records import Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.importing import Import
    from petstore_desktop.domain.sheets import Sheet
    from petstore_desktop.ui.context.ports import AppPort

_NAME, _FOLDER = "importLayouts", "importFolder"
_MOST: Final = 50
"""How many layouts are kept, the latest."""


class ImportMemory:
    """Layouts by the digest of their columns' names, as plain JSON in the preferences; and the folder of the last
    file."""

    def __init__(self, app: AppPort) -> None:
        self._app = app

    @property
    def folder(self) -> str:
        """Where the last file was; empty at first."""
        return self._app.preference(_FOLDER)

    def keep_folder(self, folder: str) -> None:
        """The next file is probably there too."""
        self._app.set_preference(_FOLDER, folder)

    def layout_of(self, sheet: Sheet, header: int) -> Layout | None:
        """The choices for these columns; None if nothing matches."""
        kept = self._kept().get(layout_digest(sheet, header))
        if not isinstance(kept, Mapping):
            return None
        said = cast("Mapping[str, object]", kept)
        resource, fields = said.get("resource"), said.get("fields")
        if resource not in tuple(Resource) or not isinstance(fields, list):
            return None
        names = [one if isinstance(one, str) else "" for one in cast("list[object]", fields)]
        known = [name if field_of(Resource(str(resource)), name) else "" for name in names]
        return Layout(Resource(str(resource)), header, tuple(known)) if len(known) == width(sheet) else None

    def keep(self, made: Import) -> None:
        """These columns were right."""
        digest = layout_digest(made.sheet, made.layout.header)
        if not digest:
            return
        kept = {name: one for name, one in self._kept().items() if name != digest}
        kept[digest] = {"resource": made.layout.resource.value, "fields": list(made.layout.fields)}
        self._app.set_preference(_NAME, json.dumps(dict(list(kept.items())[-_MOST:])))

    def _kept(self) -> dict[str, object]:
        try:
            kept: object = json.loads(self._app.preference(_NAME) or "{}")
        except ValueError:
            return {}
        return cast("dict[str, object]", kept) if isinstance(kept, dict) else {}
