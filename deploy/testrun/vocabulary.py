"""The vocabulary check reports retired names and idioms: `python -m deploy.testrun.vocabulary`.

`vocabulary.toml` lists them and what replaces each. This module reads the names in Python code, `prose` the idioms.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from deploy.services.process import ROOT
from deploy.testrun.prose import find_idioms, read_idioms

WORD_LIST = Path(__file__).with_name("vocabulary.toml")
FOLDERS = ("backend", "bench", "deploy", "tests")
GENERATED = frozenset({"migrations", "__pycache__"})


class Kind(StrEnum):
    """What a name is the name of."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    VARIABLE = "variable"


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a file defines."""

    line: int
    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class RetiredName:
    """A retired name with its replacement; `within` is the only folder it is retired in, empty for everywhere."""

    name: str
    kinds: frozenset[Kind]
    say: str
    within: str = ""
    allowed_in: tuple[str, ...] = ()

    def applies(self, path: Path, kind: Kind) -> bool:
        """Whether the name is retired as that kind in that file."""
        if kind not in self.kinds or any(path.is_relative_to(allowed) for allowed in self.allowed_in):
            return False
        return not self.within or path.is_relative_to(self.within)


@dataclass(frozen=True, slots=True)
class Hit:
    """A retired name in use."""

    path: Path
    definition: Definition
    say: str

    def __str__(self) -> str:
        """The hit as one line that editors can follow."""
        found = self.definition
        return f"{self.path}:{found.line}: retired name '{found.name}' ({found.kind}); say '{self.say}'"


def read_word_list(text: str) -> dict[str, RetiredName]:
    """The retired names of a word list, each with the exceptions that name it."""
    data = tomllib.loads(text)
    allowed: dict[str, list[str]] = {entry["name"]: [] for entry in data["retired"]}
    for exception in data.get("exceptions", []):
        allowed[exception["name"]].append(exception["path"])
    return {entry["name"]: _retired_name(entry, allowed[entry["name"]]) for entry in data["retired"]}


def _retired_name(entry: dict[str, Any], allowed_in: list[str]) -> RetiredName:
    """One entry of the word list; an unknown kind raises ValueError."""
    kinds = frozenset(Kind(kind) for kind in entry["kinds"])
    return RetiredName(entry["name"], kinds, entry["say"], entry.get("within", ""), tuple(allowed_in))


def definitions(source: str) -> Iterator[Definition]:
    """Every class, function and variable that the source defines, in no particular order."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ClassDef(name=name):
                yield Definition(node.lineno, name, Kind.CLASS)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield Definition(node.lineno, name, Kind.FUNCTION)
            case _:
                yield from _variables(node)


def _variables(node: ast.AST) -> Iterator[Definition]:
    """The variables that one node of the syntax tree binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield Definition(node.lineno, name, Kind.VARIABLE)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield Definition(node.lineno, name, Kind.VARIABLE)
        case ast.MatchMapping(rest=str(name)):
            yield Definition(node.lineno, name, Kind.VARIABLE)
        case ast.alias(asname=str(name)):
            yield Definition(node.lineno, name, Kind.VARIABLE)
        case _:
            return


def python_files(root: Path) -> Iterator[Path]:
    """The Python files under the checked folders, relative to `root`, without generated ones."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            relative = path.relative_to(root)
            if GENERATED.isdisjoint(relative.parts):
                yield relative


def modules(files: Iterable[Path]) -> Iterator[tuple[Path, Definition]]:
    """The module that each file is, and every folder above the files once."""
    folders: dict[Path, None] = {}
    for path in files:
        folders.update(dict.fromkeys(path.parents[:-1]))
        yield path, Definition(1, path.stem, Kind.MODULE)
    for folder in folders:
        yield folder, Definition(1, folder.name, Kind.MODULE)


def find_retired(root: Path, retired: dict[str, RetiredName]) -> list[Hit]:
    """Every use of a retired name under `root`, by path and line."""
    files = list(python_files(root))
    defined = [*modules(files)]
    for path in files:
        defined += [(path, definition) for definition in definitions((root / path).read_text())]
    hits = (_hit(path, definition, retired) for path, definition in defined)
    return sorted((hit for hit in hits if hit), key=lambda hit: (hit.path, hit.definition.line))


def _hit(path: Path, definition: Definition, retired: dict[str, RetiredName]) -> Hit | None:
    """The hit for a definition whose name is retired, None for any other."""
    entry = retired.get(definition.name.lstrip("_"))
    if entry is None or not entry.applies(path, definition.kind):
        return None
    return Hit(path, definition, entry.say)


def main() -> int:
    """Prints each hit; exit code 1 if there is one."""
    word_list = WORD_LIST.read_text()
    hits = [*find_retired(ROOT, read_word_list(word_list)), *find_idioms(ROOT, read_idioms(word_list))]
    for hit in hits:
        print(hit)
    return 1 if hits else 0


if __name__ == "__main__":
    raise SystemExit(main())
