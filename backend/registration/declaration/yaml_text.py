"""Reads a YAML text into plain values. A key that stands twice is refused: the first one would be lost silently."""

from __future__ import annotations

from typing import Any

import yaml

from backend.registration.declaration.difference import Fault

_LIMIT_CHARACTERS = 1_000_000


class DeclarationError(Exception):
    """A file that cannot be used, with all faults that were found. Nothing was changed."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def parse_yaml(text: str) -> Any:
    """The values of the text. Its errors name line and column and quote nothing: a line could hold a password."""
    if len(text) > _LIMIT_CHARACTERS:
        raise DeclarationError(Fault("", f"The file has more than {_LIMIT_CHARACTERS} characters. Divide it."))
    try:
        _check_keys(yaml.compose(text, Loader=yaml.SafeLoader), "")
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise DeclarationError(
            Fault("", f"This is not YAML{where}. Correct the indentation and the quotes there.")
        ) from None
    except yaml.YAMLError:
        raise DeclarationError(
            Fault("", "This is not YAML. Save it as UTF-8 text without control characters.")
        ) from None
    except RecursionError:
        raise DeclarationError(Fault("", "The file is nested too deeply, or an alias is part of itself.")) from None


def _check_keys(node: yaml.Node | None, path: str) -> None:
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _check_keys(item, f"{path}[{index}]")
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            key_path = f"{path}.{name}".removeprefix(".")
            if name in seen:
                line = key.start_mark.line + 1
                raise DeclarationError(
                    Fault(key_path, f"This key stands twice, again in line {line}. Keep one of them.")
                )
            seen.add(name)
            _check_keys(value, key_path)
