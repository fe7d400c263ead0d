"""What the source of the console does nowhere: each rule is a pattern, and what is allowed is named with its file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from deploy.services.process import ROOT

DYNAMIC = {"eval", "exec", "compile", "__import__"}
UNSAFE = {
    "pickle", "marshal", "shelve", "xml", "lxml", "telnetlib", "dill", "subprocess", "pty", "commands",
}  # fmt: skip
PROGRAMS = {"backend/config/doctor/parts.py"}
PAGES = r"dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\("
WEAK = r"hashlib\.(md5|sha1)\b|\bDES\b|Blowfish|modes\.ECB|\brandom\.(random|choice|randint|token)|uuid1\("
WEAK_ALLOWED = {"backend/gateway/account_statements.py": "the hash of mysql_native_password"}


@cache
def python() -> tuple[tuple[str, str], ...]:
    """Every module of the console."""
    files = (ROOT / "backend").rglob("*.py")
    return tuple((str(file.relative_to(ROOT)), file.read_text()) for file in files if "migrations" not in file.parts)


@cache
def pages() -> tuple[tuple[str, str], ...]:
    """Every module of the pages."""
    files = [file for kind in ("*.ts", "*.tsx") for file in (ROOT / "frontend/src").rglob(kind)]
    return tuple((str(file.relative_to(ROOT)), file.read_text()) for file in files if ".test." not in file.name)


def dynamic_calls(text: str) -> Iterator[str]:
    """Calls that run built code, imports of unsafe modules, and programs started through a shell."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DYNAMIC:
            yield node.func.id
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.partition(".")[0] in UNSAFE)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in UNSAFE:
            yield str(node.module)
        if isinstance(node, ast.keyword) and node.arg == "shell":
            yield "shell"
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.system", "os.popen", "yaml.load"):
            yield ast.unparse(node)


def test_source__dynamic_code_and_unsafe_parsers__are_nowhere() -> None:
    found = [f"{file}: {call}" for file, text in python() for call in dynamic_calls(text) if file not in PROGRAMS]
    found += [f"{file}: {match[0]}" for file, text in pages() for match in re.finditer(PAGES, text)]
    assert not found, "\n".join(found)


def test_source__a_module_that_runs_built_code__is_noticed() -> None:
    text = "import pickle\nimport xml.sax\nfrom os import system\neval('1')\nrun(x, shell=True)\nos.system('ls')\n"
    assert sorted(dynamic_calls(text)) == ["eval", "os.system", "pickle", "shell", "xml.sax"]


def test_source__weak_algorithms__only_where_a_protocol_demands_them() -> None:
    found = {file for file, text in python() if re.search(WEAK, text)}
    assert found == set(WEAK_ALLOWED)


def test_source__browser_storage__only_through_the_module_of_preferences() -> None:
    storage = {
        file for file, text in pages() if re.search(r"\b(local|session)Storage\b|indexedDB|document\.cookie", text)
    }
    # Around a sign-in at a provider the page keeps which address of the console was asked for;
    # a page whose code could not be loaded keeps when it reloaded, so that it does so once a minute.
    asked_for, reloaded_at = (
        "frontend/src/features/identity/sign-in/redirect-path.ts",
        "frontend/src/app/layout/use-reload.ts",
    )
    preferences = {"frontend/src/lib/local-preferences.ts", "frontend/src/api/client.ts"}
    assert storage <= preferences | {asked_for, reloaded_at}, storage
