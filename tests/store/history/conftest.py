from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.history.past_bench import PastBench


@pytest.fixture
def bench(tmp_path: Path) -> PastBench:
    return PastBench(tmp_path)
