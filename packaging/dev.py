"""The developer's one command: python3 packaging/dev.py COMMAND

  setup              make .venv, with every package pinned by version and hash, and install what the system lacks
  run [ARGS]         open the program on the demo shop; ARGS go to the program
                     (without a screen and without ARGS it writes the tour's pictures to tour/)
  test [PYTEST ARGS] run the tests
  second             run those of broken connections with another build of this Python, where there is one
  check              lint, format, types, imports, house rules and translations
  translations       collect the texts, bring the languages' files up to date, check and compile them
  pictures [LANGUAGE...]
                     make the pictures of the manual anew, out of those of the tour
  bench NAME [--json] [--busy]
                     measure one thing against its goal, with --busy beside a core that computes all the time
  build [STEP...]    make what people install, in dist/: a folder and packages that need no Python, wheel and source
  long [NAME] [--minutes M] [--full]
                     what takes longer than a test may; sampled within M minutes (20), or --full
  windows [tests|quick|tour|installer] [PYTEST ARGS]
                     run the program on Windows, as Wine plays it on Debian: its first start and the tests, a quick part
                     of them, the tour in its window, or what its installer installs
  release COMMAND    cut a version, list what is in a bundle, licences, checksums, signatures, installers
                     (packaging/RELEASING.md; `release --help` names the commands)

Every command first sets up what it needs. Standard library only; Python 3.11 or later.
To take newer packages, change pyproject.toml where needed and run: .venv/bin/python packaging/pin.py
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import machine
import translations as languages

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed-pins.txt"
"""A line for each set of pins that is installed: its fingerprint."""
PINS = ROOT / "packaging" / "pins"
RUNNING = (PINS / "runtime.txt", PINS / "install.txt")
"""What running the program takes."""
WORKING = (*RUNNING, PINS / "dev.txt")
"""The same with the tools of tests, checks and builds."""
OLDEST = (3, 11)
TRANSLATIONS = ROOT / "packaging" / "translations.py"


def setup(pins: tuple[Path, ...] = WORKING) -> None:
    """Make the virtual environment and install these pins in it; immediate when nothing changed since.

    An environment behind a link belongs to somebody else: it is used as it is, never cleared or changed. Raises
    SetupError where the machine lacks something that cannot be installed from here.
    """
    wanted = {fingerprint(some) for some in (RUNNING, pins)}
    found = set(STAMP.read_text("utf-8").splitlines()) if STAMP.is_file() else set[str]()
    if wanted <= found and python_works():
        return
    if VENV.is_symlink():
        if not python_works():
            raise machine.SetupError(f"{VENV.name} is a link to {VENV.readlink()}, where no Python works: remove it")
        machine.say(f"{VENV.name} is a link: its packages are used as they are")
        return
    machine.ensure_system_packages(tools=pins == WORKING)
    moved = any(not line.endswith(f" {ROOT}") for line in found)
    if moved or not python_works():
        machine.say(f"Making {VENV.name}")
        must([sys.executable, "-m", "venv", "--clear", str(VENV)])
    machine.say("Installing the pinned packages" + (" and the tools of tests and checks" if pins == WORKING else ""))
    pip = [str(python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    must([*pip, "--no-compile", "--require-hashes", "--only-binary", ":all:", *(f"-r{file}" for file in pins)])
    must([*pip, "--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)])
    STAMP.write_text("".join(f"{line}\n" for line in sorted(wanted)), "utf-8")


def fingerprint(pins: tuple[Path, ...]) -> str:
    """Return what an environment with these pins is made from: a hash of them and the project's metadata, and the
    place."""
    digest = hashlib.sha256()
    for file in (*pins, ROOT / "pyproject.toml", ROOT / "petstore_desktop" / "__init__.py"):  # the last has the version
        digest.update(file.read_bytes())
    return f"{digest.hexdigest()} {ROOT}"


def python() -> Path:
    """Return the environment's own interpreter."""
    return machine.venv_program(VENV, "python")


def python_works() -> bool:
    """Say whether the environment's interpreter is there, starts, is recent enough and has pip."""
    if not python().exists():
        return False
    ask = [str(python()), "-c", f"import pip, sys; sys.exit(sys.version_info < {OLDEST})"]
    return subprocess.run(ask, check=False, capture_output=True).returncode == 0


def must(command: list[str]) -> None:
    """Run a command of the setup; raises SetupError if it fails."""
    if code := subprocess.run(command, check=False, cwd=ROOT).returncode:
        raise machine.SetupError(f"this failed with exit code {code}: {' '.join(command)}")


def call(*command: str | Path, env: dict[str, str] | None = None) -> int:
    """Run a command in the checkout and return its exit code; Ctrl+C is the child's to answer."""
    process = subprocess.Popen([str(part) for part in command], cwd=ROOT, env=env)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def run(args: list[str]) -> int:
    """Open the program on the demo shop."""
    if not args and not machine.has_screen():
        machine.say("There is no screen: writing the tour's pictures to tour/")
        args = ["--plan", "free", "--tour", "tour"]
    return call(python(), "-m", "petstore_desktop", "--demo", *args)


def test(args: list[str]) -> int:
    """Run the tests: all of them in as many processes as there are cores, or what pytest is told here."""
    spread = ["-n", str(machine.workers()), "--dist", "loadfile"]
    env = {name: said for name, said in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # compiled but once
    return call(python(), "-m", "pytest", *(args or spread), env=env)


BROKEN = ("tests/api/http", "tests/api/test_client_faults.py", "tests/commands/test_doctor_tls.py")
"""The tests of TLS and of connections that break off: there two builds of one Python raise different errors."""
BUILD = """
import sys, sysconfig
print(sysconfig.get_config_var("SOABI"), sysconfig.get_path("purelib"), sys.version, sep="\\n")
"""


def second(_: list[str]) -> int:
    """Run the tests of broken connections with another build of this Python, on the environment's packages; say so
    where there is none."""
    kind, packages, build = build_of(python())
    names = ("python3", f"python3.{sys.version_info.minor}")
    found = [Path(folder) / name for folder in os.get_exec_path() for name in names]
    for other in filter(Path.is_file, found):
        its_kind, *_others, its_build = build_of(other)
        if its_kind == kind and its_build != build:
            print(f"second: Python {its_build}", flush=True)
            return call(other, "-m", "pytest", "-q", *BROKEN, env={**os.environ, "PYTHONPATH": packages})
    print(f"second: not run: no other build of Python 3.{sys.version_info.minor} here")
    return 0


def build_of(interpreter: Path) -> tuple[str, str, str]:
    """Return which compiled packages an interpreter takes, where its packages are, and which build it is."""
    said = subprocess.run([str(interpreter), "-c", BUILD], check=False, capture_output=True, text=True).stdout
    lines = [*said.splitlines(), "", "", ""]
    return lines[0], lines[1], lines[2]


def check(_: list[str]) -> int:
    """Run every check to its end, then say which failed."""
    imports = (machine.venv_program(VENV, "lint-imports"), "--no-logo", "--no-cache")
    steps: dict[str, tuple[str | Path, ...]] = {
        "lint": (machine.venv_program(VENV, "ruff"), "check"),
        "format": (machine.venv_program(VENV, "ruff"), "format", "--check"),
        "types": (machine.venv_program(VENV, "basedpyright"),),
        "imports": (*imports,),
        "rooms": (*imports, "--config", ROOT / "packaging" / "rooms.toml"),
        "house rules": (python(), ROOT / "packaging" / "house_rules.py", ROOT),
        "translations": (python(), TRANSLATIONS, "--check"),
    }
    failed: list[str] = []
    for name, command in steps.items():
        print(f"== {name}", flush=True)
        if call(*command):
            failed.append(name)
    print(f"check failed: {', '.join(failed)}" if failed else "check passed")
    return int(bool(failed))


def translations(options: list[str]) -> int:
    """Bring the languages up to date with the texts of the program; 1 where one says a text wrongly, with --release
    where one lacks a text too."""
    return call(python(), TRANSLATIONS, *options)


def pictures(languages: list[str]) -> int:
    """Make the pictures of the manual anew, in these languages or in all."""
    return call(python(), ROOT / "packaging" / "manual_pictures.py", *languages)


def bench(args: list[str]) -> int:
    """Run one benchmark; its exit code says whether every goal holds."""
    folder = ROOT / "tests" / "bench"
    names = sorted(file.stem for file in folder.glob("[a-z]*.py"))
    if not args or args[0] not in names:
        print(f"bench takes one of: {', '.join(names) or 'none yet'}", file=sys.stderr)
        return 2
    env = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    return call(python(), "-m", f"tests.bench.{args[0]}", *args[1:], env=env)


def build(args: list[str]) -> int:
    """Make what people install, or the named steps of that; 1 where one fails."""
    return call(python(), ROOT / "packaging" / "building.py", *args)


LONG_MINUTES = 20.0
NOT_RUN = 77
"""The exit code of a long run for which this machine lacks something (tests/long/_running.py)."""


def long(args: list[str]) -> int:
    """Run one of the long proofs, or all of them, which then share the minutes; 1 if any fails, or none could be run.

    One for which this machine lacks something is named as not run. What this does not know, it passes on to the one
    that is named.
    """
    folder = ROOT / "tests" / "long"
    names = sorted(file.stem for file in folder.glob("[a-z]*.py"))
    parser = argparse.ArgumentParser(prog="dev.py long")
    parser.add_argument("name", nargs="?", choices=names, help="one of them; all of them without it")
    parser.add_argument("--minutes", type=float, default=LONG_MINUTES, help="how long a sampled run takes (20)")
    parser.add_argument("--full", action="store_true", help="the whole count, however long it takes")
    parser.add_argument("--seed", type=int, help="repeat a run that printed this seed")
    options, also = parser.parse_known_args(args)
    if also and options.name is None:
        parser.error(f"not known: {' '.join(also)}")
    chosen = names if options.name is None else [options.name]
    minutes = f"{options.minutes / len(chosen):g}"
    rest = ["--full"] if options.full else []
    rest += [] if options.seed is None else ["--seed", str(options.seed)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "packaging")}
    ended = {
        name: call(python(), "-m", f"tests.long.{name}", "--minutes", minutes, *rest, *also, env=env) for name in chosen
    }
    failed = [name for name, code in ended.items() if code not in (0, NOT_RUN)]
    left_out = [name for name, code in ended.items() if code == NOT_RUN]
    passed = "long passed" if left_out != chosen else "long: nothing was proved"
    said = f"long failed: {', '.join(failed)}" if failed else passed
    print(f"{said}; not run: {', '.join(left_out)}" if left_out else said)
    return int(bool(failed) or left_out == chosen)


def release(args: list[str]) -> int:
    """Run one of the commands of packaging/release."""
    env = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "PYTHONPATH": str(ROOT / "packaging")}
    return call(python(), "-m", "release", *args, env=env)


def windows(args: list[str]) -> int:
    """Run the program, its tests or its installer on Windows, as Wine plays it."""
    return call(python(), "-m", "windows", *args, env={**os.environ, "PYTHONPATH": str(ROOT / "packaging")})


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "setup": lambda _: 0,
    "run": run,
    "test": test,
    "second": second,
    "check": check,
    "translations": translations,
    "pictures": pictures,
    "bench": bench,
    "build": build,
    "long": long,
    "windows": windows,
    "release": release,
}


def main(argv: list[str]) -> int:
    """Return the exit code: that of the command, 1 where the setup failed, 2 for wrong usage."""
    if argv and argv[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if not argv or argv[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        print(f"Python {OLDEST[0]}.{OLDEST[1]} or later is needed, this is {sys.version.split()[0]}", file=sys.stderr)
        return 1
    try:
        setup(RUNNING if argv[0] == "run" else WORKING)
        languages.compile_all()
    except machine.SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return COMMANDS[argv[0]](argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
