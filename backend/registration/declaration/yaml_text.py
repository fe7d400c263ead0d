"""Reads a YAML text into plain values. A key that stands twice is refused: the first one would be lost silently."""

from __future__ import annotations

from typing import Any

import yaml

from backend.registration.declaration.difference import Fault

MAX_CHARACTERS = 1_000_000
MAX_VALUES = 50_000
"""Limit of values, with each alias counted as what it stands for: a short text of aliases can stand for billions."""


class DeclarationError(Exception):
    """A file that cannot be used, with all faults that were found. Nothing was changed."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def parse_yaml(text: str) -> Any:
    """The values of the text. Its errors name line and column and quote nothing: a line could hold a password."""
    if len(text) > MAX_CHARACTERS:
        raise _fault(f"The file has more than {MAX_CHARACTERS} characters. Divide it.")
    try:
        # Not the loader in C: it ends the process where brackets are nested some 100,000 deep.
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        _Nodes().count(node, "")
        return None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise _fault(f"This is not YAML{where}. Correct the indentation and the quotes there.") from None
    except yaml.YAMLError:
        raise _fault("This is not YAML. Save it as UTF-8 text without control characters.") from None
    except ValueError:
        raise _fault("A value looks like a date or a number and is none. Write such values in quotes.") from None
    except RecursionError:
        raise _nested() from None


def _fault(message: str, path: str = "") -> DeclarationError:
    return DeclarationError(Fault(path, message))


def _nested() -> DeclarationError:
    return _fault("The file is nested too deeply, or an alias is part of itself.")


class _Nodes:
    """Checks each node once, however many aliases stand for it."""

    def __init__(self) -> None:
        self._sizes: dict[int, int | None] = {}
        """Values of a node by its identity; None while its parts are counted."""

    def count(self, node: yaml.Node | None, path: str) -> int:
        """The number of values; raises DeclarationError beyond the limit, and for a key that stands twice."""
        if id(node) not in self._sizes:
            self._sizes[id(node)] = None
            self._sizes[id(node)] = 1 + self._parts(node, path)
        size = self._sizes[id(node)]
        if size is None:
            raise _nested()
        if size > MAX_VALUES:
            raise _fault(f"The file has more than {MAX_VALUES} values, aliases written out. Divide it.")
        return size

    def _parts(self, node: yaml.Node | None, path: str) -> int:
        if isinstance(node, yaml.SequenceNode):
            return sum(self.count(item, f"{path}[{index}]") for index, item in enumerate(node.value))
        return self._members(node, path) if isinstance(node, yaml.MappingNode) else 0

    def _members(self, node: yaml.MappingNode, path: str) -> int:
        seen: set[str] = set()
        size = 0
        for key, value in node.value:
            name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
            key_path = f"{path}.{name}".removeprefix(".")
            if name in seen:
                raise _fault(f"This key stands twice, again in line {key.start_mark.line + 1}. Keep one.", key_path)
            seen.add(name)
            size += self.count(value, key_path)
        return size
