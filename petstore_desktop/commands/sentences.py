"""What went wrong, in one English line for the command line: what happened, and what to do."""

from __future__ import annotations

import json
import math
import os
import shlex
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import Places, data_directory
from petstore_desktop.desk.checks.check_texts import BAD, OPERATIONS
from petstore_desktop.desk.checks.connection_texts import UNREACHABLE
from petstore_desktop.desk.checks.error_texts import (
    FILE_STATES,
    FILE_UNUSABLE,
    FILES,
    FORGETTING,
    KEYRING,
    answer_texts,
)
from petstore_desktop.domain.errors import (
    AlreadyRunning,
    AnswerUnusable,
    BadInput,
    DocumentUnusable,
    Forbidden,
    Interrupted,
    KeyRejected,
    KeyringError,
    NotOffered,
    RateLimited,
    ServiceError,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.domain.send_block import Cause, SendBlock
from petstore_desktop.preferences import Preferences, PreferenceStore, Profile
from petstore_desktop.session.profiles import find

_BY_CODE: Mapping[str, str] = {
    "another-origin": "this address belongs to another server than the service's own; nothing was sent there",
    "redirected": "the service redirects to {target}; the program does not follow, and neither request nor key went "
    "there. If it has moved, give its new address with `connect --url`",
    "redirect-circle": "the service redirects in a circle; check the address, or ask its provider",
    "redirect-nowhere": "the service redirects, but does not say where to; ask its provider for the new "
    "address, and give it with `connect --url`",
    "ca-file-missing": "there is no file {path}; nothing was changed. Give a file with certificates in PEM form",
    "ca-file-unreadable": "the CA file {path} cannot be read ({why}); nothing was changed",
    "ca-file-no-certificate": "{path} holds no certificate; nothing was changed. Give the certificates of an authority "
    "in PEM form, with BEGIN CERTIFICATE in it",
    "ca-file-too-large": "the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the "
    "certificates of the authority that the service needs",
    "address-unusable": "{address} is not an http(s) address; give the service's base address, such as "
    "https://shop.example/v1",
    "address-insecure": "plain http to {host} would show the key to others; use https (http is only for this computer)",
    "address-with-credentials": "the address holds a user name or password; give the key with --key-stdin instead",
    "url-holds-secret": "the address holds a user name or password; give the key with --key-stdin instead",
    "name-empty": "a connection needs a name",
    "name-taken": "another connection is called {name}; choose another name",
    "plan-has-numbers": "the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or "
    "with a connection whose plan is not known",
    "connections-alike": "there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` "
    "lists them",
    "no-such-connection": "there is no connection called {name}; `petstore-desktop connections` lists them",
    "needs-out": "a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE",
    "no-list": "{name} has no list of {resource}: its service does not offer one",
    "nothing-kept": "nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them",
    "too-many-rows": "a sheet holds at most {most} rows; nothing was written: use the format csv or json",
    "text-too-long": "a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json",
    "no-key-typed": "no key was typed; nothing was changed",
    "no-key-given": "no key came on stdin; nothing was changed",
    "no-key": "there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`",
    "unsent-changes": "{count} changes of {name} are not sent yet; nothing was removed. --yes writes them to a file "
    "and forgets {name}",
    "unsent-elsewhere": "{count} changes of {name} wait for {address}; let them be sent, or forget {name}, before "
    "its address is changed",
    "key-variable-rejected": "the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put "
    "another one in that variable, or unset it to use the key in the keyring",
    "key-unusable": "the key contains characters that cannot be sent; nothing was changed",
    "keyring-absent": "this computer has no keyring that can store a key; nothing was stored, neither key nor "
    "connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window",
    "key-missing": "the service wants another key too: {key}; give it with `connect --further-key`",
    "this-key-rejected": "the service rejected the key {key} ({message}); nothing was lost. Give another with "
    "`connect --further-key`",
    "value-kept": "{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection "
    "of another name",
    "value-unreadable": "{typed} is no value for a parameter; give it as NAME=VALUE",
    "document-missing": "the document {path} cannot be read",
    "cannot-open": "{path} cannot be opened or made; see that the folder is there and that you may read and "
    "write in it, or choose another one with --data-dir",
    "demo-failed": "the demo shop did not start: {why}",
    "journal-listed": "the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) "
    "is listed in {list}, and is not sent by itself: make it again where it is missing",
    "connection-read-only": "{name} is read-only; nothing was saved. `connect --read-write` ends that",
    "other-records": "the file holds {found}, not {wanted}; nothing was saved",
    "no-known-columns": "no column of the file can be told to be a field of {wanted}; nothing was saved. Name the "
    "columns in its first row, as `export` does",
    "dates-unsure": "the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with "
    "--dates dmy, mdy or ymd",
    "numbers-unsure": "the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was "
    "saved. Say how with --numbers point or comma",
    "pet-unknown": "there is no pet {pet}; give its id, or its name as it is written in the list",
    "pet-alike": "there is no pet {pet}; did you mean {could}?",
    "pets-several": "{count} pets could be meant by {pet}: {could}; give the id with a # before it",
    "not-open-there": "the program that runs on this data folder has not opened {name}; open it there (Shop > Switch "
    "to another shop), or close the program. Nothing was saved",
    "bookings-wrong": "{count} rows are wrong, and a file that books in or out is imported whole or not at all; "
    "nothing was saved",
    "shop-closed": "{name} was closed in the running program before anything was saved; say it again",
    "order-unreadable": "the program that runs on this data folder is of another version; close it first. Nothing was "
    "saved",
    "not-saved": "the changes could not be saved; nothing was sent",
    "changes-elsewhere": "{count} changes were made for the service at {address}, which this connection used before; "
    "they are kept in {path} and are sent when the connection has that address again",
}

_BY_KIND: tuple[tuple[type[ShopError], str], ...] = (
    (
        KeyRejected,
        "the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`",
    ),
    (RateLimited, "the service asks to wait ({message}); nothing more is sent until then"),
    (Forbidden, "the key may not do this ({message})"),
    (ServiceError, "the service answered {status}: {message}"),
    (Unreachable, "{host} cannot be reached ({why}); nothing was sent. It is tried again by itself"),
    (NotOffered, "this service does not offer that"),
    (DocumentUnusable, "the OpenAPI document cannot be used ({code}, {why})"),
    (AlreadyRunning, "the program is already running on {path}; use its window, or close it first"),
    (BadInput, "this cannot be understood ({code})"),
)


_LACKS_VALUES = ("document-place", "document-values")
_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("tls-self-signed", "tls-unknown-authority"), "`connect --ca-file`"),
    **dict.fromkeys(("ca-file-missing", "ca-file-too-large", "ca-file-no-certificate"), "`connect --ca-file`"),
    **dict.fromkeys(
        (code for code in BAD if code.startswith("document-") and code not in _LACKS_VALUES), "`connect --document`"
    ),
    **dict.fromkeys(_LACKS_VALUES, "`connect --value`"),
    "network-folder": "--data-dir",
}
"""The option that helps, where one does."""

_UNSAID: Mapping[str, str] = {
    "host": "the service",
    "operation": "the request",
    "titled": "one without a title",
    "issuer": "an authority",
    "names": "another name",
    "since": "a later day",
    "until": "on an earlier day",
}


class _Known(dict[str, object]):
    """Parameters for a sentence; a missing one is said as such."""

    def __missing__(self, key: str) -> str:
        return _UNSAID.get(key, "not said")


def _sort(error: ShopError) -> str:
    """The code, and of a redirect where it leads, of a key where it came from, and of a name whether others are like
    it."""
    if isinstance(error, KeyringError) and error.params.get("reading"):
        return f"{error.code}-reading"
    if isinstance(error, KeyRejected) and error.params.get("variable"):
        return "key-variable-rejected"
    if isinstance(error, KeyRejected) and error.params.get("key") and error.code != "key-missing":
        return "this-key-rejected"
    if error.code == "no-such-connection" and error.params.get("alike"):
        return "connections-alike"
    if error.code != "redirected":
        return error.code
    if error.params.get("circle"):
        return "redirect-circle"
    return error.code if error.params.get("target") else "redirect-nowhere"


def listed(names: Sequence[str], word: str) -> str:
    """`“Zoo”, “Köln” or “Ulm”`, with that word before the last."""
    *others, last = (f"“{name}”" for name in names)
    return f"{', '.join(others)} {word} {last}" if others else last


def typed(word: str) -> str:
    """A word as it is typed in a command; in double quotes where those do, which every shell knows."""
    if not word or set(word) & set('"$`\\!%'):
        return shlex.quote(word)
    return word if shlex.quote(word) == word else f'"{word}"'


def sentence(error: ShopError, *, named: bool = True) -> str:
    """One line, without line breaks, for stderr; not `named`: without the operation that it begins with."""
    exact = _shared(error)
    by_kind = next((text for kind, text in _BY_KIND if isinstance(error, kind)), "{code}")
    template = _BY_CODE.get(_sort(error)) or exact or by_kind
    values = _Known({name: value for name, value in error.params.items() if value not in (None, "")})
    for name in ("since", "until"):
        if isinstance(moment := values.get(name), float):
            values[name] = time.strftime("%Y-%m-%d", time.localtime(calendar_moment(moment)))
    values["code"], values["typed"] = error.code, typed(str(values["name"]))
    values["file"], values["type"] = values["path"], values["content_type"]
    if isinstance(error, StorageError) and "address" in values:
        values["file"] = "{path} (of the service at {address})".format_map(values)
    if isinstance(cap := values.get("cap"), int):
        values["mb"] = cap // 2**20
    if "title" in values:
        values["titled"] = values["title"]
    if (names := values.get("alike")) and isinstance(names, tuple):
        values["alike"] = listed(cast("tuple[str, ...]", names), "or")
    if (operation := values.get("operation")) in tuple(Op):
        values["operation"] = OPERATIONS[Op(str(operation))]
    template = template if named else template.removeprefix("{operation}: ")
    return " ".join(template.format_map(values).split())


def _shared(error: ShopError) -> str | None:
    """What the window says of the same error, as one line; None where it has words of its own here."""
    code, safe = error.code, "nothing was changed"
    texts: tuple[str, str] | None = None
    match error:
        case AnswerUnusable() | Interrupted():
            what, do = answer_texts(error)
            return f"{{operation}}: {_line(what, 'what is kept on this computer is unchanged', do)}"
        case KeyringError():
            return _keyring(error)
        case StorageError():
            state, again, _ = FILE_STATES.get(code, FILE_UNUSABLE)
            safe = f"{safe} in {{file}}" if code == "disk-full" else safe
            what, safe, do = FILES.get(code, (state, safe, again))
            return _line(_detailed(what, error), safe, do, _OPTIONS.get(code, ""))
        case Unreachable():
            code, safe = str(error.params.get("why")), "nothing was sent, not even the key"
            texts = UNREACHABLE.get(code)
        case DocumentUnusable():
            texts = BAD.get(code)
        case _:
            pass
    return None if texts is None else _line(texts[0], safe, texts[1], _OPTIONS.get(code, ""))


def _keyring(error: KeyringError) -> str:
    what, do = KEYRING.get(error.code, KEYRING["keyring-refused"])
    what = _detailed(what, error)
    if error.params.get("forgetting"):
        return _line(what, *FORGETTING)
    if error.params.get("reading"):
        safe = "there is no key for {name}, so nothing was sent"
        return _line(what, safe, f"{do} Or give the key in the variable PETSTORE_API_KEY")
    return _line(what, "nothing is known to be stored", do)


def _detailed(what: str, error: ShopError) -> str:
    """Add the technical reason, where there is one."""
    detail = next((f" ({{{name}}})" for name in ("detail", "why") if error.params.get(name)), "")
    return f"{what.rstrip('.')}{detail}"


def _line(what: str, safe: str, do: str, option: str = "") -> str:
    helps = f" ({option})" if option else ""
    return f"{what[0].lower()}{what[1:].rstrip('.')}; {safe[0].lower()}{safe[1:].rstrip('.')}. {do.rstrip('.')}{helps}"


_WAITS: Mapping[Cause, str] = {
    Cause.MINUTE: "this minute's requests are used up",
    Cause.DAY: "today's requests are used up",
    Cause.SHARE: "the rest of today's requests is kept for what you ask for",
    Cause.ASKED: "the service asks to wait",
    Cause.BUSY: "the service cannot work just now",
    Cause.UNTOLD: "no requests are left, and the service does not say until when",
    Cause.BANNED: "the service has banned this key for a time",
    Cause.PROBING: "a test request checks whether sending may resume",
    Cause.LOCKED: "the service does not accept the key",
    Cause.OFFLINE: "the service cannot be reached",
}


def waiting(blocked: SendBlock, now: float) -> str:
    """One line that says until when nothing is sent, by this computer's clock and zone, how long that is, and why;
    `now` in UTC epoch seconds."""
    why = _WAITS[blocked.cause]
    if blocked.until is None:
        return f"waiting: {why}"
    at, length = clock_time(math.ceil(blocked.until), now), _length(blocked.until - now)
    return f"waiting until {at} ({length}): {why}; it goes on by itself"


def clock_time(epoch_s: float, now: float) -> str:
    """`14:02:11`, with the date where it is another day than `now`, in this computer's zone."""
    at = time.localtime(calendar_moment(epoch_s))
    return time.strftime("%H:%M:%S" if at[:3] == time.localtime(calendar_moment(now))[:3] else "%Y-%m-%d %H:%M:%S", at)


def _length(seconds: float) -> str:
    """`42 s`, `5 min 3 s`, `1 h 0 min`."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def load_preferences(store: PreferenceStore) -> Preferences:
    """Read the preferences; reports problems of the file on stderr. Raises StorageError."""
    preferences = store.load()
    tell(store.trouble)
    return preferences


def connection(data_dir: str | None, name: str) -> tuple[Places, Profile]:
    """The program's folders and the connection of this name. Raises BadInput, StorageError."""
    places = Places(data_directory(data_dir))
    return places, find(load_preferences(PreferenceStore(places.preferences)), name)


def tell(trouble: StorageError | None) -> None:
    """Report on stderr a problem with a file, if there is one."""
    if trouble is not None:
        sys.stderr.write(f"{sentence(trouble)}\n")


def note(line: str) -> None:
    """Write a line on stderr that says which program it comes from."""
    sys.stderr.write(f"petstore-desktop: {line}\n")
    sys.stderr.flush()


def knows(code: str) -> bool:
    """Whether there is a sentence for this code alone."""
    return code in _BY_CODE


def show(lines: Iterable[str]) -> None:
    """Print these lines; once nobody reads them any more, the rest goes nowhere."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        close_stdout()


def show_json(said: object) -> None:
    """Print one JSON object."""
    show((json.dumps(said, ensure_ascii=False),))


def close_stdout() -> None:
    """Let what is still printed, also at the end of the program, go nowhere: nobody reads it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
