"""The repository's Markdown pages: their links, and the headings that a link can point to."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from deploy.services.process import ROOT

INDEX = ROOT / "docs/README.md"
_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SCHEME = re.compile(r"[a-z]+:")


def pages() -> list[Path]:
    """Every Markdown file that git knows or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=30)
    return [ROOT / name for name in done.stdout.split() if (ROOT / name).is_file()]


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """File and anchor of each relative link on a page; blocks of code hold none."""
    for target in _LINK.findall(_CODE.sub("", page.read_text())):
        if not _SCHEME.match(target):
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


@cache
def anchors(page: Path) -> frozenset[str]:
    """The names that GitHub gives to a page's headings, and those that the page gives itself."""
    text = _CODE.sub("", page.read_text())
    headings = (_slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE))
    return frozenset([*headings, *re.findall(r'^<a id="([^"]+)"></a>', text, re.MULTILINE)])


def reachable(start: Path) -> set[Path]:
    """Pages that a reader reaches from one page by links alone."""
    found, waiting = {start}, [start]
    while waiting:
        targets = {target for target, _ in links(waiting.pop()) if target.suffix == ".md" and target.is_file()}
        waiting += targets - found
        found |= targets
    return found


def _slug(heading: str) -> str:
    """A heading's anchor: its text in small letters, without punctuation, a dash for each blank."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
