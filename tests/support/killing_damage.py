"""One byte of a killed program's journal, or of its log, is damaged: what was there before, and what of it the next
start has or lists."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from petstore_desktop.store.sqlite.wal_check import frames

EVERY = 10
"""Each so many-th start finds a damaged byte, as soon as there is enough to lose."""
LATEST = 3
"""Every second damaged log has its byte among so many last frames: those of the last commit, and its copy that fills
the sector."""
SAID = ("journal-listed", "journal-set-aside")
LISTED_STATE = "listed"

_HEAD, _FRAME = 32, 24 + 4096
"""Bytes (sqlite.org, "WAL-mode File Format")."""

Row = tuple[int, str, str, str, int]
"""Of a change: id, batch, state, why, whether it may have been done (see `killing_judge`)."""


@dataclass(slots=True)
class Damage:
    """`truth`: the files as they were; `where`: what was damaged; `listed`: the changes in lists of which the program
    has told; `is_aside`: whether it set the journal aside, or a copy of it; `is_elsewhere`: whether that journal is of
    another service."""

    truth: Path
    where: str
    listed: set[int] = field(default_factory=set)
    is_aside: bool = False
    is_elsewhere: bool = False

    @property
    def counts(self) -> bool:
        """Whether what is asked about may be among what was damaged."""
        return self.is_aside and not self.is_elsewhere

    @property
    def outcome(self) -> str:
        """In one word."""
        found = "listed" if self.listed else "aside" if self.is_aside else "harmless"
        return f"{found}, elsewhere" if self.is_elsewhere else found

    def merged(self, before: Sequence[Row], now: Sequence[Row]) -> list[Row]:
        """What became of each change that was there before: what the journal says, or else, of one that was not over,
        whether it is listed. The state of one that is neither is empty."""
        here = {row[:2]: row for row in now}
        rows: list[Row] = []
        for row in before:
            id_, batch, state, _, doubtful = row
            over = state in ("done", "discarded", "merged")
            fate = LISTED_STATE if id_ in self.listed else ""
            rows.append(here.get((id_, batch)) or (row if over else (id_, batch, fate, "damaged", doubtful)))
        return rows


def damage(journal: Path, folder: Path, dice: random.Random) -> Damage:
    """Keep a copy in the folder, then change one byte of the file or its log."""
    folder.mkdir()
    parts = [part for part in (journal, journal.with_name(f"{journal.name}-wal")) if _size(part)]
    for part in parts:
        shutil.copyfile(part, folder / part.name)
    part = dice.choice(parts)
    at, bits = dice.randrange(_size(part)), dice.randrange(1, 256)
    ours = [number for number, frame in enumerate(frames(part)) if frame.ours] if part != journal else []
    if ours and dice.random() < 0.5:  # a log may end with its head
        at = _HEAD + _FRAME * dice.choice(ours[-LATEST:]) + dice.randrange(_FRAME)
    with part.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ bits]))
    return Damage(folder / journal.name, f"{part.name}, byte {at} of {_size(part)}, bits {bits:08b}")


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def look(journal: Path, found: Damage, troubles: list[str]) -> None:
    """What a start made of it: its lists count as far as it told of them. What it told of damage is no trouble."""
    found.is_aside = any(journal.parent.glob(f"{journal.name}.damaged-*"))
    told = [trouble for trouble in troubles if any(code in trouble for code in SAID)]
    for listed in journal.parent.glob("*.unsent.json"):
        if any(str(listed.with_suffix(".csv")) in trouble for trouble in told):
            found.listed |= {entry["id"] for entry in json.loads(listed.read_text("ascii"))["entries"]}
    troubles[:] = [trouble for trouble in troubles if trouble not in told]
