from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from deploy.testrun import vocabulary
from deploy.testrun.prose import find_idioms, hits_in, prose_files, read_idioms
from deploy.testrun.vocabulary import WORD_LIST

WORDS = r"""
idioms = [
  { pattern = '\banew\b', say = "again" },
  { pattern = '\btakes writes\b', say = "accepts writes" },
]
idiom_exceptions = [
  { path = "docs/glossary.md", reason = "an example" },
  { pattern = '\banew\b', path = "backend/allowed", reason = "an example" },
]
"""


def _hits(root: Path, text: str, path: str = "backend/example.py") -> list[str]:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return [str(hit) for hit in find_idioms(root, read_idioms(WORDS))]


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("x = 1  # starts anew", "backend/example.py", 1),
        ('"""Anew."""', "backend/example.py", 1),
        ('def read():\n    """Reads.\n\n    It starts anew.\n    """', "deploy/lab/example.py", 4),
        ('TEXT = "It starts anew."', "backend/core/example.py", 1),
        ("# Title\n\nIt starts anew.", "README.md", 3),
        ("It starts anew.", "docs/page.md", 1),
        ("| a | starts anew |", "docs/how-to/page.md", 1),
        ("def test_one() -> None:\n    # It starts anew.\n    assert True", "tests/core/test_one.py", 2),
        ("/** It starts anew. */", "frontend/src/lib/example.ts", 1),
        ("const a = <p>\n  It starts anew.\n</p>;", "frontend/src/features/Example.tsx", 2),
        ('const title = "It starts anew.";', "frontend/mock-api/seeds/example.ts", 1),
        ("// It starts anew.", "tests/ui/example.spec.ts", 1),
    ],
)
def test_prose__idiom_in_comment_docstring_text_or_page__named_with_file_line_and_replacement(
    tmp_path: Path, text: str, path: str, line: int
) -> None:
    hits = _hits(tmp_path, text, path)
    assert [hit.lower() for hit in hits] == [f"{path}:{line}: retired idiom 'anew'; say 'again'".lower()]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("# The side takes\n# writes.", "backend/example.py"),
        ('"""The side takes\n    writes."""', "backend/example.py"),
        ('TEXT = (\n    "The side takes "\n    "writes."\n)', "backend/example.py"),
        ('TEXT = (\n    f"{side} takes "\n    f"writes on {node}."\n)', "backend/example.py"),
        ("The side takes\nwrites.", "docs/page.md"),
        ("> The side takes\n> writes.", "docs/page.md"),
        ("/**\n * The side takes\n * writes.\n */", "frontend/src/example.ts"),
        ("// The side takes\n// writes.", "frontend/src/example.ts"),
        ('const a = "The side takes " +\n  "writes.";', "tests/ui/example.ts"),
        ("<p>\n  The side takes\n  writes.\n</p>", "frontend/src/Example.tsx"),
    ],
)
def test_prose__idiom_over_two_lines__found(tmp_path: Path, text: str, path: str) -> None:
    hits = _hits(tmp_path, text, path)
    assert len(hits) == 1
    assert hits[0].startswith(f"{path}:")
    assert hits[0].endswith("say 'accepts writes'")


@pytest.mark.parametrize(
    "text", ["starts_anew = 1", "anewer = 1", "`test_start__of_a_channel__anew_at_once`", "takes, writes = 1, 2"]
)
def test_prose__part_of_a_name__not_reported(tmp_path: Path, text: str) -> None:
    assert _hits(tmp_path, text) == []


@pytest.mark.parametrize(
    ("path", "count"),
    [("docs/glossary.md", 0), ("docs/glossary-of-old.md", 2), ("backend/allowed/one.py", 1), ("backend/one.py", 2)],
)
def test_prose__exception__holds_for_its_path_and_idiom_alone(tmp_path: Path, path: str, count: int) -> None:
    assert len(_hits(tmp_path, "# It takes writes anew.", path)) == count


@pytest.mark.parametrize(
    "path",
    [
        "backend/runs/migrations/0001_initial.py",
        "frontend/src/api/generated/schema.ts",
        "deploy/one.txt",
        "other/test_one.py",
    ],
)
def test_prose__migrations_other_folders_and_files__not_read(tmp_path: Path, path: str) -> None:
    assert _hits(tmp_path, "# It starts anew.", path) == []


@pytest.mark.parametrize(("text", "code"), [("# It starts anew.", 1), ("# It starts again.", 0)])
def test_prose__command__fails_for_an_idiom_of_the_word_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, code: int
) -> None:
    (tmp_path / "README.md").write_text(text)
    monkeypatch.setattr(vocabulary, "ROOT", tmp_path)
    assert vocabulary.main() == code
    assert ("README.md:1: retired idiom 'anew'" in capsys.readouterr().out) is bool(code)


def test_idioms__exception_for_a_pattern_that_is_not_listed__refused() -> None:
    with pytest.raises(KeyError):
        read_idioms("idioms = []\nidiom_exceptions = [{ pattern = 'a', path = 'b', reason = 'c' }]")


@pytest.mark.parametrize(
    "text",
    [
        "nobody holds it", "the side stands by", "names the place", "it came back", "the server is gone",
        "if it lives", "started by itself", "it bears it out", "once mended", "put it right", "cannot be told",
        "it is not known", "2 group(s)", "the gravest", "the side went home", "parted sites", "a left-over channel",
        "Redis rings", "TOLD apart", "carries on",
        "once more", "whoever asks", "taken back",
    ],
)  # fmt: skip
def test_idioms__of_the_project__found(text: str) -> None:
    assert [idiom for idiom in read_idioms(WORD_LIST.read_text()) if idiom.pattern.search(text)]


@pytest.mark.parametrize(
    "text",
    ["if not known:", "len(s)", "start in place", "live nodes", "during the run", "nobody_holds = 1", "a standby site"],
)
def test_idioms__of_the_project__code_and_standard_terms_not_found(text: str) -> None:
    assert not [idiom for idiom in read_idioms(WORD_LIST.read_text()) if idiom.pattern.search(text)]


def test_idioms__of_the_project__names_replacements_and_reasons() -> None:
    data = tomllib.loads(WORD_LIST.read_text())
    assert len({entry["pattern"] for entry in data["idioms"]}) == len(data["idioms"])
    assert all(entry["say"] and re.compile(entry["pattern"]) for entry in data["idioms"])
    files = set(prose_files(ROOT))
    for exception in data["idiom_exceptions"]:
        assert exception["reason"]
        assert any(path.is_relative_to(exception["path"]) for path in files)


def test_idioms__of_the_project__each_exception_is_in_use() -> None:
    exceptions = tomllib.loads(WORD_LIST.read_text())["idiom_exceptions"]
    idioms = [replace(idiom, allowed_in=()) for idiom in read_idioms(WORD_LIST.read_text())]
    files = list(prose_files(ROOT))
    for exception in exceptions:
        there = [path for path in files if path.is_relative_to(exception["path"])]
        assert any(any(hits_in(path, (ROOT / path).read_text(), idioms)) for path in there), exception
