"""What waits for a second person, and how often the rules of access were refused or bypassed."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from backend.audit.forwarding.forwarder import waiting_records
from backend.audit.models import AuditRecord
from backend.identity.accounts import protected_changes
from backend.identity.accounts.persons import BREAK_GLASS
from backend.operations.runs.selectors import unreviewed_exceptions, waiting_rows

COUNTED_ACTIONS = {
    "session:user:sign_in_failed": "hawser_sign_in_failures",
    "session:user:throttled": "hawser_sign_ins_throttled",
    "api:access:refused": "hawser_access_refused_records",
    "api:access:throttled": "hawser_access_throttled_records",
}
"""Actions of the audit log that are counted; the log is never shortened, so each is a counter."""


def families() -> Iterator[Metric]:
    """One family after the other."""
    yield from _waiting()
    yield from _audited()
    yield _at_the_shell()
    yield _not_forwarded()


def _waiting() -> Iterator[Metric]:
    since = {
        "run": [run.approval_requested_at or run.created_at for run in waiting_rows(None)],
        "protected_change": list(protected_changes.waiting().values_list("requested_at", flat=True)),
        "exception_review": [row["at"] for row in unreviewed_exceptions(None)],
    }
    count = GaugeMetricFamily("hawser_waiting", "Decisions waiting for a second person", labels=["kind"])
    age = GaugeMetricFamily("hawser_waiting_oldest_seconds", "Waiting time of the oldest decision", labels=["kind"])
    for kind, times in since.items():
        count.add_metric([kind], float(len(times)))
        age.add_metric([kind], (timezone.now() - min(times)).total_seconds() if times else 0.0)
    yield count
    yield age


def _audited() -> Iterator[Metric]:
    rows = AuditRecord.objects.filter(action__in=COUNTED_ACTIONS).values_list("action").annotate(n=Count("seq"))
    counted = dict(rows.order_by("action"))
    for action, name in COUNTED_ACTIONS.items():
        yield CounterMetricFamily(name, f"Records of {action} in the audit log", value=float(counted.get(action, 0)))


def _not_forwarded() -> Metric:
    found = GaugeMetricFamily(
        "hawser_audit_waiting_records", "Audit records that a receiver does not have yet", labels=["receiver"]
    )
    for receiver, records in waiting_records().items():
        found.add_metric([receiver], float(records))
    return found


def _at_the_shell() -> Metric:
    records = AuditRecord.objects.filter(actor__startswith=BREAK_GLASS).count()
    return CounterMetricFamily(
        "hawser_break_glass_records", "Records in the audit log of what was done at the shell", value=float(records)
    )
