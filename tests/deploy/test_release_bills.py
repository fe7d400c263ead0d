"""The bills of materials are complete: every locked package, with its hashes, and nothing besides."""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from deploy.release import bases, materials
from deploy.release.build import TOP
from deploy.release.errors import ReleaseError
from deploy.release.tree import read_tree
from deploy.release.version import VERSION
from deploy.services.process import ROOT
from tests.deploy.releases import Release

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

KINDS = ("python", "pages", "images")
NAMES = {"python": "hawser", "pages": "hawser-console", "images": "hawser-images"}
DIGEST = "0123456789abcdef" * 4


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
    assert (about["name"], about["version"]) == (NAMES[kind], VERSION)
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


@pytest.mark.parametrize("kind", KINDS[:2])
def test_bill__dependencies__are_of_components_that_it_lists(release: Release, kind: str) -> None:
    found = bill(release, kind)
    refs = {one["bom-ref"] for one in found["components"]} | {found["metadata"]["component"]["bom-ref"]}
    assert {one["ref"] for one in found["dependencies"]} == refs
    assert {ref for one in found["dependencies"] for ref in one.get("dependsOn", [])} <= refs


def _registry(text: str) -> list[str]:
    return [sys.executable, "-c", f"print({text!r})"]


def test_images_bill__bases__each_with_its_digest_and_the_day(tmp_path: Path) -> None:
    """Another build of the release takes them from the first one's bill, and has the same bytes."""
    found = bases.look_up(date(2026, 11, 30), _registry(json.dumps({"digest": f"sha256:{DIGEST}"})))
    text = materials.as_text(materials.images_bill(found, read_tree().committed_at))
    by_name = {one["bom-ref"]: one for one in json.loads(text)["components"]}
    assert {"mariadb:10.11", "python:3.11-slim-bookworm"} <= by_name.keys()
    for one in by_name.values():
        assert one["hashes"] == [{"alg": "SHA-256", "content": DIGEST}]
        assert one["properties"] == [{"name": "hawser:looked_up", "value": "2026-11-30"}]
    (tmp_path / "bill").write_text(text)
    assert bases.read(tmp_path / "bill") == found


def test_images_bill__names__are_all_that_image_and_compose_file_are_made_of() -> None:
    files = (ROOT / path for path in ("deploy/images/Dockerfile", "docker-compose.yml"))
    overridden = {name for file in files for name in re.findall(r"\b(?:HAWSER_)?(\w+)_IMAGE\b", file.read_text())}
    assert {one.name.partition(":")[0].upper() for one in bases.named()} == overridden


@pytest.mark.parametrize("text", ["", "{}", '{"digest": "latest"}'])
def test_bases__registry_says_no_digest__refused_with_the_name(text: str) -> None:
    with pytest.raises(ReleaseError, match=r"the digest of mariadb:10\.11 is unknown"):
        bases.look_up(date(2026, 11, 30), _registry(text))


def test_bases__bill_of_other_images__refused(tmp_path: Path) -> None:
    base = bases.Base("mariadb:10.11", DIGEST, "2026-11-30")
    (tmp_path / "bill").write_text(materials.as_text(materials.images_bill([base], 0)))
    with pytest.raises(ReleaseError, match="is of other images than the tree names"):
        bases.read(tmp_path / "bill")


def test_bill__that_breaks_the_schema__refused() -> None:
    broken = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": [{"name": "nameless type"}]}
    with pytest.raises(ReleaseError, match="breaks the schema of CycloneDX"):
        materials.as_text(broken)
