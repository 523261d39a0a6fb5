"""What is wrong with a file of the program, what is safe, what to do: by the code of a StorageError."""

from __future__ import annotations

from petstore_desktop.ui.theme import isolate, plain
from petstore_desktop.ui.words import tr


def storage_words(code: str, path: str) -> tuple[str, str, str]:
    """Three sentences; `path` may be empty."""
    file = isolate(plain(path)) or tr("A file of the program")
    if code == "set-aside":
        return (
            tr("A damaged file was set aside: {file}.", file=file),
            tr("It is kept as it was found; a new one has taken its place."),
            tr("Keep it if changes were waiting to be sent."),
        )
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
