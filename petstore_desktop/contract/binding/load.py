"""Reading an OpenAPI document: bytes, or a file, to a Contract."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from petstore_desktop import resources
from petstore_desktop.contract.binding.bind import bind
from petstore_desktop.contract.binding.servers import is_server
from petstore_desktop.contract.document import local_file
from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.key_choice import with_main_key
from petstore_desktop.contract.lifecycle.sunset import carried
from petstore_desktop.contract.model import API_KEY, Contract
from petstore_desktop.contract.operations import MAIN_KEY, VERBS, Verb, manual_bindings
from petstore_desktop.contract.profile.reading import contract_of
from petstore_desktop.domain.errors import DocumentUnusable

Bindings = Mapping[str, object]
_SAYS_OTHERWISE = frozenset(
    {"document-empty", "document-place", "document-values", "document-too-many", "document-version"}
)
"""Codes of documents that can be read and not used: the default one does not stand in for them."""


def load(
    data: bytes,
    *,
    source: str,
    bindings: Bindings | None = None,
    address: str = "",
    place: str = "",
    refuse: bool = True,
) -> Contract:
    """The contract that a document's bytes make, with what a person bound by hand, for a service at that address.
    `place`: the address at which the document lies. Raises DocumentUnusable (see `parse` and `bind`)."""
    found, digest = parse(data), _digest(data)
    bound = bind(found, source=source, digest=digest, bindings=bindings, address=address, place=place, refuse=refuse)
    return _if_known(bound)


def is_for(data: bytes, address: str, place: str) -> bool:
    """Whether a document found above an address describes the service at that address."""
    try:
        contract = load(data, source="published", address=address, place=place)
        return bool(contract.within) or is_server(contract.servers, address)
    except DocumentUnusable as error:
        servers = error.params.get("servers") or ()  # of one that is a shop's, and lacks only what a person says
        return error.params.get("within") is True or is_server(cast("tuple[str, ...]", servers), address)


def load_file(
    path: str, *, source: str = "chosen", bindings: Bindings | None = None, address: str = "", refuse: bool = True
) -> Contract:
    """The same for a document on this computer, which may refer to files beside it, or for a profile: its file, or the
    name of one that comes with the program. Raises DocumentUnusable (see `local_file.read` too)."""
    data = local_file.read(str(shipped_profiles().get(path, path)))
    if is_profile(path):
        return replace(contract_of(data), digest=_digest(data), by_hand=manual_bindings(bindings or {}))
    document = local_file.parse_with_files(data, path)
    bound = bind(document, source=source, digest=_digest(data), bindings=bindings, address=address, refuse=refuse)
    return _if_known(bound)


def is_profile(path: str | None) -> bool:
    """Whether what is chosen for a connection is a profile, which stands wherever a document on this computer can."""
    if path is None or "://" in path:
        return False
    return path in shipped_profiles() or path.lower().endswith(".toml")


@cache
def shipped_profiles() -> Mapping[str, Path]:
    """The profiles that come with the program, by their names. Each name stands wherever a document can be given."""
    return {file.stem: file for file in resources.path("profiles").glob("*.toml")}


def _if_known(bound: Contract) -> Contract:
    """The contract of a document, its writes known where all of them are those of the specification's services. One
    that is asked alike tells nothing of a service whose others are not."""
    known = _forms_of_writes(bound) <= shipped_forms()
    return replace(bound, proven=tuple(sorted(shipped_forms()))) if known else bound


@cache
def shipped_forms() -> frozenset[str]:
    """The forms of all writes of the specification's services, whose documents ship with the program."""
    documents = [parse(resources.path("openapi", name).read_bytes()) for name in ("default.json", "full.json")]
    return frozenset[str]().union(*(_forms_of_writes(bind(found, source="default")) for found in documents))


def _forms_of_writes(contract: Contract) -> frozenset[str]:
    operations = contract.operations.values()
    return frozenset(one.form for one in operations if VERBS[one.op] in (Verb.CREATE, Verb.CHANGE))


def default(bindings: Bindings | None = None) -> Contract:
    """The contract of the document that ships with the program: the nine operations. It says nothing of where a service
    lies."""
    return _read_default(bindings) if bindings else _default()


@cache
def _default() -> Contract:
    return _read_default(None)


def _read_default(bindings: Bindings | None) -> Contract:
    data = resources.path("openapi", "default.json").read_bytes()
    contract = replace(load(data, source="default", bindings=bindings), servers=(), alternatives=(API_KEY,))
    return with_main_key(contract, str((bindings or {}).get(MAIN_KEY, "")))


def learn(
    data: bytes | None,
    chosen: str | None,
    known: Contract | None = None,
    bindings: Bindings | None = None,
    *,
    address: str = "",
    place: str = "",
) -> Contract:
    """The contract of the document that was fetched, else of the chosen file, else the one that was `known` of a
    document that the service has published before, else that of the default document. A document
    that can be read and not used makes one that offers nothing, and that says why (`Contract.refused`). Raises
    DocumentUnusable for one that cannot be read."""
    if data is None and chosen is None and known is not None and _still_holds(known, bindings):
        return known
    found = default(bindings) if data is None and chosen is None else _read(data, chosen, bindings, address, place)
    return carried(known, found)


def _still_holds(known: Contract, bindings: Bindings | None) -> bool:
    """Whether a document that the service does not show just now is followed all the same."""
    return known.source == "published" and known.refused is None and known.by_hand == manual_bindings(bindings or {})


def _read(data: bytes | None, chosen: str | None, bindings: Bindings | None, address: str, place: str) -> Contract:
    source = "published" if chosen is None else "chosen"

    def read(*, refuse: bool = True) -> Contract:
        if data is None:
            return load_file(chosen or "", bindings=bindings, address=address, refuse=refuse)
        return load(data, source=source, bindings=bindings, address=address, place=place, refuse=refuse)

    try:
        return read()
    except DocumentUnusable as error:
        if error.code not in _SAYS_OTHERWISE:
            raise
        nothing = Contract({}, source=source) if error.code == "document-version" else read(refuse=False)
        return replace(nothing, refused=error)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
