"""Compares the network settings that a user pasted; nothing is stored, and no host is asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from backend.adviser.advice.configurations import cluster_configuration
from backend.adviser.advice.outputs import HostSettings
from backend.clusters.models import Cluster, Node
from backend.common.errors import invalid
from backend.core.adviser.advice.host_settings.parse import HostSettingsError, parse_host_settings
from backend.core.adviser.advice.host_settings.table import compare_host
from backend.core.adviser.advice.layout import Layout, layout_of


def compare_pasted(cluster: Cluster, text: str, chosen: Layout | None, now: datetime) -> HostSettings:
    """The hosts of the text, compared with the chosen profile or the one that fits the cluster."""
    try:
        hosts = parse_host_settings(text)
    except HostSettingsError as error:
        raise invalid("text", str(error)) from error
    layout = chosen or layout_of(cluster_configuration(cluster, now))
    nodes = Node.objects.filter(pk__in=[host.node_id for host in hosts]).select_related("cluster")
    names = {node.pk: f"{node.name} of {node.cluster.name}" for node in nodes}
    compared = [compare_host(host, layout) for host in hosts]
    return HostSettings(layout, tuple(replace(one, host=names.get(one.host, one.host)) for one in compared))
