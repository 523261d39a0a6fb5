"""The release's commands: packaging/dev.py release COMMAND

cut VERSION                    version, changelog, commit and tag; refuses what is not ready
owner                          what only the owner can fill in, and did not yet
notes [VERSION]                what the changelog says of a version
sbom BUNDLE SITE OUT           the list of what is in a bundle (CycloneDX), built from the packages in SITE
licences BUNDLE SITE OUT       the licence texts of all of it, into the folder OUT
texts FOLDER                   the texts that are not in packages, gathered on Debian for any system
checksums DIST                 SHA256SUMS of a folder
keys FILE                      a new pair of keys for signatures
sign DIST KEY                  checksums, and the signature over them
verify DIST [--key PUBLIC]     checksums and signature of a folder, by the owner's public key or another
installer BUNDLE OUT [--sign]  the installer for Windows
dmg APP OUT                    the disk image for macOS
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from release import ReleaseError, cut, installer, owner, version
from release.signatures import SUMS, check_sums, lines_of, new_keys, public_key, read_secret, sign, sums, verify


def parser() -> argparse.ArgumentParser:
    """Return what understands the command line."""
    made = argparse.ArgumentParser(
        prog="dev.py release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    arguments = {
        "cut": ("version",), "owner": (), "sbom": ("bundle", "site", "out"), "licences": ("bundle", "site", "out"),
        "texts": ("folder",), "checksums": ("dist",), "keys": ("file",), "sign": ("dist", "key"),
        "dmg": ("app", "out"),
    }  # fmt: skip
    for command, names in arguments.items():
        one = commands.add_parser(command)
        for name in names:
            one.add_argument(name, type=str if name == "version" else Path)
    commands.add_parser("notes").add_argument("version", nargs="?", default=version.current())
    one = commands.add_parser("verify")
    one.add_argument("dist", type=Path)
    one.add_argument("--key", help="a public key, or the file with one; the owner's without it")
    one = commands.add_parser("installer")
    one.add_argument("bundle", type=Path)
    one.add_argument("out", type=Path)
    one.add_argument("--sign", action="store_true", help="with signtool and the owner's certificate")
    return made


def contents(options: argparse.Namespace) -> str:
    """Write the list of what is in a bundle, or the licences of it."""
    from release import contents, frozen, licences, sbom  # late: only these two read a whole bundle

    if options.command == "sbom":
        found = sbom.write(options.bundle, options.site, options.out)
    else:
        found = contents.components(frozen.Bundle(options.bundle), contents.Environment(options.site))
        licences.write(found, options.site, options.out)
    return f"{len(found)} components, in {options.out}"


def texts(options: argparse.Namespace) -> str:
    """Gather the texts that are not in packages."""
    from release import texts

    fetched = texts.gather(options.folder)
    return f"licence texts in {options.folder}; fetched for them: {', '.join(fetched) or 'nothing'}"


def signed(options: argparse.Namespace) -> str:
    """Make checksums, sign them, and check both as anybody would."""
    place, secret = sums(options.dist), read_secret(options.key)
    known = owner.value("minisign_public_key")
    if secret.public.text != known:
        raise ReleaseError("The secret key is not the one whose public key is in packaging/release/owner.toml.")
    made = sign(place, secret, f"Pet Store Desktop {version.current()}")
    return f"{made}: {verify(place, public_key(known, owner.PLACE))}"


def verified(options: argparse.Namespace) -> str:
    """Check the signature of a folder's checksums, then the files."""
    given = options.key or owner.value("minisign_public_key")
    line = lines_of(Path(given))[-1] if Path(given).is_file() else given
    comment = verify(options.dist / SUMS, public_key(line, Path(given)))
    return f"{comment}: {len(check_sums(options.dist))} files as signed"


def notes(options: argparse.Namespace) -> str:
    """Return what the changelog says of a version."""
    said = cut.section((version.ROOT / cut.CHANGELOG).read_text("utf-8"), options.version)
    if not said:
        raise ReleaseError(f"{cut.CHANGELOG} says nothing of {options.version}.")
    return said


def owners(_: argparse.Namespace) -> str:
    """Fail where something of the owner's is not filled in."""
    if missing := owner.missing():
        raise ReleaseError(f"Not filled in, in {owner.PLACE.name}: {', '.join(missing)}")
    return "all filled in"


COMMANDS = {
    "cut": lambda options: f"{cut.cut(options.version)} is made. Push the commit and the tag to build it.",
    "owner": owners,
    "notes": notes,
    "sbom": contents,
    "licences": contents,
    "texts": texts,
    "checksums": lambda options: str(sums(options.dist)),
    "keys": lambda options: f"Put this into {owner.PLACE.name}: {new_keys(options.file).text}",
    "sign": signed,
    "verify": verified,
    "installer": lambda options: str(installer.windows(options.bundle, options.out, options.sign)),
    "dmg": lambda options: str(installer.macos(options.app, options.out)),
}


def main(argv: list[str]) -> int:
    """Run one command; 1 where the release cannot go on."""
    options = parser().parse_args(argv)
    try:
        print(COMMANDS[options.command](options))
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
