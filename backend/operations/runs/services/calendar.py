"""The change calendar at the start of a run: it allows it, a person overrides it, or the run is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import ProblemError, conflict, forbidden
from backend.common.roles import Permission
from backend.core.change_calendar.decision import Objection, next_common_start
from backend.identity.accounts.models import User
from backend.operations.change_calendar.selectors import calendar_of, judgement_of, objections_of
from backend.operations.change_calendar.services import override_store
from backend.operations.runs.asked_links import asked_links
from backend.operations.runs.held_permissions import first_refusing
from backend.operations.runs.models import CALENDAR_OVERRIDE, Plan, Run


@dataclass(frozen=True, slots=True)
class CalendarDecision:
    """What the calendar objects to a start, and why a person starts it all the same."""

    found: tuple[Objection, ...] = ()
    reason: str = ""

    def facts(self, actor: str) -> dict[str, Any]:
        """What the run shows of it."""
        if not self.found:
            return {}
        sentences = [one.sentence for one in self.found]
        at = timezone.now().isoformat()
        return {CALENDAR_OVERRIDE: {"by": actor, "reason": self.reason, "at": at, "objections": sentences}}


def calendar_to_override(plan: Plan, reason: str) -> CalendarDecision:
    """Raise 409 if a calendar objects and no reason to override it is given."""
    links = asked_links(plan)
    found = objections_of(links, plan.kind)
    if found and not reason:
        raise _not_allowed(links, found)
    return CalendarDecision(found, reason if found else "")


def override_calendar_of(run: Run, decision: CalendarDecision) -> None:
    """Store the override of the run that is being created, if it has one."""
    if decision.found:
        override_store(
            actor=run.requested_by,
            plan_id=run.plan_id,
            run_id=run.pk,
            link_id=run.link_id,
            digest=run.plan.digest,
            reason=decision.reason,
            found=decision.found,
        )


def check_calendar(run: Run) -> None:
    """Raise 409 if a run that waits could not start now."""
    links = asked_links(run.plan)
    judged = judgement_of(links, run.kind, plan_id=run.plan_id, run_id=run.pk, digest=run.plan.digest)
    if judged.standing:
        raise _not_allowed(links, judged.standing)


def check_may_override(user: User, reason: str, plan: Plan) -> None:
    """Raise 403 if a reason to override the calendar is given by a user who may not, on each link that is asked."""
    refusing = first_refusing(user, Permission.OVERRIDE_CALENDAR, asked_links(plan)) if reason else None
    if refusing is not None:
        raise forbidden(
            "override_not_permitted",
            f"Your role on {refusing.name} does not include overriding the change calendar. Nothing was sent. Start "
            "the run when the calendar allows it, or have a user with the role approver start it.",
        )


def _not_allowed(links: Sequence[Link], found: tuple[Objection, ...]) -> ProblemError:
    start = next_common_start([calendar_of(link.pk) for link in links], timezone.now())
    sentences = " ".join(one.sentence for one in found)
    return conflict(
        "change_not_allowed",
        f"{sentences} Nothing was sent. Start it when the calendar allows it, or override it with a reason.",
        objections=[asdict(one) for one in found],
        next_start=start,
    )
