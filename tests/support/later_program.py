"""The program as a later version of it may be: another version of the data folder, and one more step of the journal.

python -m tests.support.later_program [ARGUMENTS OF petstore-desktop ...]
"""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop import data_folder
from petstore_desktop.store.journal import schema

LATER = data_folder.VERSION + 1


def be_later() -> None:
    """Make this process one of the later version; before anything else of it is imported."""
    data_folder.VERSION = LATER
    schema.KIND = replace(schema.KIND, steps=(*schema.KIND.steps, ("CREATE TABLE later (id INTEGER) STRICT",)))


if __name__ == "__main__":
    be_later()
    from petstore_desktop.__main__ import run

    run()
