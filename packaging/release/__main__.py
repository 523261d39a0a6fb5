"""The release's commands: packaging/dev.py release COMMAND

cut VERSION                    version, changelog, commit and tag; refuses what is not ready
owner                          what only the owner can fill in, and did not yet
notes [VERSION]                what the changelog says of a version
texts FOLDER                   licence texts that are not in packages, gathered on Debian for any system
describe BUNDLE SITE           the list of what is in a bundle that was built from the packages in SITE, and the
                               licences of all of it, put into the bundle
sbom BUNDLE SITE OUT           that list alone (CycloneDX)
icons FOLDER                   petstore-desktop.ico and .icns, which the bundles of Windows and macOS take
installer BUNDLE OUT [--sign]  the installer for Windows
dmg APP OUT                    the disk image for macOS
checksums DIST                 SHA256SUMS of a folder
keys FILE                      a new pair of keys for signatures
sign DIST KEY                  checksums, and the signature over them
sign-file FILE KEY COMMENT     the signature of one file, such as that of updates
updates OUT KEY [VERSION]      the file of updates that tells of a version, and its signature
verify DIST [--key PUBLIC]     checksums and signature of a folder, by the owner's public key or another
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from release import ReleaseError, cut, installer, owner, version
from release.checksums import SUMS, check_sums, sums


def parser() -> argparse.ArgumentParser:
    """Return what understands the command line."""
    made = argparse.ArgumentParser(
        prog="dev.py release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    arguments = {
        "cut": ("version",), "owner": (), "describe": ("bundle", "site"), "sbom": ("bundle", "site", "out"),
        "texts": ("folder",), "icons": ("folder",), "checksums": ("dist",), "keys": ("file",), "sign": ("dist", "key"),
        "sign-file": ("file", "key", "comment"), "dmg": ("app", "out"),
    }  # fmt: skip
    for command, names in arguments.items():
        one = commands.add_parser(command)
        for name in names:
            one.add_argument(name, type=str if name in ("version", "comment") else Path)
    commands.add_parser("notes").add_argument("version", nargs="?", default=version.current())
    one = commands.add_parser("updates")
    one.add_argument("out", type=Path)
    one.add_argument("key", type=Path)
    one.add_argument("version", nargs="?", default=version.current())
    one = commands.add_parser("verify")
    one.add_argument("dist", type=Path)
    one.add_argument("--key", help="a public key, or the file with one; the owner's without it")
    one = commands.add_parser("installer")
    one.add_argument("bundle", type=Path)
    one.add_argument("out", type=Path)
    one.add_argument("--sign", action="store_true", help="with signtool and the owner's certificate")
    return made


def described(options: argparse.Namespace) -> str:
    """Put the list of what is in a bundle, and the licences, into it."""
    from release.inside.describe import describe

    return "\n".join(map(str, describe(options.bundle, options.site)))


def listed(options: argparse.Namespace) -> str:
    """Write the list of what is in a bundle."""
    from release.inside import sbom

    return f"{len(sbom.write(options.bundle, options.site, options.out))} components, in {options.out}"


def texts(options: argparse.Namespace) -> str:
    """Gather the texts that are not in packages."""
    from release.inside import texts

    fetched = texts.gather(options.folder)
    return f"licence texts in {options.folder}; fetched for them: {', '.join(fetched) or 'nothing'}"


def icons(options: argparse.Namespace) -> str:
    """Write the icon files of Windows and macOS."""
    from release import pictures  # late: it needs Qt

    return " ".join(map(str, pictures.write_all(options.folder)))


def signed(options: argparse.Namespace) -> str:
    """Make checksums of a folder, or take one file; sign, and check the signature as anybody would."""
    from release.signatures import (  # late: only Linux's environment has its library
        public_key,
        read_secret,
        sign,
        verify,
    )

    secret, known = read_secret(options.key), owner.value("minisign_public_key")
    if secret.public.text != known:
        raise ReleaseError("The secret key is not the one whose public key is in packaging/release/owner.toml.")
    alone = options.command == "sign-file"
    place = options.file if alone else sums(options.dist)
    made = sign(place, secret, options.comment if alone else f"Pet Store Desktop {version.current()}")
    return f"{made}: {verify(place, public_key(known, owner.PLACE))}"


def updates(options: argparse.Namespace) -> str:
    """Write the file of updates, sign it, and read it as the program does."""
    from release.updates import write

    return write(options.out, options.key, options.version, notes(options))


def verified(options: argparse.Namespace) -> str:
    """Check the signature of a folder's checksums, then the files."""
    from release.signatures import lines_of, public_key, verify

    given = options.key or owner.value("minisign_public_key")
    line = lines_of(Path(given))[-1] if Path(given).is_file() else given
    comment = verify(options.dist / SUMS, public_key(line, Path(given)))
    return f"{comment}: {len(check_sums(options.dist))} files as signed"


def keys(options: argparse.Namespace) -> str:
    """Make a new pair of keys."""
    from release.signatures import new_keys

    return f"Put this into {owner.PLACE.name}: {new_keys(options.file).text}"


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
    "describe": described,
    "sbom": listed,
    "texts": texts,
    "icons": icons,
    "checksums": lambda options: str(sums(options.dist)),
    "keys": keys,
    "sign": signed,
    "sign-file": signed,
    "updates": updates,
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
