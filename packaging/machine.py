"""What the machine brings and lacks: the system packages, the screen, the paths inside a virtual environment.

The one place of packaging/ that knows one operating system from another. Standard library only.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# What importing Qt and painting without a screen need; libgssapi because a Python that is not Debian's lacks it.
ESSENTIAL = (
    "libglib2.0-0",
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfreetype6",
    "libfontconfig1",
    "libdbus-1-3",
    "libbrotli1",
    "libgssapi-krb5-2",
)
# A real window.
WINDOW = ("libxkbcommon-x11-0", "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0")
# Names in several scripts and with emoji.
FONTS = ("fonts-noto-core", "fonts-noto-color-emoji")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
# For tests a screen where there is none, a real keyring, what a screen reader listens to, other makers of signatures
# and of installers for Windows.
TOOLS = (
    "xvfb",
    "gnome-keyring",
    "dbus-daemon",
    "at-spi2-core",
    "openbox",
    "libxtst6",
    "minisign",
    "nsis",
)
# What plays Windows, checks the signatures of its programs, makes what it lacks, and takes pictures of it.
WINDOWS = (
    "mmdebstrap",
    "osslsigncode",
    "gcc-mingw-w64-x86-64-win32",
    "xvfb",
    "imagemagick",
    "fonts-dejavu-core",
    *FONTS,
)


class SetupError(Exception):
    """The machine lacks something that only its owner can bring; the message says what and how."""


def say(text: str) -> None:
    """Tell the person what is going on; on stderr, because stdout is the command's own."""
    print(text, file=sys.stderr, flush=True)


def ensure_system_packages(*, tools: bool) -> None:
    """Install what is missing on Debian as root; elsewhere say what is needed. `tools`: what tests, checks and builds
    use too.

    Raises SetupError where nothing can work without a package that is missing.
    """
    if sys.platform != "linux" or not is_debian():
        say(f"System packages: {needed_elsewhere()}")
        return
    missing = missing_packages(tools=tools)
    if not missing:
        return
    if os.geteuid() == 0:
        _install(missing)
        return
    said = f"System packages are missing. Run: sudo apt-get install -y --no-install-recommends {' '.join(missing)}"
    if any(name in ESSENTIAL or name == "python3-venv" for name in missing):
        raise SetupError(said)
    say(f"{said}\nGoing on without them: a window, emoji, or tests of keyrings and screen readers may not work.")


def _install(packages: list[str]) -> None:
    """Install packages of Debian's, as root. Raises SetupError."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    say(f"Installing system packages: {' '.join(packages)}")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=False, env=env)
    if subprocess.run([command[0], "-qq", *command[1:]], check=False, env=env, stdout=subprocess.DEVNULL).returncode:
        raise SetupError(f"apt-get could not install them; try: {' '.join(command)}")


def ensure_packages(*wanted: str) -> None:
    """Install what is missing of these packages on Debian as root. Raises SetupError where one cannot be had."""
    if not is_debian():
        raise SetupError(f"this can be made on Debian only: it needs {', '.join(wanted)}")
    missing = not_installed(wanted)
    if missing and os.geteuid() == 0:
        _install(missing)
    elif missing:
        raise SetupError(f"Packages are missing. Run: sudo apt-get install {' '.join(missing)}")


def is_debian(release: Path = Path("/etc/os-release")) -> bool:
    """Say whether this is Debian or one of its kin; `release` is the file that os-release(5) describes."""
    if not release.is_file() or not shutil.which("dpkg-query"):
        return False
    pairs = (line.partition("=") for line in release.read_text("utf-8").splitlines())
    about = {key: value.strip('"') for key, _, value in pairs}
    return "debian" in (about.get("ID", ""), *about.get("ID_LIKE", "").split())


def missing_packages(*, tools: bool) -> list[str]:
    """Return the names of Debian packages that are needed and not installed. A machine that has any font runs the
    program without ours."""
    wanted = [*ESSENTIAL, *WINDOW, *(FONTS if tools or not has_fonts() else ()), *(TOOLS if tools else ())]
    if importlib.util.find_spec("ensurepip") is None:
        wanted.insert(0, "python3-venv")
    return not_installed(wanted)


def has_fonts() -> bool:
    """Say whether fontconfig finds any font."""
    return any(any(Path(folder).expanduser().rglob("*.[ot]t[fc]")) for folder in FONT_FOLDERS)


def not_installed(wanted: Iterable[str]) -> list[str]:
    """Return those of these packages of Debian's that are not installed."""
    ask = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\n"]
    said = subprocess.run(ask, check=False, capture_output=True, text=True).stdout
    installed = {line.partition(" ")[2] for line in said.splitlines() if line.startswith("installed ")}
    # Debian 13 renamed the libraries whose time_t grew: libglib2.0-0 is libglib2.0-0t64 there.
    return [name for name in wanted if name not in installed and f"{name}t64" not in installed]


def needed_elsewhere() -> str:
    """Say in words what a machine that is not Debian needs."""
    if sys.platform == "win32":
        return "none. Windows 10 (1809) or later and Python 3.11 or later are enough."
    if sys.platform == "darwin":
        return "none. macOS 13 or later and Python 3.11 or later are enough."
    return (
        "Qt needs glib, OpenGL and EGL, xkbcommon, fontconfig, freetype and D-Bus libraries, and for a window "
        "xkbcommon-x11 and the xcb cursor, icccm, keysyms and shape libraries; the pictures need Noto fonts with emoji."
    )


def has_screen() -> bool:
    """Say whether a window can be shown."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def venv_program(venv: Path, name: str) -> Path:
    """Return the path of a program inside a virtual environment."""
    return venv / "Scripts" / f"{name}.exe" if sys.platform == "win32" else venv / "bin" / name


def workers() -> int:
    """Return how many test processes are worth it here: one for each usable core, and one more, for part of the time
    is spent waiting; at most six: each collects all tests for itself, which takes ten seconds."""
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(usable + 1, 6)
