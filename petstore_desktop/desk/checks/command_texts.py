"""The sentences of the command line: what happened, what is safe and what to do, by the code or class of an error."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.checks.error_texts import tr
from petstore_desktop.domain.errors import (
    AlreadyRunning,
    BadInput,
    DocumentUnusable,
    Forbidden,
    KeyRejected,
    NotOffered,
    RateLimited,
    ServiceError,
    ShopError,
    Unreachable,
)

NO_CONNECTION = tr("There is no connection yet. {command} makes one.")
BY_CODE: Mapping[str, str] = {
    "another-origin": tr("this address belongs to another server than the service's own; nothing was sent there"),
    "redirected": tr(
        "the service redirects to {target}; the program does not follow, and neither request nor key went "
        "there. If it has moved, give its new address with `connect --url`"
    ),
    "redirect-circle": tr("the service redirects in a circle; check the address, or ask its provider"),
    "redirect-nowhere": tr(
        "the service redirects, but does not say where to; ask its provider for the new "
        "address, and give it with `connect --url`"
    ),
    "ca-file-missing": tr("there is no file {path}; nothing was changed. Give a file with certificates in PEM form"),
    "ca-file-unreadable": tr("the CA file {path} cannot be read ({why}); nothing was changed"),
    "ca-file-no-certificate": tr(
        "{path} holds no certificate; nothing was changed. Give the certificates of an authority "
        "in PEM form, with BEGIN CERTIFICATE in it"
    ),
    "ca-file-too-large": tr(
        "the CA file {path} is larger than {megabytes} MB; nothing was changed. Give only the "
        "certificates of the authority that the service needs"
    ),
    "address-unusable": tr(
        "{address} is not an http(s) address; give the service's base address, such as https://shop.example/v1"
    ),
    "address-insecure": tr(
        "plain http to {host} would show the key to others; use https (http is only for this computer)"
    ),
    "address-with-credentials": tr("the address holds a user name or password; give the key with --key-stdin instead"),
    "url-holds-secret": tr("the address holds a user name or password; give the key with --key-stdin instead"),
    "value-not-kept": tr("{name} cannot be kept with this value of {what}; nothing was changed"),
    "name-empty": tr("a connection needs a name"),
    "name-taken": tr("another connection is called {name}; choose another name"),
    "plan-has-numbers": tr(
        "the plan {plan} has its own limits; --per-minute and --per-day go with --plan enterprise, or "
        "with a connection whose plan is not known"
    ),
    "no-such-profile": tr(
        "there is no profile {path}, and no such file; those that come with the program are called {names}"
    ),
    "journal-damaged": tr(
        "the file of your changes is damaged: {path}; nothing was changed. `petstore-desktop sync`, or the window, "
        "sets it aside and lists what it still tells"
    ),
    "service-unknown": tr(
        "how the service of {name} speaks is not known yet; `petstore-desktop doctor` or `sync` asks it first"
    ),
    "connections-alike": tr(
        "there is no connection called {name}; did you mean {alike}? `petstore-desktop connections` lists them"
    ),
    "no-such-connection": tr("there is no connection called {name}; `petstore-desktop connections` lists them"),
    "no-such-connection-demo": tr(
        "the demo shop is in its window alone, and no connection; `petstore-desktop demo-shop` runs one for commands, "
        "and says the address and the key for `petstore-desktop connect`"
    ),
    "needs-out": tr("a file in the format {format} is nothing for a terminal; say where it is to go with --out FILE"),
    "no-list": tr("{name} has no list of {resource}: its service does not offer one"),
    "nothing-kept": tr(
        "nothing is kept here of the {resource} of {name} yet; `petstore-desktop sync {typed}` reads them"
    ),
    "part-kept": tr(
        "only a part of the {resource} of {name} is kept here ({count}); nothing was saved. `petstore-desktop sync "
        "{typed}` reads the rest"
    ),
    "too-many-rows": tr("a sheet holds at most {most} rows; nothing was written: use the format csv or json"),
    "text-too-long": tr(
        "a cell holds at most {most} signs, and a text is longer; nothing was written: use csv or json"
    ),
    "no-key-typed": tr("no key was typed; nothing was changed"),
    "no-key-given": tr("no key came on stdin; nothing was changed"),
    "no-key": tr("there is no key for {name}; give it with `petstore-desktop connect {typed} --url {url} --key-stdin`"),
    "unsent-changes": tr(
        "{name} has changes that are not sent yet ({count}); nothing was removed. --yes writes them to a file "
        "and forgets {name}"
    ),
    "unsent-elsewhere": tr(
        "{name} has changes that wait for {address} ({count}); let them be sent, or forget {name}, before "
        "its address is changed"
    ),
    "key-variable-rejected": tr(
        "the service rejected the key in PETSTORE_API_KEY ({message}); nothing was lost. Put "
        "another one in that variable, or unset it to use the key in the keyring"
    ),
    "key-unusable": tr("the key contains characters that cannot be sent; nothing was changed"),
    "key-too-long": tr("the key is longer than 16,384 characters, which no service takes; nothing was changed"),
    "keyring-absent": tr(
        "this computer has no keyring that can store a key; nothing was stored, neither key nor "
        "connection. Connect without --key-stdin, and give the key in the variable PETSTORE_API_KEY or in the window"
    ),
    "key-missing": tr("the service wants another key too: {key}; give it with `connect --further-key`"),
    "this-key-rejected": tr(
        "the service rejected the key {key} ({message}); nothing was lost. Give another with `connect --further-key`"
    ),
    "value-kept": tr(
        "{name} has another value for {parameter}, and what is kept of it belongs to that; make a connection "
        "of another name"
    ),
    "value-unreadable": tr("{typed} is no value for a parameter; give it as NAME=VALUE"),
    "document-missing": tr("the document {path} cannot be read"),
    "cannot-open": tr(
        "{path} cannot be opened or made; see that the folder is there and that you may read and "
        "write in it, or choose another one with --data-dir"
    ),
    "demo-failed": tr("the demo shop did not start: {why}"),
    "journal-listed": tr(
        "the file of your changes was damaged and is kept as {file}; what was not sent yet ({count}) "
        "is listed in {list}, and is not sent by itself: make it again where it is missing"
    ),
    "connection-read-only": tr("{name} is read-only; nothing was saved. `connect --read-write` ends that"),
    "other-records": tr("the file holds {found}, not {wanted}; nothing was saved"),
    "no-known-columns": tr(
        "no column of the file can be told to be a field of {wanted}; nothing was saved. Name the "
        "columns in its first row, as `export` does"
    ),
    "dates-unsure": tr(
        "the dates can be read in two ways, 03/04 is 3 April or 4 March; nothing was saved. Say how with "
        "--dates dmy, mdy or ymd"
    ),
    "numbers-unsure": tr(
        "the numbers can be read in two ways, 1.200 is twelve hundred or 1 and a fraction; nothing was "
        "saved. Say how with --numbers point or comma"
    ),
    "encoding-unsure": tr(
        "the characters of the file can be read in several ways; nothing was saved. Say how with --encoding, such as "
        "--encoding windows-1252, or save the file in UTF-8"
    ),
    "pet-unknown": tr("there is no pet {pet}; give its id, or its name as it is written in the list"),
    "pet-alike": tr("there is no pet {pet}; did you mean {could}?"),
    "pets-several": tr("{count} pets could be meant by {pet}: {could}; give the id with a # before it"),
    "not-open-there": tr(
        "the program that runs on this data folder has not opened {name}; open it there (Shop > Switch "
        "to another shop), or close the program. Nothing was saved"
    ),
    "bookings-wrong": tr(
        "the file has wrong rows ({count}), and one that books in or out, or places orders, is imported whole or not "
        "at all; nothing was saved"
    ),
    "shop-closed": tr("{name} was closed in the running program before anything was saved; say it again"),
    "order-unreadable": tr(
        "the program that runs on this data folder is of another version; close it first. Nothing was saved"
    ),
    "not-saved": tr("the changes could not be saved; nothing was sent"),
    "changes-elsewhere": tr(
        "there are changes for the service at {address}, which this connection used before ({count}); "
        "they are kept in {path} and are sent when the connection has that address again"
    ),
}

"""By the code of an error."""

BY_KIND: tuple[tuple[type[ShopError], str], ...] = (
    (
        KeyRejected,
        tr("the service rejected the key ({message}); nothing was lost. Give another with `connect --key-stdin`"),
    ),
    (RateLimited, tr("the service asks to wait ({message}); nothing more is sent until then")),
    (Forbidden, tr("the key may not do this ({message})")),
    (ServiceError, tr("the service answered {status}: {message}")),
    (Unreachable, tr("{host} cannot be reached ({why}); nothing was sent. It is tried again by itself")),
    (NotOffered, tr("this service does not offer that")),
    (DocumentUnusable, tr("the OpenAPI document cannot be used ({code}, {why})")),
    (AlreadyRunning, tr("the program is already running on {path}; use its window, or close it first")),
    (BadInput, tr("this cannot be understood ({code})")),
)

"""By its class, where its code has none."""

UNSAID: Mapping[str, str] = {
    "host": tr("the service"),
    "operation": tr("the request"),
    "titled": tr("one without a title"),
    "issuer": tr("an authority"),
    "names": tr("another name"),
    "since": tr("a later day"),
    "until": tr("on an earlier day"),
}
"""What stands in the place of a parameter that is missing."""

USAGE: tuple[str, ...] = (
    tr("{what} (see {program} --help)"),
    tr("the following arguments are required: {names}"),
    tr("unrecognized arguments: {words}"),
    tr("ambiguous option: {words} could match {names}"),
    tr("one of the arguments {names} is required"),
    tr("argument {name}: {what}"),
    tr("expected one argument"),
    tr("expected at least one argument"),
    tr("not allowed with argument {name}"),
    tr("invalid choice: {value} (choose from {names})"),
    tr("a number from 1 to 1,000,000"),
    tr("{value} is not a whole number; use digits only, such as 1000"),
    tr("{value} would allow no request; leave the option out if it is not known"),
    tr("{value} is too large; at most {most}"),
    tr("{value} is no day; give it as 2026-11-01"),
    tr("{value} is no time; give 12h, 7d, 2w or 2026-11-20T08:00"),
    tr("+N books in, -N out, and =N counts; N in digits only"),
)
"""Wrong usage, in the words of argparse and of the types of arguments; `what` is another of these texts."""
