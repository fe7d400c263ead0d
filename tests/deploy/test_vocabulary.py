from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from deploy.testrun import vocabulary
from deploy.testrun.vocabulary import WORD_LIST, Kind, find_retired, read_word_list

EVERYTHING = '["module", "class", "function", "variable"]'
WORDS = f"""
retired = [
  {{ name = "place", kinds = {EVERYTHING}, say = "position" }},
  {{ name = "Way", kinds = {EVERYTHING}, say = "Direction" }},
  {{ name = "hold", kinds = ["function"], say = "claim" }},
  {{ name = "tail", kinds = ["module"], within = "backend/core", say = "last_applied" }},
]
exceptions = [{{ name = "place", path = "backend/core/steps", reason = "an example" }}]
"""


def _hits(root: Path, source: str, path: str = "backend/example.py") -> list[str]:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source)
    return [str(hit) for hit in find_retired(root, read_word_list(WORDS))]


@pytest.mark.parametrize(
    "source",
    [
        "place = 1",
        "place: int",
        "place += 1",
        "(first, *place) = items",
        "if (place := read()):\n    pass",
        "for place in items:\n    pass",
        "seen = [item for place in items]",
        "with read() as place:\n    pass",
        "try:\n    read()\nexcept OSError as place:\n    pass",
        "import position as place",
        "from positions import position as place",
        "def read(place): ...",
        "def read(*, place=None): ...",
        "def read(*place): ...",
        "def read(**place): ...",
        "read = lambda place: None",
        "class Log:\n    place: int = 0",
        "self.place = 1",
        "match item:\n    case [1, *place]:\n        pass",
        "match item:\n    case {**place}:\n        pass",
        "match item:\n    case int() as place:\n        pass",
    ],
)
def test_vocabulary__retired_variable__found_however_it_is_bound(tmp_path: Path, source: str) -> None:
    hits = _hits(tmp_path, source)
    assert len(hits) == 1
    assert hits[0].endswith("retired name 'place' (variable); say 'position'")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("\ndef place(): ...", "2: retired name 'place' (function); say 'position'"),
        ("async def place(): ...", "1: retired name 'place' (function); say 'position'"),
        ("class Log:\n    def _place(self): ...", "2: retired name '_place' (function); say 'position'"),
        ("class Way: ...", "1: retired name 'Way' (class); say 'Direction'"),
        ("class __Way: ...", "1: retired name '__Way' (class); say 'Direction'"),
    ],
)
def test_vocabulary__retired_function_or_class__named_with_file_line_and_replacement(
    tmp_path: Path, source: str, found: str
) -> None:
    assert _hits(tmp_path, source) == [f"backend/example.py:{found}"]


@pytest.mark.parametrize(
    ("path", "at"),
    [
        ("backend/place.py", "backend/place.py"),
        ("bench/_place.py", "bench/_place.py"),
        ("tests/place/test_one.py", "tests/place"),
        ("deploy/place/lab/one.py", "deploy/place"),
    ],
)
def test_vocabulary__retired_module_or_folder__found_once(tmp_path: Path, path: str, at: str) -> None:
    hits = _hits(tmp_path, "", path)
    assert len(hits) == 1
    assert hits[0].startswith(f"{at}:1: retired name ")
    assert hits[0].endswith("(module); say 'position'")


@pytest.mark.parametrize(
    "source",
    [
        "position = placement = 1",
        "way = 1",
        "def read(): return place(self.place, place=1)",
        "import place",
        "TEXT = 'place'  # the place",
        "hold = 1",
        "class hold: ...",
    ],
)
def test_vocabulary__other_names_uses_and_texts__not_reported(tmp_path: Path, source: str) -> None:
    assert _hits(tmp_path, source) == []


@pytest.mark.parametrize(
    ("path", "count"),
    [("backend/core/steps/channels/one.py", 0), ("backend/core/steps_of_old/one.py", 1), ("backend/core/one.py", 1)],
)
def test_vocabulary__exception_for_a_folder__holds_there_alone(tmp_path: Path, path: str, count: int) -> None:
    assert len(_hits(tmp_path, "place = 1", path)) == count


@pytest.mark.parametrize(("path", "count"), [("backend/core/tail.py", 1), ("backend/gateway/tail.py", 0)])
def test_vocabulary__name_retired_within_a_folder__free_elsewhere(tmp_path: Path, path: str, count: int) -> None:
    assert len(_hits(tmp_path, "", path)) == count


@pytest.mark.parametrize("path", ["backend/runs/migrations/0001_initial.py", "docs/conf.py", "backend/place.txt"])
def test_vocabulary__migrations_other_folders_and_files__not_read(tmp_path: Path, path: str) -> None:
    assert _hits(tmp_path, "place = 1", path) == []


@pytest.mark.parametrize(("source", "code"), [("place = 1", 1), ("position = 1", 0)])
def test_vocabulary__command__fails_for_a_retired_name_of_the_word_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: str, code: int
) -> None:
    (tmp_path / "backend").mkdir()
    (tmp_path / "backend/example.py").write_text(source)
    monkeypatch.setattr(vocabulary, "ROOT", tmp_path)
    assert vocabulary.main() == code
    assert ("backend/example.py:1: retired name 'place'" in capsys.readouterr().out) is bool(code)


def test_word_list__unknown_kind__refused() -> None:
    with pytest.raises(ValueError, match="method"):
        read_word_list('retired = [{ name = "a", kinds = ["method"], say = "b" }]')


def test_word_list__exception_for_a_name_that_is_not_retired__refused() -> None:
    with pytest.raises(KeyError):
        read_word_list('retired = []\nexceptions = [{ name = "a", path = "b", reason = "c" }]')


def test_word_list__of_the_project__names_kinds_replacements_and_reasons() -> None:
    data = tomllib.loads(WORD_LIST.read_text())
    retired = read_word_list(WORD_LIST.read_text())
    assert len(retired) == len(data["retired"])
    assert all(entry.kinds and entry.say for entry in retired.values())
    assert (retired["hold"].kinds, retired["place"].kinds) == ({Kind.FUNCTION}, set(Kind))
    for entry in data["exceptions"]:
        assert entry["reason"]
        assert (ROOT / entry["path"]).exists()
