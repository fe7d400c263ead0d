"""A document as Markdown: every block, and values that look like markup."""

from __future__ import annotations

import pytest

from backend.core.documents.markdown import one_line, to_markdown
from backend.core.documents.model import Document, Section, bullets, code, facts, paragraph, table


def test_to_markdown__every_block__in_order() -> None:
    document = Document(
        "Title",
        ("Lead.",),
        (
            Section("All", (paragraph("Text."), facts(("Name", 1)), bullets(["one"]), table(("a", "b"), [(1, "x|y")]))),
            Section("Inner", (code("sql", "SELECT 1;"),), depth=2),
        ),
    )
    assert to_markdown(document) == (
        "# Title\n\nLead.\n\n## All\n\nText.\n\n- Name: 1\n\n- one\n\n| A | B |\n| --- | --- |\n| 1 | x\\|y |\n"
        "\n### Inner\n\n```sql\nSELECT 1;\n```\n"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a\n# b", "a # b"),
        ("<script>", "&lt;script>"),
        ("[x](http://y)", r"\[x\](http://y)"),
        ("*a*", r"\*a\*"),
        ("read_only", "read_only"),
    ],
)
def test_one_line__markup__is_text(value: str, shown: str) -> None:
    assert one_line(value) == shown


def test_code__fence_within__is_longer_outside() -> None:
    text = to_markdown(Document("T", (), (Section("S", (code("sql", "a ```` b"),)),)))
    assert "`````sql\na ```` b\n`````" in text
