"""The stored contract of a connection: the contract itself, read at every start; the reasons for its bindings, for the
page of operations; and the document, so that a person can bind an operation by hand without a request. All of it is
disposable: missing parts are requested again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.contract import cache, survey
from petstore_desktop.contract.binding.load import Bindings, default, load, load_file
from petstore_desktop.contract.lifecycle.sunset import carried
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.survey import Finding, Survey
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.held_files import remove
from petstore_desktop.platform_support import write_whole
from petstore_desktop.regular_files import read_regular


def keep(contract_file: Path, contract: Contract, document: bytes | None) -> None:
    """Write it down; `document` None where there is none of the service's own, or where it lies on this computer; one
    that holds a key is asked for again. Raises OSError. The contract comes last: where it is there, so is the rest."""
    _forget(_document_beside(contract_file))
    if document is not None and not log.holds_secret(document.decode("utf-8", "replace")):
        write_whole(_document_beside(contract_file), document)
    if contract.survey is not None:
        write_whole(_survey_beside(contract_file), survey.to_json(contract.survey).encode("utf-8"))
    cache.write(contract_file, contract)


def forget(contract_file: Path) -> None:
    """The service is asked anew at the next start."""
    for file in (contract_file, _survey_beside(contract_file), _document_beside(contract_file)):
        _forget(file)


def survey_of(contract_file: Path, contract: Contract | None) -> Survey:
    """How the operations of this contract were found; of one that is not known yet, how the default document's were.
    Blocks for the disk."""
    if contract is None:
        return default().survey or Survey()
    if contract.survey is not None:
        return contract.survey
    try:
        return survey.from_json(read_regular(_survey_beside(contract_file), cache.MOST_KEPT).decode("utf-8"))
    except (OSError, UnicodeDecodeError, DocumentUnusable):
        return _from_contract(contract)


def rebind(contract_file: Path, chosen: str | None, bindings: Bindings, known: Contract | None) -> Contract | None:
    """Bind the stored document again with a person's own bindings, and store the result; None if there is no document.
    `chosen`: the connection's own document; `known`: the contract so far. Blocks. Raises DocumentUnusable."""
    found = _read_anew(contract_file, chosen, bindings, known)
    if found is None:
        return None
    contract, data = carried(known, found[0]), found[1]
    known = known or Contract({}, source="")
    contract = replace(contract, address=known.address, read_at=known.read_at)
    with suppress(OSError):  # it is asked for at the next start
        keep(contract_file, contract, data)
    return contract


def survey_with(contract_file: Path, chosen: str | None, bindings: Bindings, known: Contract | None) -> Survey | None:
    """How the operations would be found with these bindings, as `rebind` takes them; nothing is stored. None if there
    is no document. Blocks. Raises DocumentUnusable."""
    found = _read_anew(contract_file, chosen, bindings, known)
    return None if found is None else found[0].survey


def _read_anew(
    contract_file: Path, chosen: str | None, bindings: Bindings, known: Contract | None
) -> tuple[Contract, bytes | None] | None:
    """The contract, and the document where it is kept beside it."""
    known = known or Contract({}, source="")
    source, address = known.source, known.address or known.within
    if source == "default":
        return default(bindings), None
    if chosen is not None and "://" not in chosen:
        return load_file(chosen, bindings=bindings, address=address), None
    if not source:
        return None
    try:
        data = read_regular(_document_beside(contract_file), cache.MOST_KEPT)
    except OSError:
        return None
    return load(data, source=source, bindings=bindings, address=address, place=known.place), data


def _from_contract(contract: Contract) -> Survey:
    """What can be said without the document."""
    findings = [
        Finding(op, f"{found.method} {found.path}", False, "", found.deprecated, found.sunset, found.stability)
        for op, found in contract.operations.items()
    ]
    return Survey(tuple(findings), contract.source, contract.title, contract.version, contract.warnings)


def _survey_beside(contract_file: Path) -> Path:
    return contract_file.with_name("operations.json")


def _document_beside(contract_file: Path) -> Path:
    return contract_file.with_name("document.openapi")


def _forget(file: Path) -> None:
    with suppress(OSError):
        remove(file)
