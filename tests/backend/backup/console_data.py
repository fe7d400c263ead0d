"""Run as a script in the environment of a console: fills it by its API, goes on writing, or looks into it."""

from __future__ import annotations

import json
import sys
import warnings
from datetime import timedelta

from django.utils import timezone


def fill() -> None:
    """Users, tokens, a link with sealed passwords, a plan, a run by the API, a webhook; prints what a test needs."""
    from backend.monitoring.models import LagBucket
    from backend.operations.runs.models import Run
    from tests.support.console import confirmation, make_caller, make_link, store_plan

    caller, plan = make_caller("olga", "operator"), store_plan(make_link())
    assert caller.post(f"/plans/{plan.id}/runs", confirmation(plan)).status == 202
    admin = make_caller("anna", "admin")
    assert admin.get("/audit/verify").body["ok"]
    known = dict.fromkeys((f"{way}_{what}_known" for way in ("forward", "reverse") for what in ("gap", "lag_s")), 0)
    moments = [timezone.now() - timedelta(seconds=10 * n) for n in range(100)]
    LagBucket.objects.bulk_create(
        LagBucket(link=plan.link, width_s=width, at=at, samples=1, **known) for at in moments for width in (10, 60)
    )
    _say({"token": caller.token, "run": Run.objects.get().pk, "link": plan.link_id})


def write() -> None:
    """Write pairs, an event and an audit record in one transaction, until the process is ended."""
    from django.db import transaction

    from backend.audit.services import record
    from backend.common.events import services as events

    for n in range(1_000_000):
        with transaction.atomic():
            events.raised(link_id="", kind="test.write", severity="info", message=str(n))
            record(actor="zoe", action="test:thing:write", facts={"n": n})
        _say(n)


def observe(token: str) -> None:
    """Whether the token works, the passwords open and the log verifies."""
    from backend.audit.verification.walk import verify
    from backend.clusters.models import Cluster, CredentialRole
    from backend.clusters.selectors import account
    from tests.support.console import Caller

    opened = [account(cluster, role)[1] for cluster in Cluster.objects.all() for role in CredentialRole]
    _say({"status": Caller(token).get("/links").status, "passwords": opened, "ok": verify()["ok"]})


def _say(found: object) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    import django

    django.setup()
    {"fill": fill, "write": write, "observe": observe}[sys.argv[1]](*sys.argv[2:])
