"""Takes results in: signed ones with a token, and pasted ones from a signed-in operator. Wrong ones leave nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from backend.adviser.network.models import NetworkMeasurement, ProbeToken
from backend.adviser.network.tokens import live_token, nodes_of
from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.clusters.selectors import registered_link_get
from backend.common import heartbeats
from backend.common.actors import NETWORK_PROBE
from backend.common.errors import invalid
from backend.common.retention import delete_in_portions
from backend.core.adviser.network.measurement import Measurement
from backend.core.adviser.network.probe_result import ProbeResult, is_signed_with, parse_probe, read_probe
from backend.core.adviser.network.values import ResultError

MAX_AGE = timedelta(days=1)
MAX_AHEAD = timedelta(minutes=5)
KEEP = timedelta(days=400)
KEPT_OF_A_LINK = 200
T = TypeVar("T")


@transaction.atomic
def result_receive(*, secret: str, result: Mapping[str, Any]) -> NetworkMeasurement:
    """Store what a host sent; the token is used up only by a result that is stored."""
    token = live_token(secret)
    if not is_signed_with(result, secret):
        raise invalid(
            "result.signature",
            "The signature does not fit: the result was changed after it was measured, or measured with another "
            "token. Nothing was stored. Send it as the script printed it, or measure again.",
        )
    found = _read(lambda: read_probe(result), "result")
    for field, given, expected in (
        ("link_id", found.link_id, token.link_id),
        ("from_node", found.from_node, token.from_node_id),
        ("to_node", found.to_node, token.to_node_id),
    ):
        if given != expected:
            raise invalid(
                f"result.{field}",
                f"The token is for {expected}, and the result says {given[:40]}. Nothing was stored. "
                "Run the script with the command that the page shows.",
            )
    link = registered_link_get(token.link_id)
    near, far = nodes_of(link, found.from_node, found.to_node)
    stored = _store(
        link, near, far, found.measurement, _time_of(found.measurement, "result.started_at"), result, NETWORK_PROBE
    )
    ProbeToken.objects.filter(pk=token.pk).update(used_at=timezone.now())
    facts = {**_facts(stored), "created_by": token.created_by}
    audit.record(actor=NETWORK_PROBE, action="api:network:receive", link_id=link.id, target=stored.id, facts=facts)
    return stored


@transaction.atomic
def result_paste(*, actor: str, link: Link, output: str) -> NetworkMeasurement:
    """Store a result of the script that an operator pasted; it is not signed."""
    result = _read(lambda: parse_probe(output), "output")
    _check_link(result, link)
    near, far = nodes_of(link, result.from_node, result.to_node)
    at = _time_of(result.measurement, "output.started_at")
    stored = _store(link, near, far, result.measurement, at, output, actor)
    audit.record(actor=actor, action="api:network:paste", link_id=link.id, target=stored.id, facts=_facts(stored))
    return stored


def forget_old() -> None:
    """Drop old measurements and expired tokens; called by the monitor."""
    if heartbeats.is_due("network forget", timedelta(hours=1)):
        now = timezone.now()
        delete_in_portions(ProbeToken.objects.filter(expires_at__lt=now - timedelta(days=1)))
        delete_in_portions(NetworkMeasurement.objects.filter(measured_at__lt=now - KEEP))


def _read(read: Callable[[], T], prefix: str) -> T:
    """An error of the core as one of the request, which names the field inside of what was sent."""
    try:
        return read()
    except ResultError as error:
        field = prefix if error.field == "result" else f"{prefix}.{error.field}"
        raise invalid(field, error.message) from error


def _check_link(result: ProbeResult, link: Link) -> None:
    if result.link_id != link.id:
        raise invalid(
            "output.link_id",
            f"This result is of the link {result.link_id[:40]}, and this page is of {link.id}. Nothing was stored. "
            "Paste it on the page of the link that was measured.",
        )


def _time_of(measurement: Measurement, field: str) -> datetime:
    return _fresh(datetime.fromtimestamp(measurement.measured_at_s or 0, UTC), field)


def _fresh(at: datetime, field: str) -> datetime:
    now = timezone.now()
    if at > now + MAX_AHEAD:
        raise invalid(
            field,
            f"It was measured at {at:%Y-%m-%d %H:%M:%S} UTC, which is in the future. Nothing was stored. "
            "Correct the clock of the host that measured, and measure again.",
        )
    if at < now - MAX_AGE:
        raise invalid(
            field,
            f"It was measured at {at:%Y-%m-%d %H:%M:%S} UTC, more than a day ago. Nothing was stored. Measure again.",
        )
    return at


def _store(
    link: Link, near: Node, far: Node, measurement: Measurement, at: datetime, source: object, actor: str
) -> NetworkMeasurement:
    text = source if isinstance(source, str) else json.dumps(source, sort_keys=True)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    if NetworkMeasurement.objects.filter(link=link, digest=digest).exists():
        raise invalid("output", "This result is already stored. Nothing was stored again. Measure again for a new one.")
    stored = NetworkMeasurement.objects.create(
        link=link,
        from_node=near,
        to_node=far,
        is_signed=actor == NETWORK_PROBE,
        actor=actor,
        measured_at=at,
        digest=digest,
        figures=measurement.as_data(),
    )
    _keep_newest(link)
    return stored


def _keep_newest(link: Link) -> None:
    newest = NetworkMeasurement.objects.filter(link=link).order_by("-stored_at", "-pk")
    surplus = list(newest.values_list("pk", flat=True)[KEPT_OF_A_LINK : KEPT_OF_A_LINK + 100])
    if surplus:
        NetworkMeasurement.objects.filter(pk__in=surplus).delete()


def _facts(stored: NetworkMeasurement) -> dict[str, Any]:
    return {
        "from_node": stored.from_node.name,
        "to_node": stored.to_node.name,
        "measured_at": stored.measured_at,
    }
