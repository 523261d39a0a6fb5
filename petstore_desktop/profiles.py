"""Making, changing and finding connections: what the window and the commands share."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from petstore_desktop.api.address import clean_base_url
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.preferences import Places, Preferences, Profile


def find(preferences: Preferences, name: str) -> Profile:
    """The connection of this name. Raises BadInput."""
    profile = preferences.profile(name)
    if profile is None:
        raise BadInput("no-such-connection", name=name)
    return profile


def with_connection(
    preferences: Preferences, name: str, url: str, plan: str | None, document: str | None = None
) -> tuple[Preferences, Profile]:
    """The preferences with this connection new or changed, and the connection. Raises BadInput."""
    name = name.strip()
    if not name:
        raise BadInput("name-empty")
    address = clean_base_url(url)
    known = preferences.profile(name)
    if known is None:
        profile = Profile(name, preferences.free_slug(name), address, plan=plan, document=document)
    else:
        profile = replace(known, url=address, plan=plan or known.plan, document=document or known.document)
    return replace(preferences.with_profile(profile), last_connection=profile.slug), profile


def forget_contract(places: Places, profile: Profile) -> None:
    """What the service offers is asked anew at the next start."""
    with suppress(OSError):
        places.contract(profile.slug).unlink(missing_ok=True)


def unsent_changes(places: Places, profile: Profile) -> int:
    """How many changes are not sent, refused and uncertain ones included. Raises StorageError."""
    from petstore_desktop.store.journal import Journal  # late: only two commands need it

    path = places.journal(profile.slug)
    if not path.exists():
        return 0
    journal = Journal(path)
    try:
        return len(journal.open_changes())
    finally:
        journal.close()
