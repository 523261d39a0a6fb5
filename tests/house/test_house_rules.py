"""Every house rule catches what is planted for it; that all hold in the checkout is judged by `dev.py check`."""

from __future__ import annotations

from pathlib import Path

import pytest

import house_imports
import house_rules
from petstore_desktop.domain.records import FieldKind, Resource
from tests.house.trees import plant

SHORT = 'def short() -> None:\n    """Says.' + "\n" * 9 + '"""\n' + "    x = 1\n" * 30
UI = "petstore_desktop/ui/thing.py"
MEMBERS = house_rules.MEMBERS["Resource"]

# rule, file, text: each must be found exactly where "!" says (the mark is taken out), and nowhere else.
PLANTED: list[tuple[str, str, str]] = [
    ("signal-type", UI, "changed = Signal(int)\n"),
    ("signal-type", UI, "changed = QtCore.Signal(str, dict)\n"),
    ("signal-type", UI, 'changed = Signal("list")\n'),
    ("number-widget", UI, "box = QtWidgets.QSpinBox()\n"),
    ("number-widget", UI, "check = QIntValidator(0, 5)\n"),
    ("screen", UI, "room = self.window().screen().availableGeometry()\n"),
    ("rich-text", UI, 'view.setHtml("<b>x</b>")\n'),
    ("rich-text", UI, "label.setTextFormat(Qt.TextFormat.RichText)\n"),
    ("platform", "petstore_desktop/instance.py", "import fcntl\n"),
    ("platform", "petstore_desktop/instance.py", "from fcntl import flock\n"),
    ("platform", "tests/test_kill.py", "os.kill(1, signal.SIGKILL)\n"),
    ("platform", "petstore_desktop/instance.py", 'print("a" + os.sep + "b")\n'),
    ("file", "petstore_desktop/store/x.py", "content = path.read_bytes()\n"),
    ("file", "petstore_desktop/store/x.py", 'with path.open("rb") as file:\n    pass\n'),
    ("file", "petstore_desktop/store/x.py", "file = open(name)\n"),
    ("held", "petstore_desktop/store/x.py", "path.replace(target)\n"),
    ("held", "petstore_desktop/store/x.py", "os.remove(path)\n"),
    ("held", "petstore_desktop/store/x.py", "os.replace(path, target)\n"),
    ("held", "petstore_desktop/store/x.py", "shutil.rmtree(folder)\n"),
    ("held", "petstore_desktop/store/x.py", "with TemporaryDirectory(dir=folder) as scratch:\n    pass\n"),
    ("skip", "tests/x.py", "mark = pytest.mark.skip" + "if(os.name != 'posix', reason='rights')\n"),
    ("held", "petstore_desktop/store/x.py", "path.unlink(missing_ok=True)\n"),
    ("mock", "tests/test_mocked.py", "from unittest.mock import MagicMock\n"),
    ("thread", UI, "threading.Thread(target=f, daemon=True).start()\n"),
    ("thread", "petstore_desktop/app.py", "atexit.register(f)\n"),
    ("thread", "petstore_desktop/sync/x.py", "asyncio.create_task(f())\n"),
    ("thread", "petstore_desktop/session/session.py", "asyncio.run(f())\n"),
    ("garbage", "petstore_desktop/session/session.py", "import gc\n"),
    ("machine-path", "README.md", "See /" + "work/main/x\n"),
    ("machine-path", UI, 'PATH = "C:\\\\' + 'Users\\\\me"\n'),
    ("registry-host", "packaging/pins/dev.txt", "--index-url https://py" + "pi.org/simple\n"),
    ("suppression", UI, "x = f()  # type: " + "ignore[call-arg]\n"),
    ("suppression", UI, "x = f()  # " + "noqa: E501, PTH100\n"),
    ("whole-table", UI, 'X = {Resource.PETS: "p", Resource.ORDERS: "o"}\n'),
    ("whole-table", UI, '_A, _B = Resource.PETS, Resource.ORDERS\nX = {_A: "p", _B: "o", Resource.INVENTORY: "i"}\n'),
    ("whole-table", UI, 'X = {records.FieldKind.ID: "p", records.FieldKind.TEXT: "o"}\n'),
    ("syntax", UI, "def half(:\n"),
    ("import", UI, "import httpx\n"),
    ("import", UI, "from petstore_desktop import store\n"),
    ("import", UI, "from petstore_desktop.sync.runner import Runner\n"),
    ("import", "petstore_desktop/desk/rows.py", "if TYPE_CHECKING:\n    from PySide6.QtCore import Qt\n"),
    ("import", "petstore_desktop/api/client.py", "def later():\n    import pydantic\n"),
    ("import", "petstore_desktop/sync/send/next_step.py", 'keys = importlib.import_module("keyring.backends")\n'),
    ("import", "petstore_desktop/session/session.py", "import apsw\n"),
    ("import", "petstore_desktop/demo/shop.py", "from petstore_desktop.domain import records\n"),
    ("import", "petstore_desktop/adapters/shop.py", "from petstore_desktop.demo.command import main\n"),
]

HARMLESS: dict[str, str] = {
    "petstore_desktop/ui/bridge.py": "from PySide6.QtCore import Signal\nwoken = Signal(object)\nsaid = Signal()\n",
    "petstore_desktop/ui/x.py": "from petstore_desktop.desk.rows import Rows\nimport petstore_desktop.domain\n",
    "petstore_desktop/platform_support.py": "import fcntl\n",
    "petstore_desktop/api/wire.py": "import pydantic\n",
    "petstore_desktop/store/mirror.py": "import apsw\n",
    "petstore_desktop/cli.py": "def shop():\n    from petstore_desktop.demo.command import main\n",
    "petstore_desktop/ui/y.py": "x = f()  # type: " + "ignore[call-arg] - the stub leaves out the second form\n",
    "petstore_desktop/ui/z.py": "w.setHtml(x)  # house: rich-text - the licence texts, ours alone\n",
    "petstore_desktop/ui/w.py": SHORT,
    "petstore_desktop/ui/v.py": 'X = {one: "" for one in Resource}\nY = {Resource.PETS: 1}\nZ = {**X, **Y}\n',
    "petstore_desktop/ui/u.py": f"X = {{{', '.join(f'Resource.{one}: 1' for one in MEMBERS)}}}\n",
    "petstore_desktop/ui/t.py": "X = {Resource.PETS: 1, Resource.ORDERS: 2}  # house: whole-table - others have none\n",
    "README.md": "https://shop.example/home/pets and `~/.local/share`\n",
}


@pytest.mark.parametrize(("rule", "file", "text"), PLANTED)
def test_a_planted_violation_is_found(rule: str, file: str, text: str, tmp_path: Path) -> None:
    found = house_rules.findings(plant(tmp_path, {file: text}))
    assert [line.split(": ")[1] for line in found] == [rule], found


def test_a_table_is_whole_by_the_members_that_there_are() -> None:
    for kind in (Resource, FieldKind):
        assert house_rules.MEMBERS[kind.__name__] == set(kind.__members__)


def test_every_rule_has_a_planted_violation() -> None:
    assert {rule for rule, _, _ in PLANTED} == {*house_rules.RULES, "syntax"}


@pytest.mark.parametrize("file", sorted(HARMLESS))
def test_what_the_rules_allow_is_let_through(file: str, tmp_path: Path) -> None:
    assert house_rules.findings(plant(tmp_path, {file: HARMLESS[file]})) == []


@pytest.mark.parametrize("library", sorted(house_imports.OWNERS))
def test_a_library_is_imported_by_its_owner_only(library: str, tmp_path: Path) -> None:
    found = house_rules.findings(plant(tmp_path, {"petstore_desktop/domain/pure.py": f"import {library}\n"}))
    assert len(found) == 1, found


def test_the_check_prints_each_finding_and_fails_where_there_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "class Kind: ...\n"
    tree = plant(
        tmp_path, {"petstore_desktop/desk/a.py": said, "petstore_desktop/desk/b.py": said, UI: "import httpx\n"}
    )
    assert house_rules.main([str(tree)]) == 1
    found = capsys.readouterr().out.splitlines()
    assert found[0].startswith(f"{UI}:1: import: ")
    assert found[1].startswith("class names that stand twice: Kind: ")
    assert found[-1] == "2 findings"
    for name in (UI, "petstore_desktop/desk/b.py"):
        (tree / name).unlink()
    assert house_rules.main([str(tree)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 findings"
