"""The version stands in pyproject.toml, and every other place says the same."""

from __future__ import annotations

import re
import subprocess

import pytest

from deploy.containers import images
from deploy.release import version
from deploy.release.errors import ReleaseError
from deploy.release.version import PLACES, VERSION, versions_in, with_version
from deploy.services.process import ROOT


@pytest.mark.parametrize("name", PLACES)
def test_place__versions_in_it__are_the_one_of_the_project(name: str) -> None:
    assert set(versions_in((ROOT / name).read_text(), PLACES[name])) == {VERSION}


@pytest.mark.parametrize("name", PLACES)
def test_place__another_version_written__states_it_and_nothing_else_changed(name: str) -> None:
    text = (ROOT / name).read_text()
    changed = with_version(text, PLACES[name], "9.8.7")
    assert set(versions_in(changed, PLACES[name])) == {"9.8.7"}
    assert with_version(changed, PLACES[name], VERSION) == text


def test_compose_file__each_version__is_found() -> None:
    name = "docker-compose.yml"
    assert len(versions_in((ROOT / name).read_text(), PLACES[name])) == 2


def test_images_of_the_tests__tags__are_the_version() -> None:
    assert {images.CONSOLE, images.DEMO} == {f"hawser/console:{VERSION}", f"hawser/demo:{VERSION}"}


def test_tracked_files__a_version_of_hawser__stands_in_known_places_only() -> None:
    # A changelog names older versions, an example an old backup.
    stated = re.escape(VERSION)
    pattern = rf"hawser[^\n]{{0,40}}\b{stated}\b(?!-\d{{8}}T)|\bversion[\"']?\s*[:=]\s*[\"']{stated}[\"']"
    names = subprocess.run(
        ["git", "grep", "-lIiP", pattern], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    assert set(names) - {"CHANGELOG.md"} <= set(PLACES)


@pytest.mark.parametrize("wrong", ["1", "1.2", "v1.2.3", "1.2.3 ", "1.2.3-rc.1", ""])
def test_set_version__no_version__refused_and_nothing_written(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "PLACES", {"no-such-file": "x"})
    with pytest.raises(ReleaseError, match="is no version"):
        version.set_version(wrong)
