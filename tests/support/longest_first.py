"""Which process plays which file of tests: whole files, the longest ones first, so that all processes end together.

How long a file takes is what it took the last time that files were dealt out (pytest's cache). Before that, those with
the most tests go first, as in pytest-xdist: by folders it could not be guessed better.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

KEPT = "petstore/seconds"
USUAL_S = 0.1
"""Of a test whose file was never played."""


class LongestFirst(LoadFileScheduling):
    """As `--dist loadfile`, in another order."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        self._cache = getattr(config, "cache", None)  # pytest may be told to keep nothing
        self._known: dict[str, float] = self._cache.get(KEPT, {}) if self._cache else {}
        self._took = Counter[str]()

    def schedule(self) -> None:
        first = self.collection is None
        super().schedule()
        if first:  # what no process has been given yet
            for file in sorted(self.workqueue, key=self._seconds, reverse=True):
                self.workqueue.move_to_end(file)

    def _seconds(self, file: str) -> float:
        return self._known.get(file, USUAL_S * len(self.workqueue[file]))

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        self._took[self._split_scope(self.registered_collections[node][item_index])] += duration
        super().mark_test_complete(node, item_index, duration)
        if self._cache and not self.has_pending:
            self._cache.set(KEPT, self._known | self._took)
