"""Makes the file that tells the program of a newer version (petstore_desktop/adapters/updates.py), and signs it."""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from petstore_desktop.adapters.updates import COMMENT, MOST_BYTES, read
from release import ReleaseError, owner
from release.signatures import read_secret, sign

HOLDS = timedelta(days=180)
"""How long the program believes it; a newer one is made before."""
LONGEST = 300
"""Characters of what is new."""


def write(out: Path, key: Path, version: str, notes: str, owner_file: Path = owner.PLACE) -> str:
    """Write updates.json into a folder, and its signature beside it; return what the program will say of it.

    Raises ReleaseError where the key is not the owner's, or the program would not believe the file.
    """
    secret, now = read_secret(key), datetime.now(UTC)
    if secret.public.text != owner.value("minisign_public_key", owner_file):
        raise ReleaseError(f"The secret key is not the one whose public key is in {owner_file}.")
    told = {
        "program": "petstore-desktop",
        "version": version,
        "serial": int(now.timestamp()),
        "issued": f"{now:%Y-%m-%d}",
        "expires": f"{now + HOLDS:%Y-%m-%d}",
        "page": owner.value("homepage", owner_file),
        "news": {"en": first_news(notes)},
    }
    out.mkdir(parents=True, exist_ok=True)
    place = out / "updates.json"
    place.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    signature = sign(place, secret, COMMENT)
    try:
        found = read(place.read_bytes(), signature.read_bytes(), base64.b64decode(secret.public.text), now)
    except (ValueError, TypeError, KeyError) as error:
        raise ReleaseError(f"The program would not believe {place}: {error}.") from None
    if place.stat().st_size > MOST_BYTES:
        raise ReleaseError(f"{place} is too large.")
    return f"{place}: {found.newest.version}, {found.newest.news}"


def first_news(notes: str) -> str:
    """Return the first sentence of each point of the changelog, as far as there is room."""
    points = [" ".join(point.split()) for point in re.split(r"^- ", notes, flags=re.MULTILINE)[1:]]
    found = ""
    for point in points:
        sentence = re.split(r"(?<=[.:])\s", point)[0].rstrip(":")
        if len(found) + len(sentence) > LONGEST:
            break
        found = f"{found} {sentence}".strip()
    return found
