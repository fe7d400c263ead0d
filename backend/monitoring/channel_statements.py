"""On which nodes a run has a statement under way that changes channels: some releases may end when read meanwhile."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string


def changing_nodes(except_run: str = "") -> frozenset[str]:
    """Their ids; a run itself reads between its own statements."""
    found: frozenset[str] = import_string(settings.HAWSER_CHANNEL_STATEMENTS)(except_run)
    return found
