"""SHA256SUMS of a folder: made as sha256sum(1) makes it, and checked."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from release import ReleaseError

SUMS = "SHA256SUMS"
SUFFIX = ".minisig"
"""What names of signatures end with (release/signatures.py); none is listed."""
LINE = re.compile(r"([0-9a-f]{64})  ([^/\\\n]+)")


def sums(folder: Path) -> Path:
    """Write the digest of every file of a folder into its SHA256SUMS, as sha256sum(1) does. Raises ReleaseError."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(SUMS)]
    files = [path for path in files if path.suffix != SUFFIX]
    if not files:
        raise ReleaseError(f"There is nothing in {folder} to make checksums of.")
    place = folder / SUMS
    place.write_text("".join(f"{digest(path)}  {path.name}\n" for path in files), "utf-8", newline="\n")
    return place


def digest(path: Path) -> str:
    """Return a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_sums(folder: Path) -> list[str]:
    """Return the names of the files that SHA256SUMS lists and that are as it says.

    Raises ReleaseError where one is not, is missing, or lies there without being listed.
    """
    place = folder / SUMS
    if not place.is_file():
        raise ReleaseError(f"There is no {SUMS} in {folder}.")
    lines = place.read_text("utf-8").splitlines()
    listed = {found[2]: found[1] for line in lines if (found := LINE.fullmatch(line))}
    if len(listed) != len(lines):
        raise ReleaseError(f"{place} has a line that is no checksum, or a name twice.")
    own = (SUMS, SUMS + SUFFIX)
    there = {path.name for path in folder.iterdir() if path.name not in own and path.suffix != SUFFIX}
    wrong = [f"{name} is not listed" for name in sorted(there - set(listed))]
    wrong += [f"{name} is missing" for name in sorted(set(listed) - there)]
    wrong += [f"{name} differs" for name in sorted(there & set(listed)) if digest(folder / name) != listed[name]]
    if wrong:
        raise ReleaseError(f"{place} does not fit the files: {'; '.join(wrong)}.")
    return sorted(listed)
