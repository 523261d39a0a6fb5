"""Remake packaging/pins/*.txt: every package by version and hash, for Linux, Windows and macOS.

Run it after a change of the dependencies in pyproject.toml, or to take newer versions:

    .venv/bin/python packaging/pin.py

`pip` resolves for the machine at hand; the requirements of what it chose are then followed for the other systems and
Python versions too, and what only those need gets an environment marker. The hashes are those that the package index,
whichever one `pip` is set up to use, publishes for the wheels of that version; no index is named in the files.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

# pip is the one tool that knows the configured index; its internals are used here, by the maintainer, and nowhere else.
from pip._internal.commands import create_command
from pip._internal.index.collector import parse_links
from pip._internal.models.candidate import InstallationCandidate
from pip._internal.models.link import Link
from pip._vendor.packaging.markers import default_environment
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "packaging" / "pins"
INSTALLING = ("hatchling", "editables")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {"linux": ("Linux", "posix"), "win32": ("Windows", "nt"), "darwin": ("Darwin", "posix")}
PLATFORMS = ("any", "manylinux", "win_amd64", "win_arm64", "macosx")
MACHINES_LEFT_OUT = ("ppc64", "s390x", "i686", "armv7l", "riscv64", "loongarch64")

Environment = tuple[str, str]
"""(sys_platform, Python version)."""
ENVIRONMENTS: tuple[Environment, ...] = tuple((system, python) for system in SYSTEMS for python in PYTHONS)


@dataclass(slots=True)
class Package:
    """One resolved package: its version, what it requires, and which environments need it."""

    name: str
    version: str
    requires: list[Requirement]
    needed_in: set[Environment] = field(default_factory=set)


def main() -> int:
    """Write runtime.txt (what the program needs), install.txt (what puts the checkout into its environment), dev.txt
    (what its tests and checks add) and ship.txt (what makes the bundle out of it)."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    runtime = [Requirement(text) for text in project["dependencies"]]
    dev = [Requirement(text) for text in project["optional-dependencies"]["dev"]]
    ship = [Requirement(text) for text in project["optional-dependencies"]["ship"]]
    install = [one for one in dev if one.name in INSTALLING]
    packages = close(runtime + dev + ship)
    of_runtime, of_ship, of_install = (needed_by(some, packages) for some in (runtime, ship, install))
    of_dev = needed_by(runtime + dev, packages)
    names = sorted(packages)
    hashes = dict(zip(names, published_hashes([packages[name] for name in names]), strict=True))
    PINS.mkdir(exist_ok=True)
    write("runtime.txt", "what the program needs", packages, of_runtime, hashes)
    for file, says, needed in (
        ("install.txt", "what puts the checkout itself into its environment", of_install),
        ("dev.txt", "what its tests and checks add", of_dev),
        ("ship.txt", "what makes the bundle out of it", of_ship),
    ):
        there = of_runtime if file != "dev.txt" else {name: of_runtime[name] | of_install[name] for name in packages}
        rest = {name: environments for name, environments in needed.items() if not there[name]}
        write(file, says, packages, rest, hashes)
    return 0


def needed_by(wanted: list[Requirement], packages: dict[str, Package]) -> dict[str, set[Environment]]:
    """Return for each package the environments that need it for `wanted`."""
    for package in packages.values():
        package.needed_in.clear()
    mark(wanted, packages)
    return {name: set(package.needed_in) for name, package in packages.items()}


def close(wanted: list[Requirement]) -> dict[str, Package]:
    """Resolve `wanted` here, then add what other environments need, until nothing is missing."""
    packages = {package.name: package for package in resolve([str(req) for req in wanted], [])}
    while missing := mark(wanted, packages):
        pinned = [f"{package.name}=={package.version}" for package in packages.values()]
        found = resolve(sorted(missing), pinned)
        packages |= {package.name: package for package in found if package.name not in packages}
    return packages


def resolve(wanted: list[str], constraints: list[str]) -> Iterator[Package]:
    """Ask pip which versions it would install in an empty environment."""
    with TemporaryDirectory() as folder:
        limits, report = Path(folder) / "constraints.txt", Path(folder) / "report.json"
        limits.write_text("\n".join(constraints), "utf-8")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--only-binary", ":all:", "-c", str(limits), "--report", str(report), *wanted]
        subprocess.run(command, check=True)
        for entry in json.loads(report.read_text("utf-8"))["install"]:
            about: dict[str, Any] = entry["metadata"]
            requires = [Requirement(text) for text in about.get("requires_dist", [])]
            yield Package(canonicalize_name(about["name"]), about["version"], requires)


def mark(wanted: Iterable[Requirement], packages: dict[str, Package]) -> set[str]:
    """Note in every package the environments that reach it from `wanted`; return the requirements nothing meets yet."""
    missing: set[str] = set()
    for environment in ENVIRONMENTS:
        seen: set[tuple[str, str]] = set()
        queue = [(req, "") for req in wanted]
        while queue:
            req, extra = queue.pop()
            if not holds(req, environment, extra):
                continue
            name = canonicalize_name(req.name)
            if name not in packages:
                missing.add(f"{req.name}{req.specifier}")
                continue
            packages[name].needed_in.add(environment)
            for chosen in {"", *req.extras} - {done for who, done in seen if who == name}:
                seen.add((name, chosen))
                queue += [(below, chosen) for below in packages[name].requires]
    return missing


def holds(req: Requirement, environment: Environment, extra: str) -> bool:
    """Say whether the requirement's marker holds in that environment."""
    system, python = environment
    values = dict(default_environment()) | {
        "sys_platform": system,
        "platform_system": SYSTEMS[system][0],
        "os_name": SYSTEMS[system][1],
        "python_version": python,
        "python_full_version": f"{python}.9",
        "implementation_version": f"{python}.9",
        "extra": extra,
    }
    return req.marker is None or req.marker.evaluate(values)


def published_hashes(packages: list[Package]) -> Iterator[list[str]]:
    """Yield, for each package, the sha256 of its wheels for the systems and Pythons that are pinned for."""
    command: Any = create_command("download")
    options, _ = command.parse_args(["nothing"])
    with command.main_context():
        session = command.get_default_session(options)
        collector = command._build_package_finder(options, session)._link_collector
        for package in packages:
            sources = collector.collect_sources(package.name, candidates_from_page=no_candidates)
            pages = [collector.fetch_response(source.link) for source in sources.index_urls if source]
            links = [link for page in pages if page for link in parse_links(page)]
            found = {sha256(link) for link in links if wanted_wheel(link.filename, package)}
            if not found:
                raise SystemExit(f"no wheel with a hash for {package.name} {package.version}")
            yield sorted(found)


def no_candidates(_: object) -> list[InstallationCandidate]:
    """Stand in for pip's choice among the files of a page; here every file counts."""
    return []


def sha256(link: Link) -> str:
    """Return the hash that the index publishes for a file.

    Raises SystemExit where it publishes none.
    """
    if link.hash_name != "sha256" or link.hash is None:
        raise SystemExit(f"no sha256 for {link.filename}")
    return link.hash


def wanted_wheel(filename: str, package: Package) -> bool:
    """Say whether the file is a wheel of that version which one of the pinned environments could install."""
    try:
        name, version, _, tags = parse_wheel_filename(filename)
    except InvalidWheelFilename:
        return False
    if (name, str(version)) != (package.name, package.version):
        return False
    return any(usable_python(tag.interpreter, tag.abi) and usable_platform(tag.platform) for tag in tags)


def usable_python(interpreter: str, abi: str) -> bool:
    """Say whether CPython 3.11 to 3.14 can load it (the free-threaded builds are left out)."""
    ours = {f"cp{python.replace('.', '')}" for python in PYTHONS}
    if interpreter == "py3":
        return True
    return (interpreter in ours and abi in {interpreter, "none", "abi3"}) or (
        interpreter[:3] == "cp3" and abi == "abi3"
    )


def usable_platform(platform: str) -> bool:
    """Say whether a system of ours runs it."""
    return platform.startswith(PLATFORMS) and not platform.endswith(MACHINES_LEFT_OUT)


def marker(needed_in: set[Environment]) -> str:
    """Return the shortest marker, with its semicolon, that says in which environments a package is needed."""
    if needed_in == set(ENVIRONMENTS):
        return ""
    systems = sorted({system for system, _ in needed_in})
    pythons = sorted({python for _, python in needed_in}, key=PYTHONS.index)
    if needed_in != {(system, python) for system in systems for python in pythons}:
        raise SystemExit(f"a marker for {sorted(needed_in)} has to be thought of")
    parts: list[str] = []
    if len(systems) < len(SYSTEMS):
        parts.append(" or ".join(f'sys_platform == "{system}"' for system in systems))
    if len(pythons) < len(PYTHONS):
        if tuple(pythons) != PYTHONS[: len(pythons)]:
            raise SystemExit(f"a marker for {pythons} has to be thought of")
        parts.append(f'python_version < "{PYTHONS[len(pythons)]}"')
    return " ; " + " and ".join(f"({part})" if " or " in part and len(parts) > 1 else part for part in parts)


def write(
    filename: str,
    says: str,
    packages: dict[str, Package],
    needed: dict[str, set[Environment]],
    hashes: dict[str, list[str]],
) -> None:
    """Write one file of pins in the form that `pip install --require-hashes -r` reads."""
    lines = [f"# {says.capitalize()}, by version and hash. Made by packaging/pin.py; do not edit.", ""]
    for name, environments in sorted(needed.items()):
        if not environments:
            continue
        package = packages[name]
        head = f"{name}=={package.version}{marker(environments)}"
        lines.append(" \\\n    ".join([head, *(f"--hash=sha256:{digest}" for digest in hashes[name])]))
    (PINS / filename).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
