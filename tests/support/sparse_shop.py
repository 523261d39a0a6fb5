"""A service that offers next to nothing, on a real socket: what it is given to answer, and 404 for all else.

with SparseShop({"GET /v1/pets/7": {"id": 7, "name": "Koi"}}) as shop:
    shop.url         # http://127.0.0.1:40123/v1
    shop.paths       # ["GET /v1/openapi.json", "GET /v1/pets/7", ...]
    shop.answers["GET /v1/store/orders"] = []
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.odd_service import Asked, OddService, Reply, error

KEY = "key-of-the-sparse-shop"


class SparseShop(OddService):
    """One such service. Without the key it answers 401. An answer that is an int is a status with an error."""

    def __init__(self, answers: Mapping[str, object]) -> None:
        super().__init__(self._reply)
        self.key = KEY
        self.answers: dict[str, object] = dict(answers)

    @property
    def paths(self) -> list[str]:
        """Method and path of each request so far, without the query."""
        return [f"{one.method} {one.path}" for one in self.asked]

    @property
    def keys(self) -> set[str]:
        """Every key that came."""
        return {one.headers.get("authorization", "") for one in self.asked}

    def _reply(self, asked: Asked) -> Reply:
        keyed = asked.headers.get("authorization") == f"Bearer {self.key}"
        answer = self.answers.get(f"{asked.method} {asked.path}", 404) if keyed else 401
        limits = (("X-RateLimit-Limit", "1000"), ("X-RateLimit-Remaining", str(1_000 - len(self.asked))))
        if isinstance(answer, int):
            return Reply(answer, error(answer, str(answer), "No.").body, limits)
        return Reply(200, answer, limits)
