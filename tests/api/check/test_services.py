"""A check before connecting at each service that speaks in a way that people know: with its keys and the values that
its document leaves open nothing is wrong with it, and it was asked for nothing that it does not offer."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.checks import About
from petstore_desktop.session.checking import Checking, Wanted
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.service import Service


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=str)
def test_a_service_is_found_right(scenario: Scenario, tmp_path: Path) -> None:
    with Service(scenario).served() as service:
        wanted = Wanted(service.url, service.key, bindings=service.bindings, further=service.further)
        found = Checking(Places(tmp_path), wanted, SystemClock()).run()
        wrong = {check.about for check in found.report.checks if check.ok is False}
        assert wrong <= {About.LIMITS}  # some say nothing of them
        assert found.learnt is not None
        assert found.learnt.contract.missing_values == ()
        assert {sent.method for sent in found.sent} == {"GET"}
        assert service.complaints == []
