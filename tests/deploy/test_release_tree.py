"""A release is of a commit: a tree that differs from it is refused, and what differs is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.release import __main__ as command
from deploy.release import build, contents
from deploy.release.errors import ReleaseError
from deploy.release.tree import Tree, read_tree, require_clean
from deploy.services.process import run

pytestmark = pytest.mark.slow

_AS = ["-c", "user.name=Anna", "-c", "user.email=anna@example.net", "-c", "commit.gpgsign=false"]
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


def test_build__folder_with_other_files__refused_and_left_alone(folder: Path) -> None:
    (folder / "letters").mkdir(exist_ok=True)
    (folder / "letters/one.txt").write_text("x")
    with pytest.raises(ReleaseError, match="has files that are no release"):
        build.build_release(read_tree(folder), folder, folder / "letters")
    assert (folder / "letters/one.txt").exists()
