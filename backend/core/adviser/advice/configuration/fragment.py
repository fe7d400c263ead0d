"""The lines of a node's configuration file that keep its changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.advice.options.known import KNOWN, OF_NODE
from backend.core.adviser.advice.options.parse import HIDDEN
from backend.core.adviser.advice.options.values import same
from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE, PLUGIN_PREFIX

_UNSAFE = frozenset('"\\;#')


def fragment(node: NodeConfiguration, changes: Sequence[ConfigurationChange]) -> str:
    """The fragment for one node; empty where nothing changes.

    One line holds all provider options, and a second one replaces it. So the options that the node has set otherwise
    are in it, too: those that differ from the known defaults.
    """
    own = [change for change in changes if change.node == node.name]
    if not own:
        return ""
    options = [change for change in own if change.is_option]
    lines = list(_plugin_lines(options) if node.has_plugin else _option_lines(node, options)) if options else []
    lines += [f"{change.name} = {change.after}" for change in own if not change.is_option and _is_safe(change.after)]
    return "\n".join([f"# {node.name}", "[mysqld]", *lines]) + "\n"


def _plugin_lines(options: Sequence[ConfigurationChange]) -> Iterator[str]:
    for change in options:
        if _is_safe(change.after):
            yield f"{PLUGIN_PREFIX}{change.name.replace('.', '_')} = {change.after}"


def _option_lines(node: NodeConfiguration, options: Sequence[ConfigurationChange]) -> Iterator[str]:
    wanted = {name: value for name, value in node.options.items() if _is_set(name, value)}
    wanted |= {change.name: change.after for change in options}
    lasting = {name: value for name, value in wanted.items() if _is_kept(name, value)}
    left_out = [name for name, value in node.options.items() if _is_left_out(name, value)]
    yield f"# One line holds all provider options: let it replace the {OPTIONS_VARIABLE} that you have."
    if left_out:
        yield f"# Add what you have set of: {', '.join(sorted(left_out))}"
    yield f'{OPTIONS_VARIABLE} = "{"; ".join(f"{name}={value}" for name, value in sorted(lasting.items()))}"'


def _is_set(name: str, value: str) -> bool:
    """Whether the node has another value than the default; an option without a known default is not judged."""
    known = KNOWN.get(name)
    return known is not None and known.default is not None and not same(value, known.default)


def _is_kept(name: str, value: str) -> bool:
    """Whether the line needs it: a value that is the default is best left out."""
    return _is_set(name, value) and _is_safe(value)


def _is_left_out(name: str, value: str) -> bool:
    """Whether only the operator knows if the configuration file has it."""
    known = KNOWN.get(name)
    is_own = name in OF_NODE or known is None or known.default is None
    return value == HIDDEN or (bool(value) and (is_own or not _is_safe(value)))


def _is_safe(value: str) -> bool:
    """Whether it can stand in a line of a configuration file."""
    return value.isprintable() and not _UNSAFE & set(value)
