"""Definitions of terms for the console: `python -m tests.backend.glossary_terms` writes domain/glossary.json."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "glossary.md"
TERMS = ROOT / "frontend" / "src" / "domain" / "glossary.json"
_ENTRY = re.compile(r"^- ((?:\*\*[^*]+\*\*(?:, )?)+): (.+?)(?=\n\n|\n- |\Z)", re.MULTILINE | re.DOTALL)


def definitions(page: str) -> dict[str, str]:
    """Each term of the page with its definition in one line; a term with two names has both."""
    return {
        name: " ".join(text.split())
        for names, text in _ENTRY.findall(page)
        for name in names.replace("**", "").split(", ")
    }


def written() -> str:
    """The file as it must be."""
    terms = definitions(PAGE.read_text(encoding="utf-8"))
    return json.dumps(terms, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    TERMS.write_text(written(), encoding="utf-8")
