"""What went wrong, in one English line for the command line: what happened, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

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

_BY_CODE: Mapping[str, str] = {
    "address-unusable": "{address} is not an http(s) address; give the service's base address, such as "
    "https://shop.example/v1",
    "address-insecure": "plain http to {host} would show the key to others; use https (http is only for this computer)",
    "address-with-credentials": "the address holds a user name or password; give the key with --key-stdin instead",
    "url-holds-secret": "the address holds a user name or password; give the key with --key-stdin instead",
    "name-empty": "a connection needs a name",
    "name-taken": "another connection is called {name}; choose another name",
    "no-such-connection": "there is no connection called {name}; `petstore-desktop connections` lists them",
    "no-key-given": "no key came on stdin; nothing was changed",
    "no-key": "there is no key for {name}; give it with `petstore-desktop connect {name} --url {url} --key-stdin`",
    "unsent-changes": "{count} changes of {name} are not sent yet and would be lost; nothing was removed. --yes "
    "removes them too",
    "unsent-elsewhere": "{count} changes of {name} wait for {address}; let them be sent, or forget {name}, before "
    "its address is changed",
    "key-unusable": "the key holds signs that no request can carry; nothing was changed",
    "keyring-absent": "this computer has no keyring that keeps secrets; nothing was stored. "
    "PETSTORE_API_KEY can stand in for it",
    "keyring-locked": "the keyring is locked; unlock it and try again",
    "keyring-silent": "the keyring did not answer within 5 seconds; nothing is known to be stored",
    "keyring-lost": "the keyring took the key but did not give it back; nothing is known to be stored",
    "keyring-refused": "the keyring refused: {detail}",
    "document-missing": "the document {path} cannot be read",
    "disk-full": "the disk is full; nothing was changed in {path}",
    "read-only": "{path} cannot be written; nothing was changed",
    "locked": "another program uses {path}; close it and try again",
    "demo-failed": "the demo shop did not start: {why}",
    "journal-set-aside": "the file of your changes was damaged and is kept as {path}; "
    "changes that were not sent yet are in it, and are not sent by themselves: make them again where they are missing",
    "preferences-set-aside": "the file of settings and connections was damaged and is kept as {path}; "
    "connect again under the same name and address to have what is kept of a shop back",
    "set-aside": "a damaged file was set aside and is kept as {path}; what it held is read from the service again",
}

_BY_KIND: tuple[tuple[type[ShopError], str], ...] = (
    (
        KeyRejected,
        "the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`",
    ),
    (RateLimited, "the service asks to wait ({message}); nothing more is sent until then"),
    (Forbidden, "the key may not do this ({message})"),
    (ServiceError, "the service answered {status}: {message}"),
    (Unreachable, "the service cannot be reached ({why}); what is kept on this computer is unchanged"),
    (Interrupted, "the connection broke before the answer came ({why})"),
    (AnswerUnusable, "the service's answer cannot be used ({code}); what is kept on this computer is unchanged"),
    (NotOffered, "this service does not offer that"),
    (DocumentUnusable, "the OpenAPI document cannot be used ({code}, {why})"),
    (StorageError, "{path} cannot be read or written ({code})"),
    (KeyringError, "the keyring did not do its part ({code})"),
    (AlreadyRunning, "the program is already running on {path}; use its window, or close it first"),
    (BadInput, "this cannot be understood ({code})"),
)


class _Known(dict[str, object]):
    """Parameters for a sentence; a missing one is said as such."""

    def __missing__(self, key: str) -> str:
        return "not said"


def sentence(error: ShopError) -> str:
    """One line, without line breaks, for stderr."""
    template = _BY_CODE.get(error.code) or next((text for kind, text in _BY_KIND if isinstance(error, kind)), "{code}")
    values = _Known({name: value for name, value in error.params.items() if value not in (None, "")})
    values["code"] = error.code
    return " ".join(template.format_map(values).split())
