"""`petstore-desktop profile NAME`: how a service speaks, as the program follows it, in a file to read and share."""

from __future__ import annotations

import sys

from petstore_desktop.commands.sentences import STDOUT, find_connection
from petstore_desktop.contract import cache
from petstore_desktop.contract.binding.load import is_profile, load_file
from petstore_desktop.contract.profile.reading import contract_of
from petstore_desktop.contract.profile.writing import text_of
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.regular_files import named_path
from petstore_desktop.session.session import service_address


def profile(data_dir: str | None, name: str, out: str | None) -> int:
    """Do it; the exit code. `out` None, -: to stdout. Raises BadInput, DocumentUnusable where it says something that no
    profile can, or its own profile cannot be read, StorageError."""
    places, known = find_connection(data_dir, name)
    contract = cache.read(places.contract(known.slug), service_address(known))
    if contract is None and known.document is not None and is_profile(known.document):
        contract = load_file(known.document, bindings=known.by_hand)  # nothing has to be asked for
    if contract is None or not contract.operations:
        raise BadInput("service-unknown", name=known.name)
    data = text_of(contract).encode()
    contract_of(data)  # it is to be read again
    if out is None or out == STDOUT:
        sys.stdout.buffer.write(data)
        return 0
    keep_whole(named_path(out), data, over=True)
    return 0
