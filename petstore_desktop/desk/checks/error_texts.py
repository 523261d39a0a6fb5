"""What went wrong, as data that the window and the commands share: by the code of an error what happened, what is
safe and what to do; and by the cause that an Unreachable names, why a service cannot be reached. The window says it
in the person's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from petstore_desktop.domain.errors import AnswerUnusable, ShopError


def tr(text: str) -> str:
    """Marks a text for the translators; who says it has it translated."""
    return text


Texts = Mapping[str, tuple[str, str]]

UNREACHABLE: Texts = {
    "key-untried": (
        tr("The service could not be asked about the new key. It is kept, and tried when the service answers."),
        tr("Keep working; it goes on by itself."),
    ),
    "name": (
        tr("There is no computer called {host}."),
        tr("Check the address; a name inside a company may need its network first."),
    ),
    "no-name-service": (
        tr("{host} cannot be looked up: this computer seems to be offline."),
        tr("Connect to a network."),
    ),
    "refused": (
        tr("{host} cannot be reached: nothing answers there. It may be down, or the port wrong."),
        tr("Check the address."),
    ),
    "timeout": (tr("{host} did not answer in time."), tr("The network may be slow, or a firewall in between.")),
    "network": (
        tr("From this network there is no way to {host}."),
        tr("Check the network, or a VPN that may be needed."),
    ),
    "tls-self-signed": (
        tr("The certificate of {host} is self-signed, so this computer does not trust it."),
        tr("If this is the right server, set its authority’s certificate as the connection’s CA file."),
    ),
    "tls-unknown-authority": (
        tr("The certificate of {host} is signed by {issuer}, which this computer does not trust."),
        tr("If this is the right server, set its authority’s certificate as the connection’s CA file."),
    ),
    "tls-expired": (
        tr("The certificate of {host} expired: {until}."),
        tr("Check this computer’s clock. If it is right, the service’s provider must renew the certificate."),
    ),
    "tls-not-yet-valid": (
        tr("The certificate of {host} is not valid yet; it begins: {since}."),
        tr("Check this computer’s clock. If it is right, ask the service’s provider."),
    ),
    "tls-wrong-host": (
        tr("The certificate that {host} shows is not for this name, but for {names}."),
        tr("Check the address: it must have the name that the certificate is for."),
    ),
    "tls-revoked": (
        tr("The certificate of {host} was revoked by its authority."),
        tr("Do not continue. Ask the service’s provider."),
    ),
    "tls-old": (
        tr("{host} offers only outdated encryption, which is no longer safe."),
        tr("The service’s provider must turn on TLS 1.2 or later."),
    ),
    "tls-plain-http": (
        tr("{host} answers without encryption at this port."),
        tr("Check the port in the address; the key is never sent unencrypted."),
    ),
    "tls-broken-off": (
        tr("{host} broke off before the connection was secure."),
        tr("Check the port; a firewall can do this as well."),
    ),
    "tls": (
        tr("No secure connection to {host} is possible: its certificate is not trusted."),
        tr("Ask the service’s provider."),
    ),
    "ca-file-missing": (
        tr("The connection’s CA file is gone: {path}."),
        tr("Put it back, or choose another one for the connection."),
    ),
    "ca-file-unreadable": (tr("The connection’s CA file cannot be read: {path}."), tr("Check its permissions.")),
    "ca-file-too-large": (
        tr("The connection’s CA file is too large: {path}."),
        tr("Choose a file with only the certificates of the authority that the service needs."),
    ),
    "ca-file-no-certificate": (
        tr("The connection’s CA file holds no certificate: {path}."),
        tr("Choose a file in PEM form, with BEGIN CERTIFICATE in it."),
    ),
    "proxy-unusable": (
        tr("The proxy that is set on this computer cannot be used by the program: {proxy}."),
        tr("Set an http proxy (HTTPS_PROXY), or exclude this service (NO_PROXY). Then restart the program."),
    ),
    "proxy-unreachable": (
        tr("The proxy that is set on this computer cannot be reached: {proxy}."),
        tr("Check the proxy’s address and the network."),
    ),
    "proxy-tls": (
        tr("The proxy {proxy} is not trusted: no secure connection to it is possible."),
        tr("Ask the proxy’s administrator which certificate it needs."),
    ),
    "proxy-login": (
        tr("The proxy {proxy} needs a user name and password, or rejects those that are set."),
        tr("Set them in its address (HTTPS_PROXY=http://name:password@proxy). Then restart the program."),
    ),
    "proxy-forbids": (
        tr("The proxy {proxy} blocks {host}."),
        tr("Ask the proxy’s administrator, or exclude this service (NO_PROXY)."),
    ),
    "proxy-failed": (tr("The proxy {proxy} cannot reach {host}."), tr("Check the address; the service may be down.")),
    "proxy": (tr("The proxy {proxy} did not let the request through to {host}."), tr("Ask the proxy’s administrator.")),
    "another-origin": (tr("This address belongs to another server than the service’s own."), tr("Refresh the list.")),
    "demo-failed": (tr("The demo shop did not start."), tr("Restart the program.")),
}
"""Parameters: host, proxy, path, names, issuer, since, until."""

TRIED_AGAIN = frozenset(
    (
        "no-name-service",
        "refused",
        "timeout",
        "network",
        "tls-broken-off",
        "ca-file-missing",
        "ca-file-unreadable",
        "proxy-unreachable",
        "proxy-failed",
        "proxy",
    )
)
"""Causes after which an open window tries again by itself."""


Sentences: TypeAlias = tuple[str, str, str]
"""What happened, what is safe, what to do."""

KEYRING: Texts = {
    "keyring-absent": (
        tr("This computer has no keyring that can store a key."),
        tr("Set one up to store the key. Until then the program asks for it at each start."),
    ),
    "keyring-locked": (tr("The keyring is locked."), tr("Unlock it, then enter the key again.")),
    "keyring-silent": (
        tr("The keyring did not answer within five seconds."),
        tr("Check whether another window asks for its password, then enter the key again."),
    ),
    "keyring-lost": (
        tr("The keyring took the key, but did not give it back."),
        tr("Check the keyring’s own program, then enter the key again."),
    ),
    "keyring-ended": (
        tr("The keyring stopped while it was asked."),
        tr("Start it again, or log in again, then enter the key."),
    ),
    "keyring-refused": (
        tr("This computer’s keyring refused the request."),
        tr("Unlock or set up the keyring, then enter the key again."),
    ),
}
"""Problems with the keyring, and what to do."""
FORGETTING = (
    tr("The connection and its data are still here."),
    tr("Check that the keyring runs and is unlocked, then forget the connection again."),
)
"""The same where a key was to be removed: what is safe, and what to do."""
FORGOTTEN: Mapping[bool, str] = {
    True: tr("Its key and its data on this computer are removed."),
    False: tr("Its data on this computer is removed. No key was removed, because no keyring was found."),
}
"""What of a connection was removed, by whether there was a keyring."""

_ASK = tr("Try again. If it fails again, ask the service’s provider.")
_BETWEEN = tr("A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.")
_NETWORK = tr("Try again. If it happens often, check the network or the proxy.")
_OTHER_LIST = tr("Check the address, and what the document in the connection’s settings says about this list.")
ANSWERS: Texts = {
    "empty": (tr("the service sent an empty answer instead of data."), _ASK),
    "web-page": (tr("a web page came back instead of data."), _BETWEEN),
    "not-json": (tr("the answer is not JSON, as data must be ({type})."), _ASK),
    "bad-text": (tr("the answer is not in UTF-8, the only encoding of JSON."), _ASK),
    "cut-short": (tr("the answer stops before its end."), _NETWORK),
    "too-deep": (tr("the answer is nested deeper than anything that can be read."), _ASK),
    "too-large": (tr("the answer is larger than {mb} MB; reading was stopped there."), _ASK),
    "endless": (tr("the list does not end: {met} records came. Reading stopped; these rows stay."), _ASK),
    "endless-announced": (
        tr(
            "the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the "
            "rows that came stay."
        ),
        _ASK,
    ),
    "bad-encoding": (tr("the answer is packed in a way that cannot be unpacked ({encoding})."), _NETWORK),
    "not-a-list": (tr("the answer holds no list of records."), _OTHER_LIST),
    "error-inside": (tr("the service answered with an error instead of data."), _ASK),
    "two-lists": (tr("the answer holds two lists, and does not say which one is meant."), _OTHER_LIST),
    "bad-record": (tr("the record in the answer cannot be read: {why}."), _ASK),
    "made-otherwise": (
        tr("record {id} was made with other values than were sent: {values}."),
        tr("Compare the record with what you wanted, and change it where needed."),
    ),
    "shown-again": (
        tr(
            "records that were deleted here are shown again: {met}. The service kept them, or somebody made them again."
        ),
        tr("Delete them again, or ask the service’s provider why it keeps them."),
    ),
    "unkept": (
        tr(
            "what was sent is not what the service shows now, of records: {met}. It said that it did it and did not, "
            "or somebody changed them since."
        ),
        tr("Compare the records of your last changes with what you wanted (Activity)."),
    ),
    "another-record": (tr("asked for #{asked}, the service answered with #{got}."), _ASK),
}
"""Why an answer cannot be used, said after the name of its operation; and what to do."""

INTERRUPTED: Texts = {
    "deadline": (tr("the answer was not complete in the time that a request has."), _ASK),
    "timeout": (tr("the service stopped answering before the answer was complete."), _NETWORK),
    "protocol": (tr("the answer is not valid HTTP: it broke off, or its head is too large."), _BETWEEN),
    "cancelled": (tr("it was cancelled before the answer came."), tr("Try again.")),
    "broken": (tr("the connection broke before the answer came."), _NETWORK),
}
"""Why an answer did not come, or not to its end; by the cause that an Interrupted names."""


def answer_texts(error: ShopError) -> tuple[str, str]:
    """Say why an answer (AnswerUnusable, Interrupted) cannot be used, and what to do."""
    if not isinstance(error, AnswerUnusable):
        return INTERRUPTED.get(str(error.params.get("why")), INTERRUPTED["broken"])
    code = error.code
    if code == "not-json" and "html" in str(error.params.get("content_type")):
        code = "web-page"
    if code == "endless" and error.params.get("total"):
        code = "endless-announced"
    return ANSWERS.get(code, (tr("the answer is not one of this service."), _ASK))


_ONE_TEST = tr("Your changes are safe. Before anything else is sent, one test request checks for a pause.")
_MAKE_AGAIN = tr("Check your last changes, and make the missing ones again.")
_NOTHING_TO_DO = tr("You don’t need to do anything.")
FILES: Mapping[str, Sentences] = {
    "journal-gone": (
        tr("The file of your changes is gone: {file}."),
        tr("What was sent is in the shop. Changes that were still waiting, if any, are lost with the file."),
        _MAKE_AGAIN,
    ),
    "journal-set-aside": (
        tr("The file of your changes was damaged. It is kept as {file}."),
        tr("What was sent is in the shop. Changes that were still waiting are not sent by themselves."),
        _MAKE_AGAIN,
    ),
    "archive-set-aside": (
        tr("The file of your earlier changes was damaged. It is kept as {file}."),
        tr("Nothing in it was waiting to be sent. Only the list of changes is shorter now."),
        _NOTHING_TO_DO,
    ),
    "preferences-set-aside": (
        tr("The file of settings and connections was damaged. It is kept as {file}."),
        tr("The data and the keys of your shops are still here."),
        tr("Connect again under the same name and address."),
    ),
    "preferences-unusable": (
        tr("Some values in {file} cannot be used: {what}."),
        tr("All other settings and connections are used. The data of your shops is still here."),
        tr("Set these values again, or connect again under the same name and address."),
    ),
    "minimums-set-aside": (
        tr("The file of your minimum stock was damaged. It is kept as {file}."),
        tr("Your changes and all other data are safe. The readable part of it is still used."),
        tr("Set the minimum stock again (Shop > Minimum stock)."),
    ),
    "codes-set-aside": (
        tr("The file of your bar codes was damaged. It is kept as {file}."),
        tr("Your changes and all other data are safe. The readable part of it is still used."),
        tr("Scan a code that is missing: you are asked for its pet again."),
    ),
    "requests-set-aside": (
        tr("The list of earlier requests was damaged. It is kept as {file}."),
        tr("Your changes and all other data are safe; only that list starts again."),
        _NOTHING_TO_DO,
    ),
    "requests-not-kept": (
        tr("Requests cannot be recorded: {file} cannot be used."),
        tr("Your changes are safe, and sending goes on; only the list of requests will have gaps."),
        tr("Check whether the disk is full or its folder is write-protected."),
    ),
    "history-set-aside": (
        tr("The history of this shop was damaged. It is kept as {file}."),
        tr("Your changes and all other data are safe; only the history starts again."),
        _NOTHING_TO_DO,
    ),
    "history-gone": (
        tr("The history of this shop is gone: {file}."),
        tr("Your changes and all other data are safe; only the history starts again."),
        _NOTHING_TO_DO,
    ),
    "history-off": (
        tr("The history of this shop cannot be recorded: {file} cannot be used."),
        tr("Your changes are safe, and all else goes on. What changes meanwhile is recorded with less exact times."),
        tr("Check whether the disk is full or its folder is write-protected."),
    ),
    "migration-failed": (
        tr("{file} could not be upgraded for this version of the program."),
        tr("It is unchanged, with everything saved. Until it is upgraded nothing can be changed or sent."),
        tr("Check whether the disk is full, then restart the program. The earlier version still works."),
    ),
    "network-folder": (
        tr("Your changes are kept in a network folder: {file}."),
        tr("A network folder can lose saved changes, and two computers can use the same files at once."),
        tr("Keep the program’s data in a folder on this computer."),
    ),
    "folder-missing": (
        tr("There is no such folder: {file}."),
        tr("Nothing was written."),
        tr("Choose another folder, or create this one."),
    ),
    "file-missing": (
        tr("There is no such file: {file}."),
        tr("Nothing was read."),
        tr("Choose another file, or put it back."),
    ),
    "not-a-file": (
        tr("{file} is not a file: it is a folder, a pipe, a device, or a link that leads nowhere."),
        tr("Nothing was read from it or written to it."),
        tr("Choose a file, or move this away, then try again."),
    ),
    "gates-set-aside": (
        tr("The file of pauses and request counts was damaged. It is kept as {file}."),
        _ONE_TEST,
        _NOTHING_TO_DO,
    ),
    "gates-gone": (tr("The file of pauses and request counts is gone: {file}."), _ONE_TEST, _NOTHING_TO_DO),
    "set-aside": (
        tr("A damaged file was set aside: {file}."),
        tr("Your changes are safe; its data is read from the service again."),
        _NOTHING_TO_DO,
    ),
}
"""Problems with the program's files."""

FILE_STATES: Mapping[str, Sentences] = {
    "disk-full": (
        tr("The disk is full."),
        tr("Free some disk space, then try again."),
        tr("Free some disk space, then restart the program."),
    ),
    "read-only": (
        tr("{file} is write-protected."),
        tr("Check the permissions of its folder, then try again."),
        tr("Check the permissions of its folder, then restart the program."),
    ),
    "locked": (
        tr("{file} is in use by another program."),
        tr("Close that program, then try again."),
        tr("Close that program, then restart this one."),
    ),
    "damaged": (
        tr("{file} is damaged."),
        tr("Check the disk, then try again."),
        tr("Check the disk, then restart the program."),
    ),
    "too-new": (
        tr("{file} was written by a later version of this program."),
        tr("Install the later version again."),
        tr("Install the later version again."),
    ),
}
"""States of a file; what to do so that a change is saved after all, and so that the file can be opened at all."""
FILE_UNUSABLE = (tr("{file} cannot be read or written."), *FILE_STATES["damaged"][1:])
