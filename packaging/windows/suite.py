"""The tests that this Windows can run, and what came of them: how many passed, and which cannot hold there and why."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from windows import place
from windows.setting import Setting

WHOLE = (
    "tests/domain", "tests/desk", "tests/contract", "tests/exchange", "tests/store", "tests/sync", "tests/shop",
    "tests/api", "tests/session", "tests/commands", "tests/adapters", "tests/demo", "tests/test_*.py", "tests/ui",
)  # fmt: skip
"""Everything but the house's own rules and what is shipped, the long proofs and the benches."""
QUICK = (
    "tests/test_platform_support.py", "tests/test_held_files.py", "tests/test_instance.py", "tests/test_preferences.py",
    "tests/test_credentials.py", "tests/desk/values", "tests/exchange/test_names.py",
    "tests/exchange/test_records_file.py", "tests/store/sqlite/test_database.py",
    "tests/store/sqlite/test_wal_check.py", "tests/store/journal/test_journal.py",
    "tests/contract/document/test_local_file.py",
)  # fmt: skip
"""What differs between systems, without what races."""
FEW_RED = "--maxfail=3"
"""Where something hangs, the quick part does not wait for each."""
REPORT = "windows-tests.xml"
HANGS_S = 300
RESTARTS = 50


def run(setting: Setting, args: list[str]) -> int:
    """Run the tests that are named, all without a name; say what came of them, and return pytest's exit code."""
    named = args or [str(found) for one in WHOLE for found in expand(setting.checkout, one)]
    report = setting.checkout / REPORT
    # A worker that is lost, because a test hangs or ends it, is followed by another.
    workers = ("-n", "1", "--max-worker-restart", str(RESTARTS), "--timeout", str(HANGS_S))
    code = setting.run(
        "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", *workers, f"--junitxml={REPORT}", *named, CI="true"
    )
    if report.is_file():
        print("\n".join(summary(report)), flush=True)
        report.unlink()
    return code


def files(pattern: str) -> list[Path]:
    """Return the files of tests below what a pattern of WHOLE names, from the root of the checkout."""
    found = (file for one in place.ROOT.glob(pattern) for file in (one.rglob("test_*.py") if one.is_dir() else [one]))
    return sorted(file.relative_to(place.ROOT) for file in found)


def expand(checkout: Path, pattern: str) -> list[Path]:
    """Return the paths that a pattern stands for: no shell is asked there."""
    return sorted(found.relative_to(checkout) for found in checkout.glob(pattern))


def summary(report: Path) -> list[str]:
    """Return how many cases passed, and the reasons of those that were expected to fail, each with their number."""
    marked, other = Counter[str](), Counter[str]()
    for case in ET.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        if skipped is not None and skipped.get("type") == "pytest.xfail":
            marked[(skipped.get("message") or "").replace("[NOTRUN] ", "")] += 1
        else:
            other["failed" if len(case) and {"failure", "error"} & {one.tag for one in case} else "passed"] += 1
    reasons = [f"  {count:4} {reason}" for reason, count in sorted(marked.items())]
    return [
        f"windows: {other['passed']} passed, {other['failed']} failed, {sum(marked.values())} cannot hold here:",
        *reasons,
    ]
