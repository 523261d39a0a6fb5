"""Error texts of what keeps data on this computer: the program's files and the keyring."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.desk.checks.error_texts import FILE_STATES, FILE_UNUSABLE, FILES, FORGETTING, KEYRING, Sentences
from petstore_desktop.domain.errors import KeyringError, ShopError, StorageError
from petstore_desktop.ui.base.theme import isolate
from petstore_desktop.ui.text.translate import param, tr


def storage_words(error: StorageError) -> Sentences:
    """Say the problem with a file, and whether the last change is saved."""
    file = _file(error, "path") or tr("A file of the program")
    if error.params.get("address"):
        file = tr("{file} (of the service at {address})", file=file, address=isolate(param(error, "address")))
    if error.code in _COUNTED:
        return _COUNTED[error.code](file, error)
    if error.code in FILES:
        what, safe, do = FILES[error.code]
        return tr(what, file=file, what=isolate(param(error, "what"))), tr(safe), tr(do)
    state, save_again, open_again = FILE_STATES.get(error.code, FILE_UNUSABLE)
    what = tr(state, file=file)
    if error.params.get("opening"):
        safe = tr("Saved changes are safe. Until this is solved nothing can be changed or sent.")
        return what, safe, tr(open_again)
    if error.params.get("unsure"):
        safe = tr("Earlier saved changes are safe. The last change may be saved after all.")
        do = tr("Check the disk and restart the program. Make the last change again only if it is missing then.")
        return what, safe, do
    return what, tr("Earlier saved changes are safe; the last change is not."), tr(save_again)


def _file(error: StorageError, name: str) -> str:
    return isolate(param(error, name)) if error.params.get(name) else ""


def _count(error: ShopError, name: str = "count") -> int:
    count = error.params.get(name)
    return count if isinstance(count, int) else 0


def _listed(file: str, error: StorageError) -> Sentences:
    safe = tr(
        "What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed "
        "in {list}.",
        "",
        _count(error),
        one="What was sent is in the shop. One change that was still waiting is not sent by itself; it is listed in "
        "{list}.",
        list=_file(error, "list"),
    )
    if lost := _count(error, "lost"):
        safe += " " + tr(
            "{n} of them cannot be read; the list has what is left of them.",
            "",
            lost,
            one="One of them cannot be read; the list has what is left of it.",
        )
    what, _, _ = FILES["journal-set-aside"]
    return tr(what, file=file), safe, tr("Open the list, and make the missing changes again.")


def _elsewhere(_: str, error: StorageError) -> Sentences:
    what = tr(
        "{n} changes were made for the service at {address}, which this connection used before.",
        "",
        _count(error),
        one="One change was made for the service at {address}, which this connection used before.",
        address=isolate(param(error, "address")),
    )
    return (
        what,
        tr("They are kept, and are not sent to this service."),
        tr("To send them, connect to that address again."),
    )


_COUNTED: Mapping[str, Callable[[str, StorageError], Sentences]] = {
    "journal-listed": _listed,
    "changes-elsewhere": _elsewhere,
}


def keyring_words(error: KeyringError) -> Sentences:
    """Say the problem with the keyring, where a key was to be stored, read or removed."""
    what, do = KEYRING.get(error.code, KEYRING["keyring-refused"])
    held = tr("A key that you enter is held in memory for this run, and is in no file."), tr(do)
    if error.params.get("forgetting"):
        held = tr(FORGETTING[0]), tr(FORGETTING[1])
    return tr(what), *held
