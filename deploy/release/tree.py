"""What git says of the working tree: commit, its time, and what is not committed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deploy.release.errors import ReleaseError
from deploy.services.process import ROOT, run

_SHOWN = 20


@dataclass(frozen=True)
class Tree:
    """A working tree. `dirty` has a line of `git status` for each path that differs from the commit."""

    folder: Path
    commit: str
    committed_at: int
    dirty: tuple[str, ...]

    def files(self, *names: str) -> list[str]:
        """Paths below these names that git has or would add, sorted, without those that are deleted."""
        listed = _git(self.folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *names)
        found = {name for name in listed.split("\0") if name}
        return sorted(name for name in found if (self.folder / name).is_file())


def read_tree(folder: Path = ROOT) -> Tree:
    """The tree as it is now."""
    commit, committed_at = _git(folder, "show", "--no-patch", "--format=%H %ct", "HEAD").split()
    status = _git(folder, "status", "--porcelain", "--untracked-files=all").splitlines()
    return Tree(folder, commit, int(committed_at), tuple(status))


def require_clean(tree: Tree) -> None:
    """Refuse a tree that differs from its commit: no commit would say what is in the archive."""
    if tree.dirty:
        more = len(tree.dirty) - _SHOWN
        shown = "\n".join(f"  {line}" for line in tree.dirty[:_SHOWN]) + (f"\n  and {more} more" if more > 0 else "")
        raise ReleaseError(
            f"No release: {len(tree.dirty)} paths differ from commit {tree.commit[:12]}:\n{shown}\n"
            "Commit them or put them aside. --allow-dirty makes an archive for tests all the same, and says so in it."
        )


def _git(folder: Path, *arguments: str) -> str:
    return run(["git", "-C", str(folder), *arguments])
