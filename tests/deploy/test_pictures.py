from __future__ import annotations

import re
from pathlib import Path

from deploy.services.process import ROOT

IMAGES = ROOT / "docs" / "images"
MAX_BYTES = 180_000
_LINK = re.compile(r"!\[[^\]]+\]\(([^)]+\.png)\)")


def _linked() -> set[Path]:
    """Every picture that a page or the README shows, with a text for users who cannot see it."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return {(page.parent / link).resolve() for page in pages for link in _LINK.findall(page.read_text("utf-8"))}


def test_pictures__each__is_shown_by_a_page_and_each_one_shown_exists() -> None:
    assert set(IMAGES.glob("*.png")) == _linked()


def test_pictures__each__is_small() -> None:
    assert [path.name for path in IMAGES.glob("*.png") if path.stat().st_size >= MAX_BYTES] == []


def test_pictures__each__is_made_by_npm_run_pictures_or_by_the_walk_of_bare_clusters() -> None:
    text = (ROOT / "tests/ui/pictures.ts").read_text("utf-8")
    made = set(re.findall(r'^  "?([\w-]+)"?: \[', text, re.MULTILINE))
    walk = (ROOT / "tests/e2e/bare/two-bare-clusters.spec.ts").read_text("utf-8")
    names = re.findall(r'(?:picture|grantAsShown)\(page, "([\w-]+)"\)', walk)
    walked = {f"bare-{name}-{size}" for name in names for size in ("desktop", "phone")}
    assert {path.stem for path in IMAGES.glob("*.png")} == made | walked
