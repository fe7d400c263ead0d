"""Provider options as a server shows them: one text, or a variable each. Passwords never leave this module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE, PLUGIN_PREFIX

HIDDEN: Final = "(hidden)"
_GROUPS: Final = ("cert", "evs", "gcache", "gcomm", "gcs", "gmcast", "ist", "pc", "protonet", "repl", "socket")


def parse_options(text: str) -> dict[str, str]:
    """The options of `wsrep_provider_options`; of a name that occurs twice the last value, as the provider does."""
    pairs = (part.partition("=") for part in text.split(";"))
    named = ((name.strip(), value.strip()) for name, equals, value in pairs if equals)
    return {name: _shown(name, value) for name, value in named if name}


def plugin_options(variables: Mapping[str, str]) -> dict[str, str]:
    """The options that the plugin shows as variables: `wsrep_provider_evs_send_window` is evs.send_window."""
    found = {}
    for variable, value in variables.items():
        if variable.startswith(PLUGIN_PREFIX) and variable != OPTIONS_VARIABLE:
            group, _, rest = variable.removeprefix(PLUGIN_PREFIX).partition("_")
            name = f"{group}.{rest}" if group in _GROUPS and rest else variable.removeprefix(PLUGIN_PREFIX)
            found[name] = _shown(name, value)
    return found


def _shown(name: str, value: str) -> str:
    """The value; of a password only that there is one. The path of a password's file is no secret."""
    is_secret = "password" in name.lower() and not name.lower().endswith("_file")
    return HIDDEN if is_secret and value else value
