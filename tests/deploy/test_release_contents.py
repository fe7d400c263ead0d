"""What an archive has and has not, and that its bytes depend on the commit alone."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

from deploy.release import checksums, container_files, contents
from deploy.release.archive import Entry, write_archive
from deploy.release.bases import named
from deploy.release.build import TOP, build_release
from deploy.release.description import newest_migrations
from deploy.release.errors import ReleaseError
from deploy.release.tree import read_tree
from deploy.release.version import VERSION
from deploy.services.process import ROOT
from tests.deploy.releases import Release, archive_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|(mysql|redis)://[^\s:@`'\"]+:(?!password@|PASSWORD@)[^\s@`'\"]+@[^\s]+"
)
NEEDED = (
    *(
        "manage.py",
        "requirements.txt",
        "docker-compose.yml",
        ".env",
        "LICENSE",
        "NOTICE",
        "CHANGELOG.md",
        "RELEASE.json",
    ),
    *("backend/config/asgi.py", "frontend/dist/index.html", "frontend/dist/.vite/manifest.json"),
    *("deploy/systemd/hawser-web.service", "deploy/proxy/hawser.conf", "deploy/monitoring/hawser.rules.yaml"),
    *("deploy/client/hawser.py", "deploy/compose/make-secrets.sh", "deploy/images/Dockerfile"),
    *("docs/how-to/install.md", "docs/how-to/run-on-kubernetes.md", "docs/how-to/upgrade.md"),
)
_UNWANTED = re.compile(
    r"(^|/)(tests?|node_modules|__pycache__|\.git|\.venv|\.cache)(/|$)|\.pyc$|\.sqlite3|\.log$|(^|/)test_"
    r"|^frontend/(?!dist/)|^deploy/(lab|demo|testrun|release|servers|containers)/|^deploy/compose/secrets/(?!README)|^package"
)  # fmt: skip


@pytest.mark.parametrize("name", NEEDED)
def test_archive__what_runs_the_console__is_in_it(release: Release, name: str) -> None:
    assert (release.unpacked / name).is_file()


def test_archive__tests_tools_and_caches__are_not_in_it(release: Release) -> None:
    assert not [name for name in release.names() if _UNWANTED.search(name)]


def test_archive__secrets__are_not_in_it(release: Release) -> None:
    texts = {name: (release.unpacked / name).read_bytes().decode(errors="ignore") for name in release.names()}
    assert not [f"{name}: {found[0]}" for name, text in texts.items() if (found := _SECRET.search(text))]


def test_archive__a_secret_beside_the_compose_file__stays_out(release: Release, tmp_path: Path) -> None:
    secret = ROOT / "deploy/compose/secrets/release_test_key"
    secret.write_text("a secret")
    try:
        names = {entry.name for entry in contents.entries(read_tree(), release.pages)}
    finally:
        secret.unlink()
    assert "deploy/compose/secrets/README.md" in names
    assert not [name for name in names if "release_test_key" in name]


def test_archive__every_module_of_the_console__is_in_it_and_equal(release: Release) -> None:
    for path in (ROOT / "backend").rglob("*.py"):
        assert (release.unpacked / path.relative_to(ROOT)).read_bytes() == path.read_bytes()


def test_archive__owners_modes_and_times__are_those_of_nobody(release: Release) -> None:
    with tarfile.open(archive_of(release.files)) as archive:
        members = archive.getmembers()
    assert {(one.uid, one.gid, one.uname, one.gname) for one in members} == {(0, 0, "", "")}
    assert {one.mode for one in members} == {0o644, 0o755}
    assert {one.mtime for one in members} == {read_tree().committed_at}
    assert [one.name for one in members] == sorted(one.name for one in members)
    assert all(one.isfile() and one.name.startswith(f"{TOP}/") for one in members)


def test_release__made_again_under_another_mask__has_the_same_bytes(release: Release, tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        build_release(read_tree(), release.pages, tmp_path / "files", bases=named())
    finally:
        os.umask(mask)
    names = sorted(path.name for path in release.files.iterdir())
    assert names == sorted(path.name for path in (tmp_path / "files").iterdir())
    differing = [n for n in names if (release.files / n).read_bytes() != (tmp_path / "files" / n).read_bytes()]
    assert not differing


def test_write_archive__other_order_name_and_folder__same_bytes(tmp_path: Path) -> None:
    entries = [Entry("b", b"2", is_executable=True), Entry("a", b"1")]
    write_archive(tmp_path / "one.tar.gz", "top", entries, 7)
    write_archive(tmp_path / "other.tar.gz", "top", reversed(entries), 7)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "other.tar.gz").read_bytes()
    # Neither name nor other fields in the header of gzip: flags are 0.
    assert (tmp_path / "one.tar.gz").read_bytes()[3] == 0
    assert gzip.decompress((tmp_path / "one.tar.gz").read_bytes())[:5] == b"top/a"


def test_checksums__of_every_other_file__are_right(release: Release) -> None:
    lines = (release.files / checksums.NAME).read_text().splitlines()
    stated = {name: digest for digest, name in (line.split("  ") for line in lines)}
    listed = {path.name: path for path in release.files.iterdir() if path.name != checksums.NAME}
    assert stated == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in listed.items()}
    wheel, bills = (
        f"hawser_client-{VERSION}-py3-none-any.whl",
        {f"{TOP}.{of}.cdx.json" for of in ("python", "pages", "images")},
    )
    assert set(listed) == {f"{TOP}.tar.gz", wheel} | bills


def test_description__names_version_commit_date_and_every_newest_migration(release: Release) -> None:
    stated, tree = json.loads(release.text("RELEASE.json")), read_tree()
    assert (stated["version"], stated["commit"]) == (VERSION, tree.commit)
    assert stated["uncommitted_changes"] is bool(tree.dirty)
    own = [sorted(folder.glob("[0-9]*.py"))[-1].stem for folder in (ROOT / "backend").rglob("migrations")]
    assert sorted(set(stated["migrations"].values()) & set(own)) == sorted(set(own))
    assert {"auth", "contenttypes", "sessions"} <= set(stated["migrations"])


def test_newest_migrations__squashed_and_empty_apps__last_name_of_each() -> None:
    listed = (
        "admin\n (no migrations)\nruns\n [X] 0001_initial\n [ ] 0002_more (2 squashed migrations)\nweb\n [ ] 0001_a\n"
    )
    assert newest_migrations(listed) == {"runs": "0002_more", "web": "0001_a"}


def test_client__wheel__has_the_command_and_nothing_else(release: Release) -> None:
    (wheel,) = release.files.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert packed.read("hawser.py") == (ROOT / "deploy/client/hawser.py").read_bytes()
        points = packed.read(f"hawser_client-{VERSION}.dist-info/entry_points.txt").decode()
        assert {name.split("/")[0] for name in packed.namelist()} == {"hawser.py", f"hawser_client-{VERSION}.dist-info"}
    assert "hawser=hawser:main" in points.replace(" ", "")


def test_image__of_the_archive__needs_no_node_and_copies_what_is_there(release: Release) -> None:
    text = release.text("deploy/images/Dockerfile")
    assert not re.search(r"\bnode\b|\bnpm\b|NODE_IMAGE|AS demo|from=pages", text)
    own = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    sources = [source.removeprefix("./") for line in own for source in line.split()]
    assert "frontend/dist" in sources
    sent = re.findall(r"^!(\S+)$", release.text(".dockerignore"), re.MULTILINE)
    for source in sources:
        assert (release.unpacked / source).exists()
        assert any(source == name or source.startswith(f"{name}/") for name in sent)


def test_image__of_the_archive__is_else_the_one_of_the_tests(release: Release) -> None:
    tested = (ROOT / "deploy/images/Dockerfile").read_text()
    stage = tested.partition(" AS console\n")[2].partition("\nFROM console")[0]
    wanted = stage.replace(
        "COPY --from=pages /build/frontend/dist ./frontend/dist", "COPY frontend/dist ./frontend/dist"
    )
    assert release.text("deploy/images/Dockerfile").partition(" AS console\n")[2].strip() == wanted.strip()


def test_compose_file__of_the_archive__is_the_production_profile(release: Release) -> None:
    whole, shipped = (
        yaml.safe_load(text) for text in ((ROOT / "docker-compose.yml").read_text(), release.text("docker-compose.yml"))
    )
    for one in whole["services"].values():
        one.get("build", {}).get("args", {}).pop("NODE_IMAGE", None)
    assert shipped["services"] == {name: one for name, one in whole["services"].items() if name != "demo"}
    assert {**shipped["volumes"], "demo": None} == whole["volumes"]
    for name in ("networks", "secrets", "configs"):
        assert shipped[name] == whole[name]
    # Made with the secrets, by make-secrets.sh.
    made = {"deploy/compose/secrets/internal_ca"}
    for file in {config["file"] for config in shipped["configs"].values()} - made:
        assert (release.unpacked / file).is_file()
    assert "COMPOSE_PROFILES=production" in release.text(".env").splitlines()


@pytest.mark.parametrize("change", [container_files.dockerfile, container_files.compose_file])
def test_container_files__of_another_shape__refused(change: container_files.Change) -> None:
    with pytest.raises(ReleaseError, match="adapt container_files"):
        change("FROM scratch\n")
