"""The pets that a check shows have their categories by name, where the service tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.checks_said import English
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.check_words import cells, titles
from petstore_desktop.domain.records import Resource
from petstore_desktop.session.checking import Checking, Wanted
from tests.support.services.families import FAMILIES
from tests.support.services.named import SCENARIOS
from tests.support.services.service import Service


@pytest.mark.parametrize("name", ["petstore-3", "petclinic", "rails", "mongo", "json-api", "spring"])
def test_a_category_is_shown_by_its_name(name: str, tmp_path: Path) -> None:
    with Service(SCENARIOS[name]).served() as service:
        report = Checking(Places(tmp_path), Wanted(service.url, service.key), SystemClock()).run().report
        sample, texts = report.sample, English()
        place = titles(texts).index("Category")
        shown = {cells(pet, texts, sample.categories)[place] for pet in sample.pets}
        assert shown
        assert shown <= {"Dogs", "Cats", "Rabbits", "Lions"}
        assert service.complaints == []


def test_where_no_name_is_told_the_id_stands(tmp_path: Path) -> None:
    with Service(SCENARIOS["django"]).served() as service:
        sample = Checking(Places(tmp_path), Wanted(service.url, service.key), SystemClock()).run().report.sample
        assert sample.categories == {}
        assert cells(sample.pets[0], English(), sample.categories)[2] == sample.pets[0].category_id


def test_a_field_that_a_profile_has_elsewhere_than_the_service_is_told(tmp_path: Path) -> None:
    """Pets without a category looked as if they had none."""
    with Service(FAMILIES["rails"]).served() as service:
        wanted = Wanted(service.url, service.key, "fastapi")
        sample = Checking(Places(tmp_path), wanted, SystemClock()).run().report.sample
        assert sample.absent == {Resource.PETS: ("category_id",)}
        assert "category_id" in sample.unused[Resource.PETS]
