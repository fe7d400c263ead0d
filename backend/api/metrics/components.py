"""The console's own parts: what `/readyz` says of each, silence of its processes, its queue and its webhooks."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from backend.api.health import clock_offsets, readiness
from backend.common.broker_queue import waiting_messages
from backend.common.heartbeats import silence
from backend.monitoring.ownership.shares import shares, takeovers
from backend.notifications.hooks.models import Delivery, DeliveryState


def families() -> Iterator[Metric]:
    """One family after the other."""
    yield _components()
    yield _silence()
    yield _clocks()
    yield from _monitors()
    yield _queue()
    yield from _deliveries()


def _components() -> Metric:
    family = GaugeMetricFamily("hawser_component_ok", "1 if /readyz says ok of the component", labels=["component"])
    for name, part in readiness()["parts"].items():
        family.add_metric([name], float(part["ok"]))
    return family


def _silence() -> Metric:
    family = GaugeMetricFamily("hawser_process_silence_seconds", "Seconds since the last heartbeat", labels=["kind"])
    for kind in ("worker", "monitor"):
        since = silence(kind)
        if since is not None:
            family.add_metric([kind], since.total_seconds())
    return family


def _clocks() -> Metric:
    family = GaugeMetricFamily(
        "hawser_clock_offset_seconds", "Seconds a process is ahead of the database", labels=["kind", "instance"]
    )
    for (kind, instance), by_s in clock_offsets().items():
        family.add_metric([kind, instance], by_s)
    return family


def _monitors() -> Iterator[Metric]:
    shared = shares()
    family = GaugeMetricFamily("hawser_monitor_links", "Links that a monitor polls and stores", labels=["monitor"])
    for monitor, links in shared.by_monitor.items():
        family.add_metric([monitor], float(links))
    yield family
    unowned = float(len(shared.without_owner))
    yield GaugeMetricFamily("hawser_links_without_owner", "Links that no living monitor owns", value=unowned)
    taken = CounterMetricFamily("hawser_monitor_takeovers", "Clusters taken from a monitor that was lost")
    taken.add_metric([], float(takeovers()))
    yield taken


def _queue() -> Metric:
    family = GaugeMetricFamily(
        "hawser_queue_messages", "Messages in Redis that no worker has taken; absent without Redis"
    )
    waiting = waiting_messages()
    if waiting is not None:
        family.add_metric([], float(waiting))
    return family


def _deliveries() -> Iterator[Metric]:
    pending = Delivery.objects.filter(state=DeliveryState.PENDING, due_at__isnull=False, hook__enabled=True)
    counted = pending.aggregate(n=Count("id"), since=Min("created_at"))
    age_s = (timezone.now() - counted["since"]).total_seconds() if counted["since"] else 0.0
    yield GaugeMetricFamily("hawser_webhook_pending", "Notifications not delivered yet", value=float(counted["n"]))
    yield GaugeMetricFamily("hawser_webhook_pending_oldest_seconds", "Age of the oldest of them", value=age_s)
    failed = Delivery.objects.filter(state=DeliveryState.FAILED).count()
    yield GaugeMetricFamily(
        "hawser_webhook_failed", "Calls of the last 30 days that were given up", value=float(failed)
    )
