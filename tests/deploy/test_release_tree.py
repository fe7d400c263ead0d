"""A release is of a commit: a tree that differs from it is refused, and what differs is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deploy.release import __main__ as command
from deploy.release import build, contents, description
from deploy.release.advisories import Advisory, Answer
from deploy.release.bases import Base, look_up
from deploy.release.errors import ReleaseError
from deploy.release.tree import Tree, read_tree, require_clean
from deploy.services.process import run

pytestmark = pytest.mark.slow

_AS = ["-c", "user.name=Anna", "-c", "user.email=anna@example.net", "-c", "commit.gpgsign=false"]
FOUND = Base("mariadb:10.11", "0" * 64, "2026-11-30")
_ENV = {"GIT_COMMITTER_DATE": "2026-11-27T10:00:00+01:00", "GIT_AUTHOR_DATE": "2026-11-27T10:00:00+01:00"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with one commit."""
    run(["git", "init", "--quiet", str(tmp_path)])
    (tmp_path / ".gitignore").write_text("/dist/\n")
    (tmp_path / "manage.py").write_text("first\n")
    run(["git", "-C", str(tmp_path), "add", "."])
    run(["git", "-C", str(tmp_path), *_AS, "commit", "--quiet", "--message", "First"], env=_ENV)
    return tmp_path


def test_tree__as_committed__is_clean_and_has_the_commits_time(folder: Path) -> None:
    (folder / "dist").mkdir()
    (folder / "dist/ignored").write_text("x")
    tree = read_tree(folder)
    require_clean(tree)
    assert (len(tree.commit), tree.committed_at, tree.dirty) == (40, 1795770000, ())


@pytest.mark.parametrize("change", ["edited", "added", "staged", "deleted", "new folder"])
def test_tree__a_path_that_differs__refused_with_its_name(folder: Path, change: str) -> None:
    name = {"edited": "manage.py", "deleted": "manage.py", "new folder": "new/one.py"}.get(change, "other.py")
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("second\n")
    if change == "deleted":
        path.unlink()
    if change == "staged":
        run(["git", "-C", str(folder), "add", name])
    with pytest.raises(ReleaseError, match=f"1 paths differ from commit [0-9a-f]{{12}}:\n  .. {name}\nCommit them"):
        require_clean(read_tree(folder))


def test_tree__many_paths_that_differ__twenty_are_named(folder: Path) -> None:
    tree = Tree(folder, "a" * 40, 0, tuple(f"?? {number}" for number in range(25)))
    with pytest.raises(ReleaseError, match=r"(?s)25 paths differ .*\n  and 5 more\n") as refused:
        require_clean(tree)
    assert str(refused.value).count("\n  ??") == 20


def test_files__of_a_tree__are_those_of_git_and_new_ones_without_ignored_and_deleted(folder: Path) -> None:
    for name in ("new.py", "dist/ignored", "other/kept.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x")
    (folder / "manage.py").unlink()
    assert read_tree(folder).files("manage.py", "new.py", "dist") == ["new.py"]


def test_entries__a_part_that_is_not_there__refused_with_its_name(folder: Path) -> None:
    with pytest.raises(ReleaseError, match=r"the tree lacks requirements.txt, docker-compose.yml, .*deploy/systemd"):
        contents.entries(read_tree(folder), folder)


def test_pages__not_built__refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"has no index\.html\. Build the pages first"):
        contents.built_pages(tmp_path)


def test_command__dirty_tree__says_so_and_builds_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.py").write_text("x")
    built: list[str] = []
    monkeypatch.setattr(command, "read_tree", lambda: read_tree(folder))
    monkeypatch.setattr(command.frontend, "build", lambda: built.append("pages"))
    monkeypatch.setattr(command, "build_release", lambda *_, **__: built.append("release") or [])
    assert command.main([]) == 1
    assert "?? other.py" in capsys.readouterr().err
    assert not built
    assert command.main(["--allow-dirty"]) == 0
    assert built == ["pages", "release"]


@pytest.fixture
def released(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the command makes of a clean tree, whose registries answer that all is well."""
    made: list[dict[str, Any]] = []
    monkeypatch.setattr(command, "read_tree", lambda: read_tree(folder))
    monkeypatch.setattr(command, "require_key", lambda _: None)
    monkeypatch.setattr(command.advisories, "ask_all", Answer)
    monkeypatch.setattr(command.bases, "look_up", lambda _: [FOUND])
    monkeypatch.setattr(command.frontend, "build", lambda: made.append({}))
    monkeypatch.setattr(command, "build_release", lambda *_, **given: made.append(given) or [])
    return made


def test_command__all_well__made_with_the_digests_of_its_bases(released: list[dict[str, Any]]) -> None:
    assert command.main([]) == 0
    assert released[1] == {"bases": [FOUND], "accepted": {}, "key": None}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer((Advisory("ws 8.1", ("GHSA-1",)),)), "1 advisories on locked packages:\n  ws 8.1: GHSA-1\n"),
        (Answer(unanswered=("npm audit: 405",)), "It is unknown whether locked packages have advisories"),
    ],
)
def test_command__advisory_or_no_answer__says_so_and_builds_nothing(
    released: list[dict[str, Any]],
    answer: Answer,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command.advisories, "ask_all", lambda: answer)
    assert command.main([]) == 1
    assert capsys.readouterr().err.startswith(said)
    # A signature makes a release of what --allow-dirty made for tests.
    assert command.main(["--allow-dirty", "--key", "key.pem"]) == 1
    assert released == []


def test_command__advisory_accepted_with_its_reason__made_and_recorded(
    released: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command.advisories, "ask_all", lambda: Answer((Advisory("ws 8.1", ("GHSA-1",)),)))
    assert command.main(["--accept", "GHSA-1: of servers: Hawser opens none"]) == 0
    accepted = released[1]["accepted"]
    assert accepted == {"GHSA-1": "of servers: Hawser opens none"}
    assert description.describe(read_tree(), accepted)["accepted_advisories"] == accepted


@pytest.mark.parametrize("given", ["GHSA-1", "GHSA-1:", ": why"])
def test_command__advisory_accepted_without_id_or_reason__refused(
    released: list[dict[str, Any]], given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(["--accept", given])
    assert "takes the id of an advisory and the reason" in capsys.readouterr().err


def test_command__digest_of_a_base_unknown__says_so_and_builds_nothing(
    released: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command.bases, "look_up", lambda day: look_up(day, ["/nonexistent/docker"]))
    assert command.main([]) == 1
    assert "the digest of mariadb:10.11 is unknown" in capsys.readouterr().err
    assert released == []


def test_build__folder_with_other_files__refused_and_left_alone(folder: Path) -> None:
    (folder / "letters").mkdir(exist_ok=True)
    (folder / "letters/one.txt").write_text("x")
    with pytest.raises(ReleaseError, match="has files that are no release"):
        build.build_release(read_tree(folder), folder, folder / "letters", bases=())
    assert (folder / "letters/one.txt").exists()
