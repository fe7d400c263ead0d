"""Texts that are kept in the repository and reviewed: plans, digests, tables."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

import pytest


def compare(path: Path, text: str) -> None:
    """Against the text that was reviewed; `HAWSER_GOLDEN=write` writes it again."""
    if os.environ.get("HAWSER_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    stored = path.read_text(encoding="utf-8")
    if stored != text:
        changes = unified_diff(stored.splitlines(), text.splitlines(), "stored", "now", lineterm="")
        pytest.fail("\n".join([f"{path} is out of date:", *changes]), pytrace=False)
