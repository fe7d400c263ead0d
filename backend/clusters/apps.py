"""Django application of clusters and links."""

from __future__ import annotations

from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Holds clusters, nodes, links and credentials."""

    name = "backend.clusters"
    label = "clusters"

    def ready(self) -> None:
        """Register what confirming and rejecting the end of a link's approval rule does."""
        from backend.accounts import protected_changes
        from backend.clusters import services

        off = protected_changes.Handler(services.approval_rule_off, services.approval_rule_stays)
        protected_changes.register({services.RULE_OFF: off})
