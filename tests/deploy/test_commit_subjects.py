from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from deploy.testrun import commit_subjects
from deploy.testrun.commit_subjects import MAX_CHARACTERS, problems

LONGEST = "x" * MAX_CHARACTERS
TOO_LONG = "x" * (MAX_CHARACTERS + 1)
UNKNOWN = "0123456789" * 4


def _git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _commit(root: Path, message: str) -> str:
    _git(root, "commit", "--quiet", "--allow-empty", "--message", message)
    return _git(root, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    _git(root, "init", "--quiet", "--initial-branch=main")
    return root


def test_commit_subjects__longer_than_the_limit_since_the_base__named(repository: Path) -> None:
    base = _commit(repository, "Start")
    commit = _commit(repository, TOO_LONG)
    _commit(repository, "Go on")
    (problem,) = problems(repository, base)
    short, _, text = problem.partition(": ")
    assert commit.startswith(short)
    assert text == f"the subject has 73 characters, 72 are allowed: {TOO_LONG}"


def test_commit_subjects__at_the_limit_with_a_long_body__accepted(repository: Path) -> None:
    base = _commit(repository, "Start")
    _commit(repository, f"{LONGEST}\n\n{TOO_LONG}")
    assert list(problems(repository, base)) == []


def test_commit_subjects__of_letters_beyond_ascii__counted_in_characters(repository: Path) -> None:
    base = _commit(repository, "Start")
    _commit(repository, "ü" * MAX_CHARACTERS)
    assert list(problems(repository, base)) == []


def test_commit_subjects__long_up_to_the_base__left_alone(repository: Path) -> None:
    _commit(repository, TOO_LONG)
    base = _commit(repository, TOO_LONG)
    _commit(repository, "Go on")
    assert list(problems(repository, base)) == []


def test_commit_subjects__of_a_merge__left_to_git(repository: Path) -> None:
    base = _commit(repository, "Start")
    _git(repository, "checkout", "--quiet", "-b", "side")
    _commit(repository, "Go aside")
    _git(repository, "checkout", "--quiet", "main")
    _git(repository, "merge", "--quiet", "--no-ff", "--message", TOO_LONG, "side")
    assert list(problems(repository, base)) == []


@pytest.mark.parametrize(("last", "count"), [("Go on", 0), (TOO_LONG, 1)])
def test_commit_subjects__base_unknown__head_alone_checked(repository: Path, last: str, count: int) -> None:
    _commit(repository, TOO_LONG)
    _commit(repository, last)
    assert len(list(problems(repository, UNKNOWN))) == count


@pytest.mark.parametrize(("last", "count"), [("Go on", 0), (TOO_LONG, 1)])
def test_commit_subjects__shallow_clone_without_the_base__head_alone_checked(
    repository: Path, tmp_path: Path, last: str, count: int
) -> None:
    base = _commit(repository, "Start")
    _commit(repository, TOO_LONG)
    _commit(repository, last)
    clone = tmp_path / "clone"
    _git(tmp_path, "clone", "--quiet", "--depth=2", f"file://{repository}", str(clone))
    assert len(list(problems(clone, base))) == count


def test_commit_subjects__no_repository_or_no_commit__nothing_to_check(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert list(problems(repository, UNKNOWN)) == []
    assert list(problems(tmp_path, UNKNOWN)) == []


def test_commit_subjects__no_git__nothing_to_check(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _commit(repository, TOO_LONG)
    monkeypatch.setenv("PATH", "")
    assert list(problems(repository, UNKNOWN)) == []


@pytest.mark.parametrize(("subject", "code"), [("Go on", 0), (TOO_LONG, 1)])
def test_commit_subjects__command__fails_for_a_long_one(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subject: str, code: int
) -> None:
    _commit(repository, subject)
    monkeypatch.setattr(commit_subjects, "ROOT", repository)
    assert commit_subjects.main() == code
    assert (TOO_LONG in capsys.readouterr().out) is bool(code)
