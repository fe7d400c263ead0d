"""Serializers of a plan: its inputs, and the plan with its positions, loss and steps."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.links import DIRECTION, PLAN_KIND
from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.checks.events import CHOICES as EVENT_CHOICES
from backend.core.locate.backup_position import BackupPosition
from backend.core.plans import create_channels, node_maintenance
from backend.core.plans.new_channel import TLS_MODES
from backend.core.plans.step_effects import ShownEffect
from backend.core.plans.step_proofs import StepProof
from backend.core.positions import PositionError
from backend.core.rotation import ROLES
from backend.operations.runs.models import PlanState
from backend.operations.runs.rest.serializers.derived import PlanFindingSerializer
from backend.operations.runs.rest.serializers.loss import LossSerializer

SIDES = ["active", "standby"]
ORPHAN_WAYS = ["attach", "fence", "replay", "undo", "rebuild"]
PLAN_STATE = [state.value for state in PlanState]
GROUP_KINDS = ["dml", "ddl", "other"]
FAMILIES = ["seqno", "gtid", "content", "journal", "channel", "heartbeat", "aligned_seqno", "backup", "gtid_set"]


class BackupPositionField(PlainTextField):
    """A position line of a backup's file: fields separated by tabs, with a line break. Or the lines of both files."""

    def to_internal_value(self, data: Any) -> str:
        """Replace tabs by blanks and strip; of the lines of both files keep the one that counts."""
        plain = data.strip() if isinstance(data, str) else data
        if isinstance(plain, str) and "\n" in plain:
            try:
                plain = str(BackupPosition.parse(plain))
            except PositionError as error:
                raise serializers.ValidationError(str(error)) from error
        return super().to_internal_value(plain.replace("\t", " ") if isinstance(plain, str) else plain)


class ConflictDecisionSerializer(StrictSerializer):
    """Decision on a row that an orphaned transaction and the active side both changed, or on a whole table.

    `row` is the name in the plan's conflicts. Without it, the decision is for all rows of the table without one of
    their own.
    """

    table = serializers.CharField(max_length=130)
    row = serializers.RegexField(r"^[0-9a-f]{20}\Z", required=False, allow_null=True)
    decision = serializers.ChoiceField(choices=["keep_active", "take_orphan", "leave_out"])


class SettingSerializer(StrictSerializer):
    """A provider option or server variable, and the value that every node of the side is to have."""

    name = serializers.RegexField(r"^[a-z][a-z0-9_.]{1,63}\Z")
    value = PlainTextField(max_length=200)


class PlanOptionsSerializer(StrictSerializer):
    """Options of a plan. Nodes are ids of the link's nodes; a kind ignores the options that it does not use."""

    source_node = serializers.RegexField(ID_PATTERN, required=False, help_text="node of the active side")
    replica_node = serializers.RegexField(ID_PATTERN, required=False, help_text="node of the standby side")
    direction = serializers.ChoiceField(
        choices=DIRECTION,
        required=False,
        help_text="the only channel to start (start_channel); by default every stopped one that can be started",
    )
    attest_fenced = serializers.ListField(
        child=serializers.RegexField(ID_PATTERN),
        required=False,
        max_length=64,
        help_text="unreachable nodes that you attest are fenced",
    )
    attest_site_path = serializers.BooleanField(
        required=False, help_text="attest that the network path between the sites is open for the new nodes"
    )
    attest_accounts = serializers.BooleanField(
        required=False, help_text="attest that no account that bypasses read_only writes during the operation"
    )
    attest_origins = serializers.BooleanField(
        required=False,
        help_text="attest that foreign server_ids of unknown way come by the link only, or are not written any more",
    )
    attest_error_over = serializers.BooleanField(
        required=False, help_text="attest that the cause of the channel's data error has been removed"
    )
    attest_unknown_runs = serializers.BooleanField(
        required=False,
        help_text="attest that no other Hawser instance manages this link and that its channels are correct",
    )
    accept_loss = serializers.BooleanField(required=False, help_text="accept the data loss that the plan states")
    remove_also = serializers.ListField(
        child=PlainTextField(max_length=300),
        required=False,
        max_length=64,
        help_text="of remove_channels: channels from addresses of no node of the other side, each as NODE/CHANNEL",
    )
    override_partition = serializers.BooleanField(
        required=False, help_text="fail over although the active side may be up behind a network partition"
    )
    fence_on_return = serializers.BooleanField(
        required=False, help_text="fence the lost side as soon as it is reachable again; true by default"
    )
    allow_long_transactions = serializers.BooleanField(
        required=False, help_text="plan although long transactions are open; their commits will fail"
    )
    reject_queries = serializers.BooleanField(
        required=False, help_text="also reject the queries of clients (wsrep_reject_queries=ALL)"
    )
    events = serializers.ChoiceField(
        choices=EVENT_CHOICES,
        required=False,
        help_text="of a change of the active side: switch lets the events that run on the old side run on the new one, "
        "and refuses the plan where it cannot; leave alters none; by default those that can be switched are",
    )
    orphans = serializers.ChoiceField(
        choices=ORPHAN_WAYS, required=False, help_text="operation on orphaned transactions; attach by default"
    )
    skip_conflicts = serializers.BooleanField(
        required=False, help_text="leave conflicting transactions out of a replay; they are lost"
    )
    conflict_decisions = serializers.ListField(
        child=ConflictDecisionSerializer(),
        required=False,
        max_length=1_000,
        help_text="decision for each conflicting row or table of a replay",
    )
    backup_position = BackupPositionField(
        max_length=300, required=False, help_text="position at which the backup of a rebuilt side was taken"
    )
    standby_data = serializers.ChoiceField(
        choices=create_channels.WAYS,
        required=False,
        help_text="what the standby side of a new link holds: equal data, or a copy as of backup_position; "
        "equal by default",
    )
    channel_tls = serializers.ChoiceField(
        choices=TLS_MODES,
        required=False,
        help_text="TLS of new channels; by default on where the console itself uses TLS to both clusters",
    )
    channel_ca = serializers.RegexField(
        r"^/[\w./-]{1,250}\Z",
        required=False,
        help_text="file on the replica nodes with the certificate of the authority, for channel_tls verify",
    )
    channel_cert = serializers.RegexField(
        r"^/[\w./-]{1,250}\Z",
        required=False,
        help_text="file on the replica nodes with the client certificate, where the replication account requires one",
    )
    channel_key = serializers.RegexField(
        r"^/[\w./-]{1,250}\Z", required=False, help_text="file on the replica nodes with its private key"
    )
    side = serializers.ChoiceField(
        choices=SIDES,
        required=False,
        help_text="the side whose settings or passwords are changed (configure, rotate_passwords)",
    )
    settings = serializers.ListField(
        child=SettingSerializer(),
        required=False,
        max_length=32,
        help_text="settings to change on every node of the side (configure)",
    )
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=ROLES),
        required=False,
        allow_empty=False,
        max_length=len(ROLES),
        help_text="accounts whose passwords are rotated; all three by default (rotate_passwords)",
    )
    maintenance_node = serializers.RegexField(
        ID_PATTERN, required=False, help_text="node of either side that is to be stopped and started"
    )
    donor_node = serializers.RegexField(
        ID_PATTERN, required=False, help_text="its donor, of the same cluster; the advised one by default"
    )
    max_minutes = serializers.IntegerField(
        min_value=node_maintenance.LEAST_MINUTES,
        max_value=node_maintenance.MOST_MINUTES,
        required=False,
        help_text=f"for how long the maintenance is watched at most; {node_maintenance.DEFAULT_MINUTES} by default",
    )
    accept_sst = serializers.BooleanField(
        required=False, help_text="accept that the node may return by SST, although its time is short"
    )
    probe = serializers.BooleanField(
        required=False, help_text="write a probe row at the end to verify replication; true by default"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a verification that has nothing to verify against, and two values for one setting."""
        names = [one["name"] for one in attrs.get("settings", ())]
        if len(names) != len(set(names)):
            raise serializers.ValidationError({"settings": "A setting is named twice. Name each one once."})
        if attrs.get("channel_tls") == "verify" and not attrs.get("channel_ca"):
            message = "channel_tls verify needs the file with the authority's certificate on the replica nodes."
            raise serializers.ValidationError({"channel_ca": message})
        _check_channel_certificate(attrs)
        return attrs


def _check_channel_certificate(attrs: dict[str, Any]) -> None:
    if ("channel_cert" in attrs) != ("channel_key" in attrs):
        message = "A client certificate of the channel and its key belong together. Name both files."
        raise serializers.ValidationError({"channel_cert": message})
    if "channel_cert" in attrs and attrs.get("channel_tls") == "off":
        raise serializers.ValidationError({"channel_tls": "A client certificate needs TLS: on or verify."})


class PlanInSerializer(StrictSerializer):
    """A plan to create. `reason` is optional: a plan changes nothing, and its run gives its own."""

    kind = serializers.ChoiceField(choices=PLAN_KIND)
    reason = PlainTextField(max_length=2000, required=False, allow_blank=True)
    options = PlanOptionsSerializer(required=False)


class GroupSerializer(ShapeSerializer):
    """A transaction in a binary log."""

    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(choices=GROUP_KINDS)
    summary = serializers.CharField(allow_blank=True)
    statement = serializers.CharField(allow_null=True)
    tables = serializers.ListField(child=serializers.CharField())
    bytes = serializers.IntegerField()
    events = serializers.IntegerField()
    server_id = serializers.IntegerField()
    file = serializers.CharField()
    position = serializers.IntegerField()
    end_position = serializers.IntegerField()
    digest = serializers.CharField(allow_blank=True)


class EvidenceSerializer(ShapeSerializer):
    """Result of one evidence source; `null` = not available."""

    family = serializers.ChoiceField(choices=FAMILIES)
    agrees = serializers.BooleanField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    facts = serializers.DictField()


class PositionSerializer(ShapeSerializer):
    """The resume position of a direction on its new source, with its proof."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    node = serializers.CharField(allow_null=True)
    node_name = serializers.CharField(allow_blank=True)
    file = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    seqno = serializers.IntegerField(allow_null=True)
    proven = serializers.BooleanField()
    provisional = serializers.BooleanField(
        help_text="the channel was still running; the run locates the position again"
    )
    verdict = serializers.CharField(allow_blank=True, help_text="whether the position is proven, in a sentence")
    reasons = serializers.ListField(child=serializers.CharField())
    evidence = EvidenceSerializer(many=True)
    receiving_name = serializers.CharField(allow_blank=True)
    receiver_node = serializers.CharField(allow_blank=True)
    receiver_groups = GroupSerializer(many=True)
    source_groups = GroupSerializer(many=True)
    following_groups = GroupSerializer(many=True)
    backlog = serializers.IntegerField(
        allow_null=True, help_text="transactions that the replica has not applied; null = unknown"
    )
    elapsed_ms = serializers.FloatField()
    searched_events = serializers.IntegerField()
    from_checkpoint_age_s = serializers.FloatField(allow_null=True)


class StepSerializer(ShapeSerializer):
    """A step with its literal SQL, secrets masked."""

    index = serializers.IntegerField()
    code = serializers.CharField()
    title = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    node_id = serializers.CharField(allow_null=True)
    sql = serializers.ListField(child=serializers.CharField())
    undo = serializers.ListField(child=serializers.CharField())
    point_of_no_return = serializers.BooleanField()


class PlanStepSerializer(StepSerializer):
    """A step of a plan, with what it changes and what the run proves in it."""

    effect = serializer_of(ShownEffect)()
    proof = serializer_of(StepProof)(allow_null=True, help_text="Null where nothing but the step itself is proven.")


class TargetSerializer(ShapeSerializer):
    """The nodes of both channels after the run and, where roles change, the active and standby sides."""

    source_node = serializers.CharField(allow_null=True)
    source_name = serializers.CharField(allow_blank=True)
    replica_node = serializers.CharField(allow_null=True)
    replica_name = serializers.CharField(allow_blank=True)
    active_cluster = serializers.CharField(required=False)
    active_name = serializers.CharField(required=False)
    standby_cluster = serializers.CharField(required=False)
    standby_name = serializers.CharField(required=False)


class RebuildStepSerializer(ShapeSerializer):
    """A manual step on a node, with the commands to copy and a note."""

    title = serializers.CharField()
    node = serializers.CharField()
    commands = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField(allow_blank=True, default="")


class SituationSerializer(ShapeSerializer):
    """The current situation in one sentence."""

    sentence = serializers.CharField(allow_blank=True)
    old_source_name = serializers.CharField(allow_blank=True)
    old_replica_name = serializers.CharField(allow_blank=True)
    lost = serializers.ListField(child=serializers.CharField())
    guide = RebuildStepSerializer(many=True, required=False)


class PlanOptionsShownSerializer(ShapeSerializer):
    """The options that the plan was made with."""

    source_node = serializers.CharField(required=False)
    replica_node = serializers.CharField(required=False)
    direction = serializers.ChoiceField(choices=DIRECTION, required=False)
    attest_fenced = serializers.ListField(child=serializers.CharField(), required=False)
    attest_site_path = serializers.BooleanField(required=False)
    attest_accounts = serializers.BooleanField(required=False)
    attest_origins = serializers.BooleanField(required=False)
    attest_error_over = serializers.BooleanField(required=False)
    attest_unknown_runs = serializers.BooleanField(required=False)
    accept_loss = serializers.BooleanField(required=False)
    remove_also = serializers.ListField(child=serializers.CharField(), required=False)
    override_partition = serializers.BooleanField(required=False)
    fence_on_return = serializers.BooleanField(required=False)
    allow_long_transactions = serializers.BooleanField(required=False)
    reject_queries = serializers.BooleanField(required=False)
    events = serializers.ChoiceField(choices=EVENT_CHOICES, required=False)
    orphans = serializers.ChoiceField(choices=ORPHAN_WAYS, required=False)
    skip_conflicts = serializers.BooleanField(required=False)
    conflict_decisions = ConflictDecisionSerializer(many=True, required=False)
    backup_position = serializers.CharField(required=False)
    standby_data = serializers.ChoiceField(choices=create_channels.WAYS, required=False)
    channel_tls = serializers.ChoiceField(choices=TLS_MODES, required=False)
    channel_ca = serializers.CharField(required=False)
    channel_cert = serializers.CharField(required=False)
    channel_key = serializers.CharField(required=False)
    side = serializers.ChoiceField(choices=SIDES, required=False)
    settings = SettingSerializer(many=True, required=False)
    probe = serializers.BooleanField(required=False)


class AskedLinkSerializer(ShapeSerializer):
    """A link over a cluster on which the plan acts; the strictest of their rules holds."""

    link_id = serializers.CharField()
    link_name = serializers.CharField()
    requires_approval = serializers.BooleanField()
    approvals_needed = serializers.IntegerField(help_text="where the link requires approval")
    approvers = serializers.ListField(child=serializers.CharField(), help_text="empty: any approver")


class PlanSerializer(ShapeSerializer):
    """A plan. The findings of a refused plan give the reasons."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    link_name = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=PLAN_STATE)
    reason = serializers.CharField(allow_blank=True)
    summary = serializers.CharField(allow_blank=True)
    digest = serializers.CharField(help_text="hash of the plan, needed to run it")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="the plan cannot be run after this time")
    expires_in_s = serializers.FloatField()
    asked_links = AskedLinkSerializer(
        many=True,
        required=False,
        help_text="every link whose permission, approval rule and change calendar its run asks, its own first",
    )
    created_by = serializers.CharField()
    findings = PlanFindingSerializer(many=True)
    positions = PositionSerializer(many=True)
    loss = LossSerializer()
    steps = PlanStepSerializer(many=True)
    target = TargetSerializer()
    situation = SituationSerializer()
    options = PlanOptionsShownSerializer()
