"""The REST views of transactions that do not stand on both sides."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.fields import PlainTextField
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.core.stream_account import MOST_LISTED, Fault
from backend.core.topology import Direction
from backend.monitoring.unaccounted import stream_accounts, transactions_settle


class UnaccountedTransactionSerializer(ShapeSerializer):
    """A transaction that does not stand on both sides."""

    fault = serializers.ChoiceField(
        choices=[one.value for one in Fault],
        help_text=(
            "`missing`: the channel passed it and its replica lacks it; `filtered`: the same, while it had a filter; "
            "`extra`: its source did not send it"
        ),
    )
    node_id = serializers.CharField(help_text="the node in whose log it stands")
    node = serializers.CharField(help_text="the node's name")
    gtid = serializers.CharField(help_text="as that log has it")
    seqno = serializers.IntegerField(allow_null=True, help_text="seqno of that node's cluster; null for DDL")
    server_id = serializers.IntegerField(help_text="of the server that wrote it")
    file = serializers.CharField(help_text="binary log")
    position = serializers.IntegerField(help_text="where it begins")
    end_position = serializers.IntegerField(help_text="where it ends")
    tables = serializers.ListField(
        child=serializers.CharField(),
        help_text="DATABASE.TABLE of the rows that the other log has not, where it has the others; empty: it has none",
    )
    found_at = serializers.DateTimeField(help_text="when it was found")


class DirectionAccountSerializer(ShapeSerializer):
    """What is known of one direction."""

    since = serializers.DateTimeField(allow_null=True, help_text="from when on all was accounted for; null: unknown")
    until = serializers.DateTimeField(allow_null=True, help_text="until when; null: unknown")
    groups = serializers.IntegerField(help_text="transactions found on both sides in that time")
    transactions = UnaccountedTransactionSerializer(many=True, help_text="those that are not, until they are settled")
    more = serializers.IntegerField(help_text="further ones that are not listed")


class UnaccountedSerializer(ShapeSerializer):
    """Both directions of a link."""

    forward = DirectionAccountSerializer()
    reverse = DirectionAccountSerializer()


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


class LinkUnaccountedView(ConsoleView):
    """Transactions that do not stand on both sides."""

    permissions = {"GET": Permission.READ}

    @operation("link_unaccounted", "List transactions not on both sides", responses=UnaccountedSerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """For each direction: the time in which all was accounted for, and the transactions that were not."""
        return respond(UnaccountedSerializer, stream_accounts(link_get(link_id)))


class LinkSettleView(ConsoleView):
    """Settlement of such transactions."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "link_settle",
        "Settle transactions not on both sides",
        codes=("unaccounted_changed", "retired"),
        request=SettlementInSerializer,
        responses=UnaccountedSerializer,
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
        return respond(UnaccountedSerializer, stream_accounts(link))
