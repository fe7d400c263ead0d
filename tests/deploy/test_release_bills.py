"""The bills of materials are complete: every locked package, with its hashes, and nothing besides."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deploy.release import materials
from deploy.release.build import TOP
from deploy.release.errors import ReleaseError
from deploy.release.tree import read_tree
from deploy.release.version import VERSION
from deploy.services.process import ROOT
from tests.deploy.releases import Release

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

KINDS = ("python", "pages")


def bill(release: Release, kind: str) -> dict[str, Any]:
    """A bill of the release."""
    read: dict[str, Any] = json.loads((release.files / f"{TOP}.{kind}.cdx.json").read_text())
    return read


@cache
def locked_python() -> dict[tuple[str, str], set[str]]:
    """Hashes of each package of requirements.txt by name and version."""
    lines = (ROOT / "requirements.txt").read_text().replace("\\\n", " ").splitlines()
    pinned = (re.match(r"([a-z0-9.-]+)(?:\[[a-z,]+\])?==(\S+)(.*)", line) for line in lines)
    return {(one[1], one[2]): set(re.findall(r"--hash=sha256:([0-9a-f]{64})", one[3])) for one in pinned if one}


@pytest.mark.parametrize("kind", KINDS)
def test_bill__by_the_schema_of_cyclonedx__is_valid_and_of_1_5_or_newer(release: Release, kind: str) -> None:
    text = (release.files / f"{TOP}.{kind}.cdx.json").read_text()
    version = bill(release, kind)["specVersion"]
    assert version in {"1.5", "1.6", "1.7"}
    assert JsonStrictValidator(SchemaVersion.from_version(version)).validate_str(text) is None


@pytest.mark.parametrize("kind", KINDS)
def test_bill__names__the_product_its_version_and_the_commits_time(release: Release, kind: str) -> None:
    found = bill(release, kind)
    about = found["metadata"]["component"]
    assert (about["name"], about["version"]) == ({"python": "hawser", "pages": "hawser-console"}[kind], VERSION)
    assert found["metadata"]["timestamp"] == materials.moment(read_tree().committed_at)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", found["serialNumber"])


def test_python_bill__packages_and_hashes__are_those_of_the_lock(release: Release) -> None:
    assert len(locked_python()) > 50
    listed = {
        (one["name"], one["version"]): {
            hashed["content"] for reference in one["externalReferences"] for hashed in reference["hashes"]
        }
        for one in bill(release, "python")["components"]
    }
    assert listed == locked_python()


def test_pages_bill__packages__are_all_of_the_lock_that_are_no_tools(release: Release) -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    components = bill(release, "pages")["components"]
    assert {(one["name"], one["version"]) for one in components} == materials.production_packages(lock)
    assert all(one["hashes"] for one in components)
    direct = json.loads((ROOT / "package.json").read_text())
    names = {one["name"] for one in components}
    # npm's own `--omit dev` leaves React out, which tests need, too.
    assert set(direct["dependencies"]) <= names
    assert not {"vite", "vitest", "typescript", "eslint", "msw"} & names


@pytest.mark.parametrize("kind", KINDS)
def test_bill__dependencies__are_of_components_that_it_lists(release: Release, kind: str) -> None:
    found = bill(release, kind)
    refs = {one["bom-ref"] for one in found["components"]} | {found["metadata"]["component"]["bom-ref"]}
    assert {one["ref"] for one in found["dependencies"]} == refs
    assert {ref for one in found["dependencies"] for ref in one.get("dependsOn", [])} <= refs


def test_bill__that_breaks_the_schema__refused() -> None:
    broken = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [{"name": "nameless type"}]}
    with pytest.raises(ReleaseError, match="breaks the schema of CycloneDX"):
        materials.as_text(broken)
