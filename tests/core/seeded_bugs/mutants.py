"""A second copy of the core with one rule taken out, loaded beside the real one; nothing real is touched.

Only what imports a changed module is loaded a second time: a class of another module is the same one in both.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

import backend.core

COPIED = (
    *("backend.core", "tests.fakes", "tests.core", "tests.sim", "tests.oracle"),
    "backend.operations.runs.execution.unfinished_sessions",  # the simulation walks it: it catches the core's own NodeError
)
CORE = Path(backend.core.__file__).parent
Change = tuple[str, str, str]
"""Room of the core (`locate`, `steps.recheck`), the text that states the rule, and what stands there without it."""


def module_with(package: str, rule: str) -> str:
    """The one module of that room that states the rule, once."""
    found = {name: text.count(rule) for name, text in _core_texts().items() if f"{name}.".startswith(f"{package}.")}
    stated = [name for name, times in found.items() if times]
    assert len(stated) == 1, f"{rule!r} stands in {stated or 'no module'} of {package}: write the rule's test again"
    assert found[stated[0]] == 1, f"{rule!r} stands {found[stated[0]]} times in {stated[0]}"
    return f"backend.core.{stated[0]}"


@cache
def _core_texts() -> dict[str, str]:
    return {
        ".".join(path.relative_to(CORE).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in CORE.rglob("*.py")
    }


class _Loader(SourceFileLoader):
    """Compiles the module's text with the changes made; never reads or writes a compiled file."""

    def __init__(self, name: str, path: str, changes: Sequence[Change]) -> None:
        super().__init__(name, path)
        self._changes = changes

    def get_code(self, fullname: str) -> object:  # type: ignore[override]
        text = self.get_source(fullname)
        assert text is not None
        for _, rule, without in self._changes:
            text = text.replace(rule, without)
        return compile(text, self.path, "exec")


class _Finder(MetaPathFinder):
    """Hands out changed modules."""

    def __init__(self, changes: Mapping[str, Sequence[Change]]) -> None:
        self._changes = changes

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Only for the modules to change."""
        del path, target
        if name not in self._changes:
            return None
        file = name.replace(".", "/") + ".py"
        location = str(CORE.parents[1] / file)
        return importlib.util.spec_from_file_location(
            name, location, loader=_Loader(name, location, self._changes[name])
        )


class Copy:
    """Modules of one copy by name; the real ones where none is active."""

    def __getitem__(self, name: str) -> ModuleType:
        """Import from the copy that is active."""
        return importlib.import_module(name)


@contextmanager
def copy_with(*changes: Change) -> Iterator[Copy]:
    """The core and the fakes reloaded with these changes, for the time of the block."""
    by_module: dict[str, list[Change]] = {}
    for change in changes:
        by_module.setdefault(module_with(change[0], change[1]), []).append(change)
    finder = _Finder(by_module)
    real = _take_out(affected_by(by_module))
    sys.meta_path.insert(0, finder)
    try:
        yield Copy()
        for name in by_module:
            assert name in sys.modules, f"{name} was not even used"
    finally:
        sys.meta_path.remove(finder)
        _take_out(affected_by(by_module))
        sys.modules.update(real)
        _bind(real)


def affected_by(changed: Iterable[str]) -> set[str]:
    """These modules and all that import one of them, however indirectly; whatever else is loaded stays the same."""
    affected, found = set[str](), list(changed)
    while found:
        name = found.pop()
        if name not in affected:
            affected.add(name)
            found += _importers().get(name, ())
    return affected


@cache
def _importers() -> dict[str, set[str]]:
    """By module, the copied modules whose text imports it."""
    importers: dict[str, set[str]] = {}
    for path in _copied_files():
        name = ".".join(path.relative_to(CORE.parents[1]).with_suffix("").parts).removesuffix(".__init__")
        for imported in _imports(path.read_text(encoding="utf-8")):
            importers.setdefault(imported, set()).add(name)
    return importers


def _copied_files() -> Iterator[Path]:
    for root in COPIED:
        path = CORE.parents[1] / root.replace(".", "/")
        yield from path.rglob("*.py") if path.is_dir() else [path.with_suffix(".py")]


def _imports(text: str) -> Iterator[str]:
    """Names of modules that a text imports; of `from package import name` both, since the name may be a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _take_out(affected: Set[str]) -> dict[str, ModuleType]:
    """Forget these modules, but not the rules and the tests that take them out."""
    taken = {name: sys.modules.pop(name) for name in [*sys.modules] if name in affected and not _is_bite(name)}
    for name in taken:  # `from package import name` would find it there
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            vars(sys.modules[parent]).pop(child, None)
    return taken


def _is_bite(name: str) -> bool:
    """The rules themselves, and the tests that take them out."""
    return name.startswith("tests.core.seeded_bugs") or name == "tests.core.seeded_bugs.test_seeded_bugs"


def _bind(modules: Mapping[str, ModuleType]) -> None:
    """Packages show their real children again."""
    for name, module in modules.items():
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], child, module)
