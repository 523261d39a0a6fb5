"""`petstore-desktop connect`: make or change a connection. The key goes to the keyring, never to a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from getpass import getpass
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.api.http.secret import Secret
from petstore_desktop.commands.checks_said import checked, hint_of, one_line, wrong_lines
from petstore_desktop.commands.sentences import listed, load_preferences, note, tell
from petstore_desktop.contract import contract_files
from petstore_desktop.contract.binding.load import is_profile
from petstore_desktop.contract.model import LONGEST_KEY
from petstore_desktop.data_folder import Places, data_directory
from petstore_desktop.domain.checks import About
from petstore_desktop.domain.errors import BadInput, KeyringError
from petstore_desktop.domain.quota import OWN_NUMBERS, Plan
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.checking import keep_contract, keep_keyless, wanted_of, with_main_key
from petstore_desktop.session.connections import (
    added_or_changed,
    alike,
    keep_profile,
    service_profile,
    usable_ca_file,
    usable_document,
    with_values,
)
from petstore_desktop.session.files import forget_answers
from petstore_desktop.session.forgetting import put_damaged_aside
from petstore_desktop.session.keys import forget_keys, keep_keys, read_further, read_keys
from petstore_desktop.store.journal.unsent_count import open_changes

if TYPE_CHECKING:
    from petstore_desktop.api.check.checks import Learnt


class KeyLimits(Struct, frozen=True):
    """The limits given on the command line: the name of a plan, and numbers of requests; None if not given."""

    plan: str | None = None
    per_minute: int | None = None
    per_day: int | None = None


class Described(Struct, frozen=True):
    """What says how the service speaks: a document, or a profile, "" for none any more; None if not given."""

    document: str | None = None
    profile: str | None = None


def connect(
    data_dir: str | None,
    name: str,
    url: str,
    described: Described,
    limits: KeyLimits,
    key_stdin: bool,
    further_keys: Sequence[str] = (),
    ca_file: str | None = None,
    read_only: bool | None = None,
    values: Sequence[str] = (),
) -> int:
    """Run the command; returns the exit code. `further_keys`: the security schemes whose keys are read too; `ca_file`:
    certificates trusted beside the system's, "" for none; `read_only` None: unchanged; `values`: for parameters, each
    as NAME=VALUE. Raises AlreadyRunning, BadInput, DocumentUnusable, KeyringError, StorageError."""
    places = Places(data_directory(data_dir))
    key, further = _keys(key_stdin, further_keys)
    instance = Instance(places.data)  # a window would write its own connections over this one
    try:
        store = PreferenceStore(places.preferences)
        preferences = load_preferences(store)
        known = preferences.connection(name.strip())
        plan = _plan(known, limits)
        own = with_values(known or ShopConnection(name, "", url), _given(values)).bindings
        chosen = usable_document(described.document, url, {**own, **(known.fields if known else {})})
        followed = service_profile(described.profile) if described.profile else None
        trusted = usable_ca_file(ca_file) if ca_file else ca_file
        changed, connection = added_or_changed(preferences, name, url, plan, chosen, trusted, read_only, own)
        if followed is not None:
            connection = replace(connection, document=keep_profile(places, connection.slug, followed))
        elif described.profile is not None and is_profile(connection.document):
            connection = replace(connection, document=None)
        changed = changed.with_connection(connection)
        moved = known is not None and known.url != connection.url
        if known is not None and moved:
            _may_move(places, known)
        keep_keys(places, connection, key, further)
        store.save(changed)
        contract_files.forget(places.contract(connection.slug))
        if known is not None and moved:
            _leave(places, known)
        print(f"{connection.name}: {connection.url}" + _kept_words(key, further), flush=True)
        learnt = _learn(places, connection, key, further, connection.document if followed is not None else chosen)
        store.save(changed.with_connection(with_main_key(connection, learnt)))
    finally:
        instance.release()
    _wonder(plan)
    _tell_of_others(known, preferences, connection)
    return 0


def _given(values: Sequence[str]) -> dict[str, str]:
    """The values by the names of their parameters. Raises BadInput."""
    for said in values:
        name, _, value = said.partition("=")
        if not name or not value:
            raise BadInput("value-unreadable", typed=said)
    return dict(said.split("=", 1) for said in values)


def _tell_of_others(known: ShopConnection | None, before: Preferences, made: ShopConnection) -> None:
    """Who made a new connection may have meant to change one that is called nearly so."""
    others = alike(before, made.name) if known is None else ()
    if others:
        rest = f"{listed(others, 'and')} {'stays as it is' if len(others) == 1 else 'stay as they are'}"
        note(f"{made.name} is a new connection; {rest}")


def _wonder(plan: Plan | None) -> None:
    """Limits may be any; these are seldom meant."""
    if plan is not None and plan.per_minute and plan.per_day and plan.per_day < plan.per_minute:
        note(
            f"{plan.per_day} requests a day are fewer than {plan.per_minute} a minute; "
            "that is kept, but look whether it is meant so"
        )


def _learn(
    places: Places, connection: ShopConnection, key: str, further: Mapping[str, str], chosen: str | None
) -> Learnt | None:
    """Check the connection where a key was given; else look into a document that was chosen now. What a check has
    learnt."""
    main = key or (read_keys(places, connection)[0] or "" if further else "")
    if main:
        return _check(places, connection, main, further)
    if chosen is not None and "://" not in chosen:
        _keep_keyless(places, connection, chosen)
    return None


def _keep_keyless(places: Places, connection: ShopConnection, document: str) -> None:
    from petstore_desktop.api.check.checks import Learnt
    from petstore_desktop.contract.binding.load import load_file

    contract = load_file(document, source="chosen", bindings=connection.by_hand, address=connection.url)
    keep_keyless(places, connection.slug, connection.url, Learnt(contract))


def _check(places: Places, connection: ShopConnection, key: str, further: Mapping[str, str]) -> Learnt | None:
    """Report the problems found. The connection is kept: a service may be down for an hour."""
    wanted = wanted_of(connection, key, {**read_further(places, connection), **further})
    outcome = checked(places, connection, replace(wanted, choose_key=True))
    keep_contract(places, connection.slug, connection.url, outcome.learnt)
    for line in wrong_lines(outcome.report, hint_of(connection.name, variable=False, stored=True)):
        note(line)
    document = outcome.report.of(About.DOCUMENT)
    if document is not None and document.code == "profile-differs" and document.ok:
        note(one_line(document))
    sent = outcome.report.of(About.KEY)
    if sent is not None and sent.ok and sent.params.get("sent"):
        note(one_line(sent))
    return outcome.learnt


def _plan(known: ShopConnection | None, said: KeyLimits) -> Plan | None:
    """The limits to store, None if none were given. Raises BadInput for numbers beside a plan that has its own."""
    if said == KeyLimits():
        return None
    before = Plan("", None, None) if known is None else known.limits
    name = before.name if said.plan is None else said.plan
    if name not in OWN_NUMBERS and (said.per_minute or said.per_day):
        raise BadInput("plan-has-numbers", plan=name)
    kept = before if name == before.name else Plan(name, None, None)
    return Plan(name, said.per_minute or kept.per_minute, said.per_day or kept.per_day)


def _keys(main: bool, further: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The main key if there is to be one, and those of the security schemes, a line each. Raises BadInput."""
    key = _key() if main else ""
    return key, {name: _key(name) for name in further}


def _kept_words(key: str, further: Mapping[str, str]) -> str:
    if not key and not further:
        return ""
    return ", its key is in the keyring" if key and not further else ", its keys are in the keyring"


def _key(name: str = "") -> str:
    """The next line of stdin; at a terminal it is not shown while it is typed. Raises BadInput."""
    if sys.stdin.isatty():
        try:
            key = getpass(f"Key {name}: " if name else "Key: ").strip()
        except EOFError:  # Ctrl+D
            sys.stderr.write("\n")
            key = ""
    else:
        key = _line()
    if not key:
        raise BadInput("no-key-typed" if sys.stdin.isatty() else "no-key-given")
    Secret.of(key)
    return log.keep_secret(key)


_MOST_LINE: Final = LONGEST_KEY + 1_000
"""Bytes that a line with a key has at most, with space around it: what has no end is not read to it."""


def _line() -> str:
    """The next line of stdin; only ASCII can be sent. Raises BadInput."""
    line = sys.stdin.buffer.readline(_MOST_LINE + 1)
    try:
        if len(line) > _MOST_LINE:
            raise BadInput("key-too-long")
        return line.decode("ascii").strip()
    except UnicodeDecodeError:
        raise BadInput("key-unusable") from None


def _may_move(places: Places, known: ShopConnection) -> None:
    """Changes that wait for one service must never go to another. Raises BadInput, StorageError."""
    for error in put_damaged_aside(places, known.slug, time.time()):
        tell(error)
    unsent = open_changes(places.journal(known.slug))
    if unsent:
        raise BadInput("unsent-elsewhere", count=unsent, name=known.name, address=known.url)


def _leave(places: Places, known: ShopConnection) -> None:
    """What the service at the old address was asked and said, and the key for it, are of no use at the new one."""
    forget_answers(places, known.slug)
    with suppress(KeyringError):
        forget_keys(places, known)
