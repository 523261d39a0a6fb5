"""The .deb in clean roots of Debian 12 and 13 that have no Python: installed, used as a new user would, upgraded under
a running program, torn off and out of room in between, purged without a trace; from an apt repository too.

It makes what is not there yet (`dev.py build`), needs root, and takes about ten minutes, so it is run by name.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bundle import contents, place
from deb import package, repository
from tests.long._packages_gates import gates_catch, lint, said, same_twice, wheels_work
from tests.long._roots import SUITES, TOOLS, Root
from tests.long._running import NOT_RUN, Run, run_from, say

LEAST_S = 300.0
"""Less time than this is not enough for a single root."""
KILLS = 6
INSTALL = "apt-get -qq install -y --no-install-recommends"
FONTS = ("fonts-noto-core", "fonts-noto-color-emoji")
TOUR = 'petstore-desktop --demo --plan free --tour "$1"; test $(ls "$1" | grep -c png) -ge 80'
OWN_SHOP = """
export PETSTORE_API_KEY=a-key-of-a-shop
mkfifo /srv/end; sleep 600 > /srv/end &
own="--plan unlimited --port 8765 --db /srv/own.db --until-stdin-closes"
petstore-desktop demo-shop $own --key $PETSTORE_API_KEY < /srv/end &
shop=$!
for try in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/8765) 2>/dev/null && break; sleep 0.1; done
petstore-desktop connect "My shop" --url http://127.0.0.1:8765/v1
petstore-desktop connections | grep -q "^My shop"
petstore-desktop sync "My shop"
petstore-desktop export "My shop" pets --format xlsx --out /srv/pets.xlsx
test $(petstore-desktop export "My shop" pets | wc -l) -ge 200
(timeout 20 petstore-desktop --connection "My shop" || test $? -eq 124)
kill $shop %1
"""
"""What a clerk does with a shop of their own: it is connected, read, exported, and opened in the window."""
KEPT = 'test $(petstore-desktop export "My shop" pets | wc -l) -ge 200'
FULL = """
size=$(du -sk /usr/lib/petstore-desktop | cut -f1)
cp -a /usr/lib/petstore-desktop /srv/as-installed
mount -t tmpfs -o size=$((size + size / 3))k,mode=755 tmpfs /usr/lib/petstore-desktop
cp -a /srv/as-installed/. /usr/lib/petstore-desktop
if dpkg -i "/srv/$1" >/srv/said 2>&1; then echo "there was room"; exit 1; fi
grep -q "No space left" /srv/said
diff -r /srv/as-installed /usr/lib/petstore-desktop
petstore-desktop --version
rm -r /srv/as-installed
"""


@dataclass(frozen=True, slots=True)
class Versions:
    """The package as it is made, the same packed anew, a newer one, and one between them of which nothing can run."""

    made: Path
    same: Path
    newer: Path
    broken: Path


def proves(root: Root, versions: Versions, chance: random.Random) -> None:
    """Raise AssertionError for what does not hold in one root."""
    deb, newer, broken = versions.made, versions.newer, versions.broken

    def step(name: str, work: Callable[[], object]) -> None:
        begun = time.monotonic()
        work()
        say(f"packages: {root.suite}: {name}: {time.monotonic() - begun:.0f} s")

    root.run("! command -v python3")
    root.install(*FONTS, "libfontconfig1", "mount")
    root.bring(deb, versions.same, newer, broken)
    needs = root.run(f"{INSTALL} -s /srv/{deb.name} | sed -n 's/^Inst \\([^ ]*\\).*/\\1/p'")
    root.install(*(name for name in needs.split() if name != place.NAME))
    before = root.files()
    step("installed", lambda: root.run(f"{INSTALL} /srv/{deb.name}"))
    root.run("! command -v python3; petstore-desktop --version")
    step("demo shop (the tour)", lambda: root.run(TOUR, "/srv/tour"))
    step("own shop", lambda: root.run(OWN_SHOP))
    step("upgraded while it runs", lambda: upgraded_while_it_runs(root, newer, broken))
    step("killed while it is upgraded", lambda: killed(root, (versions.same, newer), chance))
    step("no room while it is upgraded", lambda: root.run(FULL, newer.name))
    root.run(KEPT)
    step("purged", lambda: root.run(f"apt-get -qq purge -y {place.NAME}"))
    assert root.files() == before, sorted(root.files() ^ before)[:20]
    kept = root.path / "srv/home/.local/share" / place.NAME
    assert list(kept.rglob("*.db")), "a person's data go with the program"


def upgraded_while_it_runs(root: Root, newer: Path, broken: Path) -> None:
    """The worst upgrade: no file of the program is what it was, and none of the new ones can be loaded. A tour goes on
    until it needs a new process."""
    running = root.start('petstore-desktop --demo --tour "$1"', "/srv/upgraded")
    time.sleep(15.0)
    root.run(f"dpkg -i /srv/{broken.name}")
    told, _ = running.communicate(timeout=600.0)
    assert running.returncode == 0 or "the demo shop ended" in told, told
    assert len(list((root.path / "srv/upgraded").glob("*.png"))) >= 70, told
    root.run(f"dpkg -i /srv/{newer.name} && petstore-desktop --version")
    root.run(KEPT)


def killed(root: Root, versions: tuple[Path, Path], chance: random.Random) -> None:
    """Kill dpkg hard at some moment of an upgrade: to install it again mends it, and nothing that is kept is lost."""
    for number in range(KILLS):
        deb = versions[number % 2]
        wait = chance.uniform(0.05, 3.0)
        root.run(f"timeout -s KILL {wait:.2f} dpkg -i /srv/{deb.name} || true")
        root.run(f"dpkg --configure -a || true; dpkg -i /srv/{deb.name}; petstore-desktop --version")
        root.run(KEPT)
        root.run("! find /usr/lib/petstore-desktop -name '*.dpkg-*' | grep .")


def variant(deb: Path, version: str, folder: Path, change: Callable[[Path], None]) -> Path:
    """Make another version of the package, with changes in its files."""
    root = folder / version
    subprocess.run(["dpkg-deb", "-R", deb, root], check=True)
    control = root / "DEBIAN" / "control"
    text = control.read_text("utf-8").replace(f"Version: {package.debian_version()}", f"Version: {version}")
    control.write_text(text, "utf-8")
    change(root / "usr/lib" / place.NAME)
    (root / "DEBIAN" / "md5sums").unlink()
    made = folder / f"{place.NAME}_{version}_{package.architecture()}.deb"
    said("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, made)
    shutil.rmtree(root)
    return made


def renewed(own: Path) -> None:
    """A newer version that runs, with a file more."""
    (own / "_internal" / "new-in-this-version").write_text("x")


def spoilt(own: Path) -> None:
    """A newer version of which nothing can be loaded."""
    for file in own.rglob("*"):
        loaded = ".so" in file.name or file.suffix == ".zip" or file.parent == own
        if loaded and file.is_file() and not file.is_symlink():
            file.write_bytes(b"#!/bin/sh\nexit 1\n" + b"nothing of use " * 1000)


def from_a_repository(root: Root, folder: Path) -> None:
    """Install and upgrade from a signed repository; one that was tampered with is refused."""
    home = folder / "gnupg"
    home.mkdir(mode=0o700)
    os.environ |= {"GNUPGHOME": str(home), repository.KEY: "packages@petstore-desktop.example"}
    options = ["--batch", "--passphrase", "", "--pinentry-mode", "loopback"]
    subprocess.run(["gpg", "--quiet", *options, "--quick-gen-key", os.environ[repository.KEY]], check=True)
    repository.make()
    served = root.path / "srv/repository"
    shutil.rmtree(served, ignore_errors=True)
    shutil.copytree(repository.REPOSITORY, served)
    shutil.copy(served / f"{place.NAME}.gpg", root.path / "usr/share/keyrings")
    source = (served / f"{place.NAME}.sources").read_text("utf-8")
    listed = root.path / f"etc/apt/sources.list.d/{place.NAME}.sources"
    listed.write_text(source.replace(f"{place.HOMEPAGE}apt", "file:/srv/repository"), "utf-8")
    root.run(f"apt-get -qq update && {INSTALL} {place.NAME} && petstore-desktop --version")
    lists = next((served / "dists").rglob("Packages"))
    lists.write_text(lists.read_text("utf-8").replace("Priority: optional", "Priority: required"), "utf-8")
    for other in lists.parent.glob("Packages.*"):
        other.unlink()
    root.run("rm -rf /var/lib/apt/lists/*; apt-get update -o APT::Update::Error-Mode=any", fails=True)
    say(f"packages: {root.suite}: from a repository, and not from one that was tampered with")


def main(argv: list[str]) -> int:
    """Run it; the exit code."""
    run = run_from(argv, "packages")
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking or os.geteuid() != 0:  # house: platform - roots are made as root, and only on Linux
        say(f"packages: not run: it needs root and {', '.join(lacking or TOOLS)}")
        return NOT_RUN
    if not run.full and run.ends - time.monotonic() < LEAST_S:
        say("packages: not run: it takes ten minutes; dev.py long packages --full")
        return NOT_RUN
    return _proved(run)


def _proved(run: Run) -> int:
    same_twice()
    if not package.package().is_file():
        building = (sys.executable, place.PACKAGING / "building.py")
        subprocess.run([*building, "wheel", "bundle", "archive", "deb"], check=True)
    chance = random.Random(run.seed)
    deb = package.package()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lint(deb)
        gates_catch(folder)
        wheels_work(folder)
        older, newer, spoilt_one = f"{place.version()}-0.9", f"{place.version()}-2", f"{place.version()}-1.1"
        versions = Versions(
            deb,
            variant(deb, older, folder, lambda _: None),
            variant(deb, newer, folder, renewed),
            variant(deb, spoilt_one, folder, spoilt),
        )
        for suite in SUITES:
            root = Root(suite, place.BUILD / "roots")
            proves(root, versions, chance)
            from_a_repository(root, folder)
            root.remove()
            shutil.rmtree(folder / "gnupg")
    size = contents.size(deb)
    say(f"packages: all held; {deb.name} has {size / contents.MIB:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
