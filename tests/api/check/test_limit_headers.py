"""What a check says of headers about limits that the program cannot reckon with."""

from __future__ import annotations

import httpx
import pytest

from petstore_desktop import log
from petstore_desktop.api.check.findings import Findings
from petstore_desktop.api.check.header_checks import judge_limits
from petstore_desktop.api.http.transport import Answer
from petstore_desktop.domain.checks import Check

KEY = "live_4f9a7c2e51d08b36"


@pytest.mark.parametrize("before", [0, 50, 55, 60])
def test_a_key_in_the_name_of_a_header_is_not_shown_where_the_text_is_cut_in_the_middle_of_it_either(
    before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_secrets", (KEY,))
    told: list[Check] = []
    headers = httpx.Headers({f"X-RateLimit-{'a' * before}-{KEY}": "soon"})
    judge_limits(Findings(told.append), Answer(200, headers, "https://shop.example/v1/pets"), 0.0, "")
    (check,) = told
    assert check.code == "limits-odd"
    assert "live" not in str(check.params["header"])
