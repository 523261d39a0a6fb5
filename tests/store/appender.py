"""A program that writes to a journal until it is killed; each line that it prints is about acts said to be saved.

Run as `python -m tests.store.appender PATH append|few|hold`; `few`: it writes ten batches, and waits.
"""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal


def main(path: Path, what: str) -> None:
    journal = Journal(path)
    if what == "hold":
        os.write(1, b"open\n")
        sys.stdin.read()
        return
    for n in range(1, 11) if what == "few" else itertools.count(1):
        batch = f"batch-{n}"
        changes = journal.append(
            batch, [NewChange(Ref(Resource.INVENTORY, n), AddStock(n)) for _ in range(2)], float(n)
        )
        os.write(1, f"saved {batch} {changes[0].id} {changes[1].id}\n".encode())
        if n % 3 == 0:
            journal.begin_attempt([changes[0].id], "{}", {}, {"quantity": n}, float(n))
            os.write(1, f"sending {changes[0].id}\n".encode())
    sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
