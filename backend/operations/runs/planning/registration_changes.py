"""What of the registration is not as the plan found it: link, clusters, accounts, addresses of webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from backend.clusters.versions import registered_versions
from backend.common.sealing import SealError
from backend.notifications.hooks.address import is_address_digest
from backend.notifications.hooks.models import Hook
from backend.operations.runs.models import Plan


def registration_changes(plan: Plan) -> list[dict[str, Any]]:
    """What has changed since, in the form of changed facts; [] if nothing has.

    An account that was replaced is a later version of its cluster.
    """
    return [*_versions(plan), *_addresses(plan)]


def registration_changed(changes: list[dict[str, Any]]) -> str:
    """The sentence about them."""
    names = ", ".join(str(one["fact"]) for one in changes)
    return f"Changed after this plan was created: {names}. Nothing was sent. Create a new plan."


def _versions(plan: Plan) -> Iterator[dict[str, Any]]:
    planned, now = plan.registered_versions, registered_versions(plan.link)
    link = plan.link
    names = {one.pk: f"registration of {one.name}" for one in (link, link.active_cluster, link.standby_cluster)}
    for pk in sorted(planned.keys() | now.keys()):
        if planned.get(pk) != now.get(pk):
            yield {"fact": names.get(pk, pk), "planned": planned.get(pk), "now": now.get(pk)}


def _addresses(plan: Plan) -> Iterator[dict[str, Any]]:
    for step in plan.body["steps"]:
        params = step["params"]
        if step["code"] == "hook" and not _is_same(params):
            yield {"fact": f"address of the webhook {params['name']}", "planned": "as approved", "now": "another"}


def _is_same(params: dict[str, Any]) -> bool:
    """A webhook that is gone is called at no other address; a URL that nobody can read is not known to be the same."""
    hook = Hook.objects.filter(pk=params["hook_id"]).first()
    try:
        return hook is None or is_address_digest(str(params.get("address_digest")), hook)
    except SealError:
        return False
