"""The commit check reports subjects that are too long: `python -m deploy.testrun.commit_subjects`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from deploy.services.process import ROOT

BASE = "e1bde6121215c1b84a2b403b66a321936d21048e"
"""The last commit before the limit was set; the subjects up to it stay as they are."""
MAX_CHARACTERS = 72


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)


def commits(root: Path, base: str) -> list[tuple[str, str]]:
    """Id and subject of the commits since `base`, newest first, without merges, whose subjects git and forges write.

    If the history does not reach back to `base` (a shallow clone), only HEAD is taken. Without git or a repository
    there are none.
    """
    if shutil.which("git") is None:
        return []
    reaches_base = _git(root, "merge-base", "--is-ancestor", base, "HEAD").returncode == 0
    selection = [f"{base}..HEAD"] if reaches_base else ["--no-walk", "HEAD"]
    lines = _git(root, "log", "--no-merges", "--format=%h %s", *selection).stdout.splitlines()
    return [(commit, subject) for commit, _, subject in (line.partition(" ") for line in lines)]


def problems(root: Path, base: str = BASE) -> Iterator[str]:
    """One line for each subject that is too long."""
    for commit, subject in commits(root, base):
        if len(subject) > MAX_CHARACTERS:
            yield f"{commit}: the subject has {len(subject)} characters, {MAX_CHARACTERS} are allowed: {subject}"


def main() -> int:
    """Prints each problem; exit code 1 if there is one."""
    found = list(problems(ROOT))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
