"""Cuts a release: the version, its section in the changelog, a commit and a tag. Nothing is pushed or published."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from release import ReleaseError, version

CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"
TRANSLATIONS = Path("resources", "translations")
UNFINISHED = 'type="unfinished"'
"""What stands in a language's file at a text that it shows in English."""
HEAD = re.compile(r"^## \[([^\]]+)\](?: - \d{4}-\d\d-\d\d)?$", re.MULTILINE)


def cut(new: str, root: Path = version.ROOT, today: str | None = None) -> str:
    """Make the commit and the tag of a release in the checkout, and return the tag's name.

    Raises ReleaseError, with nothing changed, where the version is wrong, the tree is not clean, the tag is there, or
    the changelog has nothing to release.
    """
    tag = f"v{new}"
    refuse(new, tag, root)
    place = root / CHANGELOG
    place.write_text(with_section(place.read_text("utf-8"), new, today or f"{datetime.now(UTC):%Y-%m-%d}"), "utf-8")
    version.write(new, root)
    git(root, "add", CHANGELOG, str(version.PLACE))
    git(root, "commit", "--quiet", "--message", f"Release {new}")
    git(root, "tag", "--annotate", tag, "--message", f"Pet Store Desktop {new}")
    return tag


def refuse(new: str, tag: str, root: Path) -> None:
    """Raise ReleaseError for whatever speaks against this release."""
    now = version.current(root)
    if version.parts(new) < version.parts(now):
        raise ReleaseError(f"{new} is older than {now}, which petstore_desktop/__init__.py says.")
    if changed := git(root, "status", "--porcelain"):
        raise ReleaseError(f"The checkout has changes that are not committed:\n{changed}")
    if git(root, "tag", "--list", tag):
        raise ReleaseError(f"The tag {tag} is there already: a release is never made twice. Take the next number.")
    text = (root / CHANGELOG).read_text("utf-8")
    if new in HEAD.findall(text):
        raise ReleaseError(f"{CHANGELOG} has a section for {new} already.")
    files = sorted((root / TRANSLATIONS).glob("*.ts"))
    if english := [file.name for file in files if UNFINISHED in file.read_text("utf-8")]:
        raise ReleaseError(f"Texts are not translated yet in {', '.join(english)}.")
    if not section(text, "Unreleased"):
        raise ReleaseError(f"{CHANGELOG} has nothing under [Unreleased]: say what changed for those who use it.")


def section(text: str, name: str) -> str:
    """Return what the changelog says of one version; empty where it says nothing."""
    found = list(HEAD.finditer(text))
    for one, after in zip(found, [*found[1:], None], strict=True):
        if one[1] == name:
            return text[one.end() : after.start() if after else len(text)].strip()
    return ""


def with_section(text: str, new: str, today: str) -> str:
    """Return the changelog with what was unreleased under the new version. Raises ReleaseError if it has no place."""
    if text.count(UNRELEASED) != 1:
        raise ReleaseError(f"{CHANGELOG} must have the line {UNRELEASED.strip()!r} once.")
    return text.replace(UNRELEASED, f"{UNRELEASED}\n## [{new}] - {today}\n")


def git(root: Path, *command: str) -> str:
    """Return what git says. Raises ReleaseError where it fails."""
    done = subprocess.run(["git", *command], check=False, cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"git {command[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()
