"""Serializers of incidents: their inputs, and the incident with its items."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.links import PLAN_KIND
from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.incidents.scope import LinkRole, ScopeKind
from backend.core.incidents.sequence import MOST_AT_ONCE
from backend.core.plans.attestations import ATTESTATION_OPTIONS
from backend.operations.incidents.items import ItemState
from backend.operations.incidents.models import IncidentState
from backend.operations.incidents.services.create import MOST_LINKS
from backend.operations.runs.rest.serializers.derived import PlanFindingSerializer
from backend.operations.runs.rest.serializers.loss import LossSerializer
from backend.operations.runs.rest.serializers.plans import PlanOptionsSerializer, PlanOptionsShownSerializer

INCIDENT_STATE = [state.value for state in IncidentState]
ITEM_STATE = [state.value for state in ItemState]
LINK_ROLE = [role.value for role in LinkRole]
SCOPE_KIND = [kind.value for kind in ScopeKind]


class ScopeInSerializer(StrictSerializer):
    """What was lost: a site, a node, or links that an operator chooses; exactly one of them."""

    site = PlainTextField(max_length=63, required=False, help_text="site of a cluster, as it is registered")
    node = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a node")
    links = serializers.ListField(
        child=serializers.RegexField(ID_PATTERN), required=False, allow_empty=False, max_length=MOST_LINKS
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that exactly one of the three is given, and name it."""
        given = [kind for kind in ("site", "node", "links") if kind in attrs]
        if len(given) != 1:
            raise serializers.ValidationError("Give exactly one of site, node and links.")
        kind, value = given[0], attrs.pop(given[0])
        is_chosen = kind == "links"
        return {
            **attrs,
            "scope_kind": kind,
            "scope_value": "" if is_chosen else value,
            "link_ids": value if is_chosen else [],
        }


class IncidentInSerializer(ScopeInSerializer):
    """An incident to open."""

    name = NameField(required=False, help_text="name to type as a confirmation; by default it names what was lost")
    at_once = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_AT_ONCE, help_text="operations at once; 1 by default"
    )
    stop_at_failure = serializers.BooleanField(
        required=False, help_text="start nothing after the first failure; true by default, and always with a failover"
    )


class TouchedQuerySerializer(StrictSerializer):
    """What may be lost."""

    site = PlainTextField(max_length=63, required=False, help_text="site of a cluster, as it is registered")
    node = serializers.RegexField(ID_PATTERN, required=False, help_text="id of a node")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that one of the two is given."""
        if len(attrs) != 1:
            raise serializers.ValidationError("Give either site or node.")
        ((kind, value),) = attrs.items()
        return {"kind": kind, "value": value}


class ItemPlanSerializer(StrictSerializer):
    """A link to plan again; without options those of its last plan are kept."""

    link_id = serializers.RegexField(ID_PATTERN, help_text="id of the link")
    options = PlanOptionsSerializer(required=False)


class PlansInSerializer(StrictSerializer):
    """The links to plan again; without any, all that can have a new plan."""

    items = serializers.ListField(child=ItemPlanSerializer(), required=False, max_length=MOST_LINKS)


class OrderInSerializer(StrictSerializer):
    """The order and the rules; what is not given stays."""

    links = serializers.ListField(
        child=serializers.RegexField(ID_PATTERN),
        required=False,
        max_length=MOST_LINKS,
        help_text="links to start, in this order; those that are not named are left out",
    )
    at_once = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_AT_ONCE, help_text="operations at once"
    )
    stop_at_failure = serializers.BooleanField(required=False, help_text="start nothing after the first failure")


class AttestedSerializer(StrictSerializer):
    """An attestation that the plan of a link rests on."""

    link_id = serializers.RegexField(ID_PATTERN, help_text="id of the link")
    option = serializers.ChoiceField(choices=list(ATTESTATION_OPTIONS))
    node_id = serializers.RegexField(ID_PATTERN, required=False, allow_null=True, default=None)


class ConfirmInSerializer(StrictSerializer):
    """One confirmation of all: the digest, the incident's name, one reason, and every attestation by link."""

    digest = serializers.CharField(max_length=64, help_text="digest of the incident you reviewed")
    confirm = serializers.CharField(max_length=63, trim_whitespace=False, help_text="name of the incident, exactly")
    reason = PlainTextField(max_length=1900, help_text="reason of every run, stored in the audit log")
    attestations = serializers.ListField(
        child=AttestedSerializer(),
        required=False,
        default=list,
        max_length=2_000,
        help_text="all that are given in the plans",
    )


class IncidentApprovalInSerializer(StrictSerializer):
    """An approval of all: the confirmed digest, and a comment."""

    digest = serializers.CharField(max_length=64, help_text="digest of the incident you reviewed")
    comment = PlainTextField(max_length=1900, help_text="comment, stored in the audit log")


class TouchedLinkSerializer(ShapeSerializer):
    """A link that the loss touches, and the operation that is recommended for it."""

    link_id = serializers.CharField()
    link_name = serializers.CharField()
    role = serializers.ChoiceField(choices=LINK_ROLE, help_text="the side of the link that is touched")
    why = serializers.CharField()
    kind = serializers.ChoiceField(choices=PLAN_KIND, allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    sentence = serializers.CharField(help_text="the operation, or why none is recommended")
    at_risk = serializers.IntegerField(allow_null=True, help_text="what the standby lacks, at least; null = unknown")


class TouchedSerializer(ShapeSerializer):
    """The links that a loss touches, in the order that is proposed."""

    results = TouchedLinkSerializer(many=True)


class ProgressSerializer(ShapeSerializer):
    """How many operations are in which state: those that can be confirmed, then those that were."""

    total = serializers.IntegerField()
    ready = serializers.IntegerField()
    waiting = serializers.IntegerField()
    running = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()


class IncidentItemSerializer(ShapeSerializer):
    """A link of an incident, in the order of the start."""

    link_id = serializers.CharField()
    link_name = serializers.CharField()
    role = serializers.ChoiceField(choices=LINK_ROLE)
    why = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=PLAN_KIND, allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    target = serializers.CharField(allow_blank=True, help_text="the nodes or the active side after the run")
    state = serializers.ChoiceField(choices=ITEM_STATE)
    sentence = serializers.CharField(allow_blank=True)
    at_risk = serializers.IntegerField(allow_null=True, help_text="what the standby lacked, at least; null = unknown")
    outage_since = serializers.DateTimeField(allow_null=True, help_text="when the link last replicated")
    loss = LossSerializer(allow_null=True)
    loss_text = serializers.CharField(allow_blank=True, help_text="the loss as the digest covers it")
    requires_approval = serializers.BooleanField()
    findings = PlanFindingSerializer(many=True, help_text="what refuses the plan, and what is or can be attested")
    plan_id = serializers.CharField(allow_null=True)
    plan_digest = serializers.CharField(allow_null=True)
    plan_expires_at = serializers.DateTimeField(allow_null=True)
    is_proven = serializers.BooleanField(allow_null=True, help_text="null where the plan has no position")
    run_id = serializers.CharField(allow_null=True)
    earlier_plans = serializers.ListField(child=serializers.CharField())
    options = PlanOptionsShownSerializer(help_text="options of the last request for a plan")


class IncidentBriefSerializer(ShapeSerializer):
    """An incident in one line."""

    id = serializers.CharField()
    name = serializers.CharField()
    scope_kind = serializers.ChoiceField(choices=SCOPE_KIND)
    scope_value = serializers.CharField(allow_blank=True)
    scope_name = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=INCIDENT_STATE)
    version = serializers.IntegerField(help_text="grows with every change of the incident")
    sentence = serializers.CharField(allow_blank=True)
    progress = ProgressSerializer()
    at_once = serializers.IntegerField()
    stop_at_failure = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    outcome = serializers.CharField(allow_blank=True)
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    confirmed_by = serializers.CharField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class IncidentSerializer(IncidentBriefSerializer):
    """An incident with its links."""

    digest = serializers.CharField(allow_blank=True, help_text="hash of all plans, their losses, order and rules")
    is_stop_fixed = serializers.BooleanField(help_text="whether the stop rule cannot be switched off")
    needs_approval = serializers.BooleanField(help_text="whether a second person can approve all by the digest")
    approved_by = serializers.CharField(allow_null=True)
    items = IncidentItemSerializer(many=True)


IncidentPageSerializer = page_of(IncidentBriefSerializer, "Incident")


class IncidentQuerySerializer(StrictSerializer):
    """State and page of the list of incidents."""

    state = serializers.ChoiceField(choices=INCIDENT_STATE, required=False)
    cursor = serializers.CharField(required=False, max_length=400, help_text="`next` of the previous page")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE, help_text="number of results per page"
    )
