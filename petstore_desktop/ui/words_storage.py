"""What is wrong with a file of the program, what is safe, what to do: by the code of a StorageError."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.ui.theme import isolate, plain
from petstore_desktop.ui.words import tr

_Aside = tuple[Callable[[str], str], Callable[[], str], Callable[[], str]]

_ASIDE: dict[str, _Aside] = {
    "journal-set-aside": (
        lambda file: tr("The file of your changes was damaged. It is kept, set aside, as {file}.", file=file),
        lambda: tr("What was sent is in the shop. Changes that were still waiting are not sent by themselves."),
        lambda: tr("Look at the last things you changed, and do again what is missing."),
    ),
    "preferences-set-aside": (
        lambda file: tr(
            "The file of settings and connections was damaged. It is kept, set aside, as {file}.", file=file
        ),
        lambda: tr("What is kept of your shops, and their keys, is still here."),
        lambda: tr("Connect again under the same name and address."),
    ),
    "set-aside": (
        lambda file: tr("A damaged file was set aside: {file}.", file=file),
        lambda: tr("Your changes are safe; what it held is read from the service again."),
        lambda: tr("You need not do anything."),
    ),
}


def storage_words(code: str, path: str) -> tuple[str, str, str]:
    """Three sentences; `path` may be empty."""
    file = isolate(plain(path)) or tr("A file of the program")
    aside = _ASIDE.get(code)
    if aside is not None:
        what, safe, do = aside
        return what(file), safe(), do()
    what = {
        "disk-full": lambda: tr("The disk is full, so it was not saved."),
        "read-only": lambda: tr("{file} may not be written, so it was not saved.", file=file),
        "locked": lambda: tr("{file} is in use by another program.", file=file),
        "damaged": lambda: tr("{file} is damaged.", file=file),
        "too-new": lambda: tr("{file} was written by a later version of this program.", file=file),
    }.get(code, lambda: tr("{file} cannot be read or written.", file=file))
    do = {
        "disk-full": lambda: tr("Make room on the disk, then do it again."),
        "read-only": lambda: tr("Check the permissions of its folder, then do it again."),
        "locked": lambda: tr("Close that program, then do it again."),
        "too-new": lambda: tr("Install the later version again."),
    }.get(code, lambda: tr("Check the disk, then do it again."))
    return what(), tr("What was said to be saved before is safe; the last act is not."), do()
