"""Serializers of guided registrations. Passwords are write-only; an administrator's is a field of its call alone."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import TLS_MODE, CredentialsInSerializer, FindingSerializer
from backend.clusters.serializers.links import WRITES_ON_BOTH_SIDES, ChannelNameField
from backend.clusters.serializers.nodes import NodeInSerializer
from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.connection_names import LIMIT_BYTES
from backend.core.discovery.channels import FoundChannel
from backend.core.discovery.settings import SettingChange
from backend.registration.models import SIDES
from backend.registration.nodes import MOST_NODES

SIDE = list(SIDES)
POINT_SIDE = [*SIDES, "link"]
MEMBER_STATE = ["connected", "unreached", "unknown_address", "other_cluster", "no_cluster"]
LINK_FOUND = ["linked", "one_way", "not_linked", "several", "unknown"]
STORED = ["created", "entered"]
RESULT = ["done", "already_there", "failed"]


class _BlankNameField(NameField):
    """A name that is not chosen yet."""

    def to_internal_value(self, data: object) -> str:
        """Take an empty text as it is."""
        return "" if data == "" else super().to_internal_value(data)


class _DigestField(serializers.RegexField):
    """A SHA-256 digest that the console served."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[0-9a-f]{64}\Z", **kwargs)


class DraftAccountSerializer(StrictSerializer):
    """How an account is named; `host` is from where it may log in, blank until it is proposed."""

    user = PlainTextField(max_length=128, required=False)
    host = PlainTextField(max_length=255, required=False, allow_blank=True)


class DraftAccountsSerializer(StrictSerializer):
    """The three accounts."""

    monitor = DraftAccountSerializer(required=False)
    operator = DraftAccountSerializer(required=False)
    replication = DraftAccountSerializer(required=False)


class DraftTlsSerializer(StrictSerializer):
    """The weakest TLS mode that may be used, blank until one is proposed; certificates and key are PEM texts.

    A client certificate comes with its key, or a reference to it; a blank one removes both.
    """

    mode = serializers.ChoiceField(choices=TLS_MODE, required=False, allow_blank=True)
    ca = serializers.CharField(required=False, allow_blank=True, max_length=65_536)
    cert = serializers.CharField(required=False, allow_blank=True, max_length=65_536)
    private_key = serializers.CharField(required=False, write_only=True, max_length=16_384)
    key_reference = PlainTextField(max_length=300, required=False, help_text="`file:PATH` or `vault:…`")


class DraftSideInSerializer(StrictSerializer):
    """What was typed of one cluster; what is not named stays."""

    name = _BlankNameField(required=False, allow_blank=True)
    site = _BlankNameField(required=False, allow_blank=True)
    host = PlainTextField(max_length=253, required=False, allow_blank=True, help_text="host of one node")
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False)
    administrator = PlainTextField(
        max_length=128, required=False, allow_blank=True, help_text="user of the administrator's account"
    )
    nodes = serializers.ListField(child=NodeInSerializer(), max_length=MOST_NODES, required=False)
    tls = DraftTlsSerializer(required=False)
    accounts = DraftAccountsSerializer(required=False)


class DraftLinkInSerializer(StrictSerializer):
    """What was typed of the link."""

    name = _BlankNameField(required=False, allow_blank=True)
    active = serializers.ChoiceField(choices=SIDE, required=False, help_text="the side where applications write")
    channel_name = ChannelNameField(required=False, allow_blank=True, allow_null=True)
    create_probe = serializers.BooleanField(required=False)
    requires_approval = serializers.BooleanField(required=False)
    writes_on_both_sides = serializers.BooleanField(required=False, help_text=WRITES_ON_BOTH_SIDES)


class DraftInSerializer(StrictSerializer):
    """What was typed."""

    first = DraftSideInSerializer(required=False)
    second = DraftSideInSerializer(required=False)
    link = DraftLinkInSerializer(required=False)


class DraftUpdateSerializer(DraftInSerializer):
    """The same for a registration that exists."""

    endpoints_digest = _DigestField(
        required=False, help_text="`endpoints_digest` that the change was decided on; left out: whatever it is by now"
    )


class DraftSeenSerializer(StrictSerializer):
    """A step with a password: it names where it was shown that the password goes."""

    endpoints_digest = _DigestField(help_text="`endpoints_digest` of the registration that you read")


class DraftStepSerializer(DraftSeenSerializer):
    """A step of one cluster."""

    side = serializers.ChoiceField(choices=SIDE)


class DraftDiscoverSerializer(DraftStepSerializer):
    """The administrator's password: used for this call, and stored nowhere."""

    password = SecretField(allow_blank=True)


class DraftCreateAccountsSerializer(DraftDiscoverSerializer):
    """The same, with the digest of the statements that were read."""

    digest = _DigestField(help_text="`statements.digest` of the side")


class DraftEnterAccountsSerializer(DraftStepSerializer):
    """Accounts that exist."""

    accounts = CredentialsInSerializer()


class DraftRegisterSerializer(DraftSeenSerializer):
    """The end of a guided registration."""

    accept_open = serializers.BooleanField(
        default=False, help_text="register although points are open that need not be fixed first"
    )


class DraftNodeSerializer(ShapeSerializer):
    """A node of the list."""

    name = serializers.CharField()
    host = serializers.CharField()
    port = serializers.IntegerField()


class DraftAccountNameSerializer(ShapeSerializer):
    """How an account is named."""

    user = serializers.CharField()
    host = serializers.CharField(allow_blank=True)


class DraftAccountNamesSerializer(ShapeSerializer):
    """The three accounts."""

    monitor = DraftAccountNameSerializer()
    operator = DraftAccountNameSerializer()
    replication = DraftAccountNameSerializer()


class DraftCertificateSerializer(ShapeSerializer):
    """A certificate that was given, and until when it is valid."""

    kind = serializers.ChoiceField(choices=["authority", "client"])
    subject = serializers.CharField()
    fingerprint = serializers.CharField(help_text="SHA-256")
    ends_at = serializers.DateTimeField()


class DraftTlsOutSerializer(ShapeSerializer):
    """How the nodes are connected to; a certificate is no secret."""

    mode = serializers.ChoiceField(choices=TLS_MODE, allow_blank=True)
    ca = serializers.CharField(allow_blank=True)
    cert = serializers.CharField(allow_blank=True, help_text="client certificate; its key is not shown")
    key_reference = serializers.CharField(allow_null=True, help_text="null: the key is sealed here, or none")
    certificates = DraftCertificateSerializer(many=True)


class DraftStatementSerializer(ShapeSerializer):
    """One statement; its password is masked. `result` is blank until it was sent."""

    role = serializers.CharField(allow_blank=True)
    sql = serializers.CharField()
    purpose = serializers.CharField()
    result = serializers.ChoiceField(choices=RESULT, allow_blank=True)
    error = serializers.CharField(allow_blank=True)


class DraftStatementsSerializer(ShapeSerializer):
    """The statements that create the accounts. `own`: the same for a person to run."""

    state = serializers.ChoiceField(
        choices=STORED, allow_blank=True, help_text="where the stored accounts came from; blank: there are none"
    )
    node = serializers.CharField(allow_blank=True, help_text="where they would be sent")
    digest = serializers.CharField()
    statements = DraftStatementSerializer(many=True)
    own = serializers.ListField(child=serializers.CharField())


class DraftMemberSerializer(ShapeSerializer):
    """A member of the cluster, or a server that is none."""

    name = serializers.CharField()
    host = serializers.CharField(allow_blank=True)
    port = serializers.IntegerField()
    state = serializers.ChoiceField(choices=MEMBER_STATE)
    sentence = serializers.CharField()
    is_connected = serializers.BooleanField()


class DraftTlsModeSerializer(ShapeSerializer):
    """One TLS mode: whether it works on all nodes; null where it was not tried."""

    mode = serializers.ChoiceField(choices=TLS_MODE)
    works = serializers.BooleanField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    protects = serializers.CharField()


class DraftTlsFoundSerializer(ShapeSerializer):
    """The strictest mode that works, what it protects, and what hinders a stricter one."""

    mode = serializers.ChoiceField(choices=TLS_MODE, allow_null=True)
    sentence = serializers.CharField()
    protects = serializers.CharField(allow_blank=True)
    remedy = serializers.CharField(allow_blank=True)
    modes = DraftTlsModeSerializer(many=True)


class DraftDiscoveredSerializer(ShapeSerializer):
    """What the servers told."""

    at = serializers.DateTimeField()
    may_create = serializers.BooleanField(
        allow_null=True, help_text="whether the administrator may create accounts; null = unknown"
    )
    members = DraftMemberSerializer(many=True)
    tls = DraftTlsFoundSerializer()
    settings = serializer_of(SettingChange)(many=True)


class DraftCheckedSerializer(ShapeSerializer):
    """The check with the accounts of the cluster."""

    at = serializers.DateTimeField()
    findings = FindingSerializer(many=True)


class DraftSideSerializer(ShapeSerializer):
    """One cluster of a guided registration."""

    name = serializers.CharField(allow_blank=True)
    site = serializers.CharField(allow_blank=True)
    host = serializers.CharField(allow_blank=True)
    port = serializers.IntegerField()
    administrator = serializers.CharField(allow_blank=True)
    nodes = DraftNodeSerializer(many=True)
    tls = DraftTlsOutSerializer()
    accounts = DraftAccountNamesSerializer()
    statements = DraftStatementsSerializer()
    discovered = DraftDiscoveredSerializer(allow_null=True)
    checked = DraftCheckedSerializer(allow_null=True)
    cluster_id = serializers.CharField(allow_null=True)


class DraftLinkFoundSerializer(ShapeSerializer):
    """The channels between both clusters. `foreign` lead to no node of the other cluster."""

    state = serializers.ChoiceField(choices=LINK_FOUND)
    sentence = serializers.CharField()
    channels = serializer_of(FoundChannel)(many=True)
    foreign = serializer_of(FoundChannel)(many=True)
    channel_name = serializers.CharField(
        allow_null=True, allow_blank=True, max_length=LIMIT_BYTES, help_text="the name that both channels have"
    )


class DraftLinkSerializer(ShapeSerializer):
    """The link of a guided registration."""

    name = serializers.CharField(allow_blank=True)
    active = serializers.ChoiceField(choices=SIDE, allow_blank=True)
    channel_name = serializers.CharField(allow_null=True, allow_blank=True, help_text="null: as the channels have it")
    create_probe = serializers.BooleanField()
    requires_approval = serializers.BooleanField()
    writes_on_both_sides = serializers.BooleanField()
    suggested_active = serializers.ChoiceField(choices=SIDE, allow_null=True)
    found = DraftLinkFoundSerializer()
    settings = serializer_of(SettingChange)(many=True)


class OpenPointSerializer(ShapeSerializer):
    """One thing that is not as needed; `must`: the registration is refused until it is fixed."""

    code = serializers.CharField()
    side = serializers.ChoiceField(choices=POINT_SIDE)
    sentence = serializers.CharField()
    remedy = serializers.CharField(allow_blank=True)
    must = serializers.BooleanField()


class DraftBriefSerializer(ShapeSerializer):
    """A guided registration in one line. `link_id` is null until it is registered."""

    id = serializers.CharField()
    owner = serializers.CharField()
    title = serializers.CharField()
    link_id = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class DraftSerializer(DraftBriefSerializer):
    """A guided registration: what was typed, what was found, and what is open."""

    first = DraftSideSerializer()
    second = DraftSideSerializer()
    link = DraftLinkSerializer()
    endpoints_digest = serializers.CharField(
        help_text="of addresses, TLS modes and certificates of both clusters; each step with a password repeats it"
    )
    open_points = OpenPointSerializer(many=True)
    declaration = serializers.CharField(help_text="the same as a file for `hawser_apply`, passwords by reference")


DraftPageSerializer = page_of(DraftBriefSerializer, "Registration")
