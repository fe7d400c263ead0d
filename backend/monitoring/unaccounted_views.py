"""The REST views of what of a link is to be settled."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.fields import PlainTextField
from backend.common.rest.operations import operation
from backend.common.rest.serializers import StrictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.core.stream_account import MOST_LISTED
from backend.core.topology import Direction
from backend.monitoring.unaccounted import (
    Unaccounted,
    stream_accounts,
    transactions_settle,
    unsafe_settings_settle,
)


class SettlementInSerializer(StrictSerializer):
    """Which transactions need nothing more, and why."""

    direction = serializers.ChoiceField(choices=[one.value for one in Direction])
    gtids = serializers.ListField(
        child=serializers.CharField(max_length=100),
        min_length=1,
        max_length=MOST_LISTED,
        help_text="as the list has them",
    )
    reason = PlainTextField(min_length=3, max_length=500)


class UnsafeSettingInSerializer(StrictSerializer):
    """One of the list."""

    node_id = serializers.CharField(max_length=14, allow_blank=True)
    variable = serializers.CharField(max_length=80)


class UnsafeSettlementInSerializer(StrictSerializer):
    """Which settings left no difference, or none any more, and why."""

    settings = UnsafeSettingInSerializer(many=True, allow_empty=False, help_text="as the list has them")
    reason = PlainTextField(min_length=3, max_length=500)


class LinkUnaccountedView(ConsoleView):
    """Transactions that do not stand on both sides, and times with an unsafe setting."""

    permissions = {"GET": Permission.READ}

    @operation("link_unaccounted", "List transactions not on both sides", responses=Unaccounted)
    def get(self, request: Request, link_id: str) -> Response:
        """For each direction: the time in which all was accounted for, and the transactions that were not.

        Besides the settings of nodes with which rows may have come to differ unseen, until they are settled.
        """
        return respond(Unaccounted, stream_accounts(link_get(link_id)))


class LinkSettleView(ConsoleView):
    """Settlement of such transactions."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "link_settle",
        "Settle transactions not on both sides",
        codes=("unaccounted_changed", "retired"),
        request=SettlementInSerializer,
        responses=Unaccounted,
    )
    @stored_with_effect
    def post(self, request: Request, link_id: str) -> Response:
        """State for a reason that these need nothing more: their rows are on both sides, or the loss is accepted.

        Nothing is changed on a server. The call is recorded.
        """
        link = link_get(link_id)
        transactions_settle(
            actor=request.user.get_username(), link=link, **validated_body(request, SettlementInSerializer)
        )
        return respond(Unaccounted, stream_accounts(link))


class LinkSettleSettingsView(ConsoleView):
    """Settlement of unsafe settings that are over."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "link_settle_settings",
        "Settle unsafe settings that are over",
        codes=("unaccounted_changed", "retired"),
        request=UnsafeSettlementInSerializer,
        responses=Unaccounted,
    )
    @stored_with_effect
    def post(self, request: Request, link_id: str) -> Response:
        """State for a reason that the rows are as they should be, or that the difference is accepted.

        Nothing is changed on a server. The call is recorded.
        """
        link = link_get(link_id)
        unsafe_settings_settle(
            actor=request.user.get_username(), link=link, **validated_body(request, UnsafeSettlementInSerializer)
        )
        return respond(Unaccounted, stream_accounts(link))
