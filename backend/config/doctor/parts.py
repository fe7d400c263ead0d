"""What a support engineer asks for, part by part; each is plain data, read when it is called."""

from __future__ import annotations

import os
import platform
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import distributions
from typing import Any, Final

import redis
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from backend.api.health import readiness
from backend.clusters.models import Cluster, Link
from backend.common.broker_queue import waiting_messages
from backend.common.events.models import Event
from backend.common.models import ProcessHeartbeat
from backend.config import data_at_rest, env, setting_report
from backend.monitoring.ownership.shares import shares, takeovers
from backend.monitoring.selectors import cluster_views, link_view
from backend.operations.runs.models import Run
from backend.operations.runs.selectors import run_view, runs_whole

RUNS: Final = 20
EVENTS: Final = 500
_REDIS_FACTS: Final = ("redis_version", "uptime_in_seconds", "connected_clients", "used_memory", "maxmemory", "role")


def about() -> dict[str, Any]:
    """The version, the host, its Python, and every installed package with its version."""
    return {
        "hawser": settings.HAWSER_VERSION,
        "at": timezone.now(),
        "host": socket.gethostname(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "load": os.getloadavg(),
        "python": sys.version,
        "packages": dict(sorted((one.name, one.version) for one in distributions())),
    }


def setting_values() -> dict[str, Any]:
    """Every setting in force with its origin; secrets are masked."""
    return {
        "settings": setting_report.in_force(env.READINGS),
        "unknown": setting_report.unknown_names(os.environ),
    }


def processes() -> list[Mapping[str, Any]]:
    """Heartbeats of the last hour."""
    rows = ProcessHeartbeat.objects.order_by("kind", "instance")
    return list(rows.values("kind", "instance", "seen_at", "clock_offset_s"))


def monitors() -> dict[str, Any]:
    """How many links each living monitor owns, the links that none owns, and what was taken from lost monitors."""
    return asdict(shares()) | {"takeovers": takeovers()}


def database() -> dict[str, Any]:
    """The console's own database: version, encryption, migrations that are missing, and rows of each table."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return {
        "vendor": connection.vendor,
        "version": ".".join(str(part) for part in connection.get_database_version()),
        "data_at_rest": _data_at_rest(),
        "migrations_missing": [f"{migration.app_label}.{migration.name}" for migration, _ in missing],
        "rows": [[model._meta.db_table, model._default_manager.count()] for model in apps.get_models()],  # noqa: SLF001
    }


def _data_at_rest() -> dict[str, str]:
    if connection.vendor == "sqlite":
        return {}
    with connection.cursor() as cursor:
        return data_at_rest.values(cursor)


def broker() -> dict[str, Any]:
    """Redis: what it says of itself, and the messages that wait."""
    client = redis.Redis.from_url(settings.HAWSER_REDIS_URL, socket_connect_timeout=2, socket_timeout=2)
    try:
        facts: Mapping[str, Any] = client.info()
        return {name: facts.get(name) for name in _REDIS_FACTS} | {"waiting": waiting_messages()}
    finally:
        client.close()


def links() -> list[dict[str, Any]]:
    """Every link with its state, channels and findings."""
    return [link_view(link, detailed=True) for link in Link.objects.order_by("name")]


def clusters() -> list[dict[str, Any]]:
    """Every cluster with its nodes."""
    return cluster_views(Cluster.objects.order_by("name"))


def runs() -> list[dict[str, Any]]:
    """The newest runs with steps and statements; rows of applications are masked."""
    newest = Run.objects.order_by("-created_at").values_list("pk", flat=True)[:RUNS]
    return [run_view(run, shows_rows=False) for run in runs_whole(list(newest))]


def events() -> list[Mapping[str, Any]]:
    """The newest events."""
    rows = Event.objects.order_by("-id").values("id", "at", "type", "link_id", "run_id", "data")
    return list(rows[:EVENTS])


PARTS: Final[Mapping[str, Callable[[], Any]]] = {
    "about": about,
    "settings": setting_values,
    "readiness": readiness,
    "processes": processes,
    "monitors": monitors,
    "database": database,
    "redis": broker,
    "links": links,
    "clusters": clusters,
    "runs": runs,
    "events": events,
}
