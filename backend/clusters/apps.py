"""Django application of clusters and links."""

from __future__ import annotations

from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Holds clusters, nodes, links and credentials."""

    name = "backend.clusters"
    label = "clusters"
