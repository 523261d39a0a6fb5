"""Puts into a bundle what says what it is: the list of what is in it, and the licences of that."""

from __future__ import annotations

from pathlib import Path

from release.inside import licences, sbom


def describe(bundle: Path, site: Path) -> list[Path]:
    """Write both into a bundle that was built from the packages in `site`, where the program looks for them; return
    where they are.

    `bundle` is the folder with the program, or the .app of macOS. What was there before is replaced. Raises
    ReleaseError where something in the bundle is of nobody, or a text is missing.
    """
    contents = bundle / "Contents" / "Resources"
    place = contents if contents.is_dir() else bundle
    listed, texts = place / sbom.FILE, place / licences.FOLDER
    licences.write(sbom.write(bundle, site, listed), site, texts)
    return [listed, texts]
