"""Serializers of the changes of a registration, and of what a cluster says of its own members."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import AccountInSerializer, TlsInSerializer
from backend.clusters.serializers.links import WRITES_ON_BOTH_SIDES
from backend.clusters.serializers.nodes import NodeInSerializer
from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.dialects.tested_versions import ACCEPTABLE, FAMILIES, shown
from backend.registration.acceptance import LEAST_TEXT, TOO_SHORT

ACCEPTABLE_FLAVORS = [flavor for flavor, family in FAMILIES.items() if family.acceptable]
ACCEPTABLE_SERIES = [shown(series) for series in ACCEPTABLE]
_STATE_UUID = r"^[0-9a-fA-F-]{36}\Z"


def _reason() -> PlainTextField:
    return PlainTextField(max_length=2000, help_text="reason, stored in the audit log")


def _accept_unreachable() -> serializers.BooleanField:
    return serializers.BooleanField(
        default=False, help_text="store it although it could not be tried on nodes that do not respond"
    )


class _ChangesSerializer(StrictSerializer):
    """Changes of which at least one is given."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a call that changes nothing."""
        if not set(attrs) - {"reason", "accept_unreachable", "passwords"}:
            raise serializers.ValidationError("Nothing to change was given. Name at least one field.")
        return attrs


class RepeatedPasswordsSerializer(StrictSerializer):
    """The stored passwords, given again; in the order in which the roles are shown."""

    monitor = SecretField(required=False)
    operator = SecretField(required=False)
    replication = SecretField(required=False)


def _passwords(when: str) -> RepeatedPasswordsSerializer:
    return RepeatedPasswordsSerializer(
        required=False,
        help_text=f"passwords of the accounts as they are, {when}; not that of an account which a vault makes",
    )


class ClusterUpdateSerializer(_ChangesSerializer):
    """Changes of a cluster; what is not named stays."""

    name = NameField(required=False)
    site = NameField(required=False)
    tls = TlsInSerializer(required=False)
    passwords = _passwords("where `tls` has another mode or authority")
    accept_unreachable = _accept_unreachable()
    reason = _reason()


class CredentialReplaceSerializer(AccountInSerializer):
    """The new account of a role; it is tried on every node before it is stored."""

    accept_unreachable = _accept_unreachable()
    reason = _reason()


class NodeAddSerializer(NodeInSerializer):
    """A node to add to a cluster."""

    passwords = _passwords("because the console will log in at this address")
    accept_unreachable = _accept_unreachable()
    reason = _reason()


class NodeUpdateSerializer(_ChangesSerializer):
    """Changes of a node; what is not named stays."""

    name = NameField(required=False)
    host = PlainTextField(max_length=253, required=False, help_text="host name or IP address")
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False)
    passwords = _passwords("where the address changes")
    accept_unreachable = _accept_unreachable()
    reason = _reason()


class ReasonQuerySerializer(StrictSerializer):
    """The reason of a change that has no body."""

    reason = _reason()


class NodeRemoveQuerySerializer(ReasonQuerySerializer):
    """Options of a removal."""

    attest_gone = serializers.BooleanField(
        default=False, help_text="attest that the server was decommissioned, where it may return with a channel"
    )


class NodeConfirmSerializer(StrictSerializer):
    """The server that took a node's place."""

    server_id = serializers.IntegerField(min_value=0, max_value=2**32 - 1, help_text="server_id that it reports")
    reason = _reason()


class ClusterReplaceSerializer(StrictSerializer):
    """The new cluster at the addresses of a registered one."""

    state_uuid = serializers.RegexField(_STATE_UUID, help_text="state UUID that the new cluster reports")
    reason = _reason()


class ServerAcceptSerializer(StrictSerializer):
    """Servers that were never tried, with which plans are accepted."""

    flavor = serializers.ChoiceField(choices=ACCEPTABLE_FLAVORS, help_text="family of the servers, as observed")
    series = serializers.ChoiceField(choices=ACCEPTABLE_SERIES, help_text="their release series, as observed")
    confirm = serializers.CharField(max_length=63, trim_whitespace=False, help_text="name of the cluster, exactly")
    reason = PlainTextField(
        min_length=LEAST_TEXT,
        max_length=2000,
        error_messages={"min_length": TOO_SHORT, "blank": TOO_SHORT},
        help_text="what is accepted and on which grounds; quoted by every plan that rests on it",
    )


class AcceptableServerSerializer(ShapeSerializer):
    """The servers of a cluster, where plans with them can be accepted."""

    flavor = serializers.ChoiceField(choices=ACCEPTABLE_FLAVORS)
    series = serializers.ChoiceField(choices=ACCEPTABLE_SERIES)
    name = serializers.CharField(help_text="family and series in words")


class AcceptedServerSerializer(AcceptableServerSerializer):
    """An acceptance with its text and its author."""

    text = serializers.CharField()
    accepted_by = serializers.CharField()
    accepted_at = serializers.DateTimeField()
    ended_by = serializers.CharField(allow_blank=True, help_text="blank while it is in force")
    ended_at = serializers.DateTimeField(allow_null=True)
    end_reason = serializers.CharField(allow_blank=True)


class ServerAcceptanceSerializer(ShapeSerializer):
    """Whether plans are made with servers that were never tried."""

    version = serializers.IntegerField(help_text="version of the registration, also its ETag")
    acceptable = AcceptableServerSerializer(
        allow_null=True, help_text="null where plans are made anyway, or cannot be accepted, or it is unknown"
    )
    current = AcceptedServerSerializer(allow_null=True)
    earlier = AcceptedServerSerializer(many=True, help_text="the latest first")


class LinkUpdateSerializer(_ChangesSerializer):
    """Changes of a link; what is not named stays."""

    name = NameField(required=False)
    home_cluster = serializers.RegexField(
        ID_PATTERN, required=False, help_text="id of the cluster that is active when all is well"
    )
    requires_approval = serializers.BooleanField(
        required=False, help_text="whether runs need the approval of a second person"
    )
    writes_on_both_sides = serializers.BooleanField(required=False, help_text=WRITES_ON_BOTH_SIDES)
    reason = _reason()


class LinkListQuerySerializer(StrictSerializer):
    """Which links to list."""

    retired = serializers.BooleanField(default=False, help_text="list the retired links instead")


class LinkPauseSerializer(StrictSerializer):
    """A maintenance with its end."""

    until = serializers.DateTimeField(help_text="end of the maintenance, at most 7 days ahead")
    reason = _reason()


class LinkSwapSerializer(StrictSerializer):
    """The link to swap names with."""

    other = serializers.RegexField(ID_PATTERN, help_text="id of the other link")
    reason = _reason()


class MemberAddressSerializer(ShapeSerializer):
    """The address of a member that is not registered."""

    host = serializers.CharField()
    port = serializers.IntegerField()


class AbsentNodeSerializer(ShapeSerializer):
    """A registered node that is no member of its cluster."""

    id = serializers.CharField()
    name = serializers.CharField()


class ReplacedNodeSerializer(AbsentNodeSerializer):
    """A node at whose address another server responds than the recorded one."""

    recorded_server = serializers.CharField()
    recorded_server_id = serializers.IntegerField()
    observed_server = serializers.CharField()
    observed_server_id = serializers.IntegerField()


class NewHistorySerializer(ShapeSerializer):
    """Another state UUID than the recorded one, and what keeps the link: a reprotect, or the operator's choice."""

    state_uuid = serializers.CharField()
    recorded_state_uuid = serializers.CharField()
    way = serializers.ChoiceField(choices=["reprotect", "choose"])


class MembershipSerializer(ShapeSerializer):
    """The members that a cluster names, compared with the nodes that are registered."""

    version = serializers.IntegerField(help_text="version of the registration, also its ETag")
    size = serializers.IntegerField(allow_null=True, help_text="number of members; null = unknown")
    unregistered = MemberAddressSerializer(many=True)
    unaddressed = serializers.IntegerField(
        help_text="members without an address that no registered node is known to be"
    )
    absent = AbsentNodeSerializer(many=True, allow_null=True, help_text="null where it is not certain")
    replaced = ReplacedNodeSerializer(many=True)
    new_history = NewHistorySerializer(allow_null=True)
