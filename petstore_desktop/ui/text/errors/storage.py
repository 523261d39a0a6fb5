"""Texts for problems with the program's files, by the code of a StorageError."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import tr

_Said = tuple[Callable[[str], str], Callable[[], str], Callable[[], str]]


def _one_asks() -> str:
    return tr("Your changes are safe. Before anything else is sent, one test request checks for a pause.")


_BY_FILE: dict[str, _Said] = {
    "journal-gone": (
        lambda file: tr("The file of your changes is gone: {file}.", file=file),
        lambda: tr("What was sent is in the shop. Changes that were still waiting, if any, are lost with the file."),
        lambda: tr("Check your last changes, and make the missing ones again."),
    ),
    "journal-set-aside": (
        lambda file: tr("The file of your changes was damaged. It is kept as {file}.", file=file),
        lambda: tr("What was sent is in the shop. Changes that were still waiting are not sent by themselves."),
        lambda: tr("Check your last changes, and make the missing ones again."),
    ),
    "archive-set-aside": (
        lambda file: tr("The file of your earlier changes was damaged. It is kept as {file}.", file=file),
        lambda: tr("Nothing in it was waiting to be sent. Only the list of changes is shorter now."),
        lambda: tr("You don’t need to do anything."),
    ),
    "preferences-set-aside": (
        lambda file: tr("The file of settings and connections was damaged. It is kept as {file}.", file=file),
        lambda: tr("The data and the keys of your shops are still here."),
        lambda: tr("Connect again under the same name and address."),
    ),
    "minimums-set-aside": (
        lambda file: tr("The file of your minimum stock was damaged. It is kept as {file}.", file=file),
        lambda: tr("Your changes and all other data are safe. The readable part of it is still used."),
        lambda: tr("Set the minimum stock again (Shop > Minimum stock)."),
    ),
    "requests-set-aside": (
        lambda file: tr("The list of earlier requests was damaged. It is kept as {file}.", file=file),
        lambda: tr("Your changes and all other data are safe; only that list starts again."),
        lambda: tr("You don’t need to do anything."),
    ),
    "requests-not-kept": (
        lambda file: tr("Requests cannot be recorded: {file} cannot be used.", file=file),
        lambda: tr("Your changes are safe, and sending goes on; only the list of requests will have gaps."),
        lambda: tr("Check whether the disk is full or its folder is write-protected."),
    ),
    "migration-failed": (
        lambda file: tr("{file} could not be upgraded for this version of the program.", file=file),
        lambda: tr("It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent."),
        lambda: tr("Check whether the disk is full, then restart the program. The earlier version still works."),
    ),
    "network-folder": (
        lambda file: tr("Your changes are kept in a network folder: {file}.", file=file),
        lambda: tr("A network folder can lose saved changes, and two computers can use the same files at once."),
        lambda: tr("Keep the program’s data in a folder on this computer."),
    ),
    "folder-missing": (
        lambda file: tr("There is no such folder: {file}.", file=file),
        lambda: tr("Nothing was written."),
        lambda: tr("Choose another folder, or create this one."),
    ),
    "gates-set-aside": (
        lambda file: tr("The file of pauses and request counts was damaged. It is kept as {file}.", file=file),
        _one_asks,
        lambda: tr("You don’t need to do anything."),
    ),
    "gates-gone": (
        lambda file: tr("The file of pauses and request counts is gone: {file}.", file=file),
        _one_asks,
        lambda: tr("You don’t need to do anything."),
    ),
    "set-aside": (
        lambda file: tr("A damaged file was set aside: {file}.", file=file),
        lambda: tr("Your changes are safe; its data is read from the service again."),
        lambda: tr("You don’t need to do anything."),
    ),
}


def storage_words(error: StorageError) -> tuple[str, str, str]:
    """Three sentences."""
    file = _file(error.params.get("path")) or tr("A file of the program")
    said = _BY_FILE.get(error.code)
    if error.code in _BY_ERROR:
        return _BY_ERROR[error.code](file, error)
    if said is not None:
        what, safe, do = said
        return what(file), safe(), do()
    if error.params.get("opening"):
        return _not_opened(error.code, file)
    what = {
        "disk-full": lambda: tr("The disk is full, so it was not saved."),
        "read-only": lambda: tr("{file} is write-protected, so it was not saved.", file=file),
    }.get(error.code, lambda: _state(error.code, file))
    do = {
        "disk-full": lambda: tr("Free some disk space, then try again."),
        "read-only": lambda: tr("Check the permissions of its folder, then try again."),
        "locked": lambda: tr("Close that program, then try again."),
        "too-new": lambda: tr("Install the later version again."),
    }.get(error.code, lambda: tr("Check the disk, then try again."))
    if error.params.get("unsure"):
        return (
            _state(error.code, file),
            tr("Earlier saved changes are safe. The last change may be saved after all."),
            tr("Check the disk and restart the program. Make the last change again only if it is missing then."),
        )
    return what(), tr("Earlier saved changes are safe; the last change is not."), do()


def _file(path: object) -> str:
    return isolate(plain(path)) if isinstance(path, str) else ""


def _state(code: str, file: str) -> str:
    return {
        "disk-full": lambda: tr("The disk is full."),
        "read-only": lambda: tr("{file} is write-protected.", file=file),
        "locked": lambda: tr("{file} is in use by another program.", file=file),
        "damaged": lambda: tr("{file} is damaged.", file=file),
        "too-new": lambda: tr("{file} was written by a later version of this program.", file=file),
    }.get(code, lambda: tr("{file} cannot be read or written.", file=file))()


def _unusable(file: str, error: StorageError) -> tuple[str, str, str]:
    what = isolate(plain(str(error.params.get("what", ""))))
    return (
        tr("Some values in {file} cannot be used: {what}.", file=file, what=what),
        tr("All other settings and connections are used. The data of your shops is still here."),
        tr("Set these values again, or connect again under the same name and address."),
    )


def _listed(file: str, error: StorageError) -> tuple[str, str, str]:
    what, _, _ = _BY_FILE["journal-set-aside"]
    count, listed = error.params.get("count"), _file(error.params.get("list"))
    safe = tr(
        "What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed "
        "in {list}.",
        "",
        count if isinstance(count, int) else 0,
        one="What was sent is in the shop. One change that was still waiting is not sent by itself; it is listed in "
        "{list}.",
        list=listed,
    )
    lost = error.params.get("lost")
    if isinstance(lost, int) and lost:
        safe += " " + tr(
            "{n} of them cannot be read; the list has what is left of them.",
            "",
            lost,
            one="One of them cannot be read; the list has what is left of it.",
        )
    return what(file), safe, tr("Open the list, and make the missing changes again.")


def _elsewhere(_: str, error: StorageError) -> tuple[str, str, str]:
    count, address = error.params.get("count"), plain(str(error.params.get("address") or ""))
    what = tr(
        "{n} changes were made for the service at {address}, which this connection used before.",
        "",
        count if isinstance(count, int) else 0,
        one="One change was made for the service at {address}, which this connection used before.",
        address=isolate(address),
    )
    return (
        what,
        tr("They are kept, and are not sent to this service."),
        tr("To send them, connect to that address again."),
    )


_BY_ERROR: dict[str, Callable[[str, StorageError], tuple[str, str, str]]] = {
    "journal-listed": _listed,
    "changes-elsewhere": _elsewhere,
    "preferences-unusable": _unusable,
}


def _not_opened(code: str, file: str) -> tuple[str, str, str]:
    """The files could not be opened, so there was no act yet that could have been lost."""
    do = {
        "disk-full": lambda: tr("Free some disk space, then restart the program."),
        "read-only": lambda: tr("Check the permissions of its folder, then restart the program."),
        "locked": lambda: tr("Close that program, then restart this one."),
        "too-new": lambda: tr("Install the later version again."),
    }.get(code, lambda: tr("Check the disk, then restart the program."))
    return _state(code, file), tr("Saved changes are safe. Until this is solved nothing can be changed or sent."), do()
