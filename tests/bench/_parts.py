"""What a start's time goes into: imports by whose they are, and the steps of the program without their imports."""

from __future__ import annotations

import builtins
import functools
import sys
import time
from collections.abc import Callable
from typing import Any

OURS = "petstore_desktop"


class Parts:
    """Exclusive times in seconds: each moment belongs to the innermost import or step that is under way."""

    def __init__(self) -> None:
        self._spent: dict[str, float] = {}
        self._stack: list[str] = ["rest"]
        self._since = time.perf_counter()

    def seconds(self, until: float) -> dict[str, float]:
        """Return what each part took; what is under way is counted until then."""
        self._turn(until)
        return dict(self._spent)

    def modules(self) -> int:
        """Return how many modules of ours are loaded."""
        return sum(name.partition(".")[0] == OURS for name in sys.modules)

    def _turn(self, now: float) -> None:
        part = self._stack[-1]
        self._spent[part] = self._spent.get(part, 0.0) + now - self._since
        self._since = now

    def _enter(self, part: str) -> None:
        self._turn(time.perf_counter())
        self._stack.append(part)

    def _leave(self) -> None:
        self._turn(time.perf_counter())
        self._stack.pop()

    def count_imports(self) -> None:
        """Count every import statement that loads something, from now on."""
        real = builtins.__import__

        def counted(name: str, *args: Any, **kwargs: Any) -> Any:
            if name in sys.modules and not (args[2:3] and args[2]):
                return real(name, *args, **kwargs)
            self._enter(_whose(name))
            try:
                return real(name, *args, **kwargs)
            finally:
                self._leave()

        builtins.__import__ = counted

    def follow(self) -> None:
        """Put the program's steps under the clock."""
        from petstore_desktop import app, instance, preferences

        self._load_qt(app)
        from petstore_desktop.desk import desk
        from petstore_desktop.session import session as assembly
        from petstore_desktop.ui.base import theme
        from petstore_desktop.ui.window import main_window

        self._step(instance.Instance, "__init__", "lock and settings")
        self._step(preferences.PreferenceStore, "load", "lock and settings")
        self._step(app, "make_application", "Qt application")
        self._step(theme.ThemeController, "__init__", "theme")
        self._step(assembly.Session, "__init__", "contract")
        self._step(assembly.Session, "first_screen", "first rows")
        self._step(desk.Desk, "begin", "first rows")
        self._step(main_window.MainWindow, "__init__", "window")
        real_show = main_window.MainWindow.show

        def show(window: Any) -> None:
            self._enter("show and paint")  # until the end: what comes after it is layout, polish and paint
            real_show(window)

        main_window.MainWindow.show = show

    def _load_qt(self, app: Any) -> None:
        """Load Qt where the program does it: before what needs it, and with its import hook taken out again."""
        import PySide6.QtWidgets  # noqa: F401  loaded is all that it shall be

        app.import_plainly()
        app.import_plainly = lambda: None  # it would take out ours
        self.count_imports()

    def _step(self, owner: Any, name: str, part: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        @functools.wraps(real)
        def timed(*args: Any, **kwargs: Any) -> Any:
            self._enter(part)
            try:
                return real(*args, **kwargs)
            finally:
                self._leave()

        setattr(owner, name, timed)


def _whose(name: str) -> str:
    top = name.partition(".")[0]
    if top == OURS:
        return "imports: ours"
    if top in ("PySide6", "shiboken6", "shibokensupport"):
        return "imports: Qt"
    return "imports: Python and others"
