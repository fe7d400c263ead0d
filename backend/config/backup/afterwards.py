"""What a restored database must not go on with: it knows nothing of what happened after the backup.

A token may have been revoked since, a run finished by another worker, a link moved. So whatever would go on
without an operator stops here.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, Max
from django.db.models.functions import Coalesce, Now

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.common.models import IdempotencyRecord
from backend.config.backup.manifest import Manifest
from backend.core.automation import Mode
from backend.identity.accounts.access import end_all_access
from backend.identity.accounts.installation import end_installation
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from backend.notifications.web_push.models import MessageState, PushMessage
from backend.operations.automation.models import AutomaticStart, LinkAutomation
from backend.operations.incidents.models import Incident, IncidentState
from backend.operations.runs import states
from backend.operations.runs.models import RESTORED_AT_EPOCH, Run, RunState

_NOT_SENT: Final = "Not sent: the console's database was restored."
_OUTCOME: Final = "The console's database was restored from a backup made while this run was not finished."
_INCIDENT_OUTCOME: Final = "Stopped, because the console's database was restored. Nothing new is started."
_NEXT: Final = (
    "Compare the channels with the link's page: the run may have gone on after the backup. Then resume it, which "
    "observes first, or abort it. Until then new plans are refused."
)


def stop_everything(manifest: Manifest, *, actor: str, reason: str, damage: str) -> dict[str, Any]:
    """End access, stop what would go on without an operator, and record the restore; returns what was stopped."""
    facts: dict[str, Any] = {
        "made_at": manifest.made_at,
        "made_by_version": manifest.version,
        "rows": manifest.rows,
        "audit_seq": manifest.audit_seq,
        "audit_damage": damage,
        **end_all_access(),
        "runs_stopped": _stop_runs(),
        "incidents_stopped": _stop_incidents(),
        "automatic_off": _switch_off_automation(),
        "messages_dropped": _drop_messages(),
    }
    end_installation()  # a backup made during it knows nothing of the administrators who came after
    IdempotencyRecord.objects.filter(status=None).delete()
    events.raised(
        link_id="",
        kind="database.restored",
        severity="blocker",
        message=f"The console's database was restored from the backup of {manifest.made_at}. All sessions and tokens "
        "were ended. Review users, roles and links.",
    )
    audit.record(actor=actor, action="cli:console:restore", reason=reason, facts=facts)
    return facts


def _stop_runs() -> list[str]:
    """Unfinished runs wait for an operator. A worker would otherwise claim each of them: all leases have expired.

    One that had not started counts as started, because it may have been started after the backup.
    """
    unfinished = list(Run.objects.exclude(state__in=states.FINAL).order_by("created_at"))
    for run in unfinished:
        epoch = run.epoch + 1
        Run.objects.filter(pk=run.pk).update(
            state=RunState.NEEDS_OPERATOR.value,
            authorization="",
            owner="",
            lease_until=None,
            epoch=epoch,
            version=F("version") + 1,
            started_at=Coalesce("started_at", Now()),
            facts={**run.facts, RESTORED_AT_EPOCH: epoch},
            outcome=_OUTCOME,
            next_action=_NEXT,
        )
    return [run.pk for run in unfinished]


def _stop_incidents() -> list[str]:
    """Running incidents start nothing more until they are confirmed again."""
    running = Incident.objects.filter(state=IncidentState.RUNNING.value)
    ids = list(running.values_list("pk", flat=True))
    running.update(state=IncidentState.STOPPED.value, version=F("version") + 1, outcome=_INCIDENT_OUTCOME)
    return ids


def _switch_off_automation() -> list[str]:
    """Links whose automatic relocate or start is off now."""
    relocates = LinkAutomation.objects.exclude(mode=Mode.OFF.value)
    starts = AutomaticStart.objects.filter(enabled=True)
    links = sorted({*relocates.values_list("link_id", flat=True), *starts.values_list("link_id", flat=True)})
    relocates.update(mode=Mode.OFF.value)
    starts.update(enabled=False, version=F("version") + 1)
    return links


def _drop_messages() -> int:
    """Messages that were not sent yet: an old one that says which site is active would move applications."""
    pending = Delivery.objects.filter(state=DeliveryState.PENDING)
    calls = pending.update(state=DeliveryState.FAILED, due_at=None, error=_NOT_SENT)
    pushes = PushMessage.objects.filter(state=MessageState.PENDING).update(state=MessageState.FAILED, due_at=None)
    newest = Event.objects.aggregate(newest=Max("id"))["newest"] or 0
    Hook.every.update(event_cursor=newest)
    return calls + pushes
