"""A node's configuration as plain data, so that what was read can be stored. It holds no password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from backend.core.adviser.advice.facts import NodeConfiguration


def configuration_to_json(node: NodeConfiguration) -> dict[str, Any]:
    """Everything that was read."""
    return asdict(node)


def configuration_from_json(data: Mapping[str, Any]) -> NodeConfiguration:
    """Inverse of `configuration_to_json`; TypeError for data of another shape."""
    return NodeConfiguration(**data)
