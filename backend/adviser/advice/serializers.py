"""Serializers of advice and configurations."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.advice.configuration.notes import NoteKind
from backend.core.adviser.advice.configuration.table import TakesEffect
from backend.core.adviser.advice.host_settings.table import Judgement
from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.model import Risk

RISK = [risk.value for risk in Risk]
LAYOUT = [layout.value for layout in Layout]
PROFILE = [Layout.ONE_SITE.value, Layout.TWO_SITES.value]
NOTE = [kind.value for kind in NoteKind]
TAKES_EFFECT = [one.value for one in TakesEffect]
JUDGEMENT = [one.value for one in Judgement]


class ConfigurationQuerySerializer(StrictSerializer):
    """The profile to compare with; without it the one that fits the cluster."""

    profile = serializers.ChoiceField(
        choices=PROFILE, required=False, help_text=f"{' or '.join(PROFILE)}; without it the one that fits the cluster"
    )


class CertificateSerializer(ShapeSerializer):
    """Until when a certificate is valid."""

    kind = serializers.ChoiceField(choices=["authority", "client", "server"])
    name = serializers.CharField(help_text="name of the node, or the subject of the certificate")
    ends_at = serializers.DateTimeField()


class CertificatesSerializer(ShapeSerializer):
    """The certificates of a cluster's connections."""

    certificates = CertificateSerializer(many=True)


class DismissalInSerializer(StrictSerializer):
    """The advice to dismiss, as the list shows it; until when, and why."""

    subject_id = serializers.CharField(max_length=14)
    code = serializers.CharField(max_length=60)
    fingerprint = serializers.CharField(max_length=16)
    reason = PlainTextField(min_length=3, max_length=500)
    expires_at = serializers.DateTimeField(help_text="at most 366 days from now")


class DismissalSerializer(ShapeSerializer):
    """Who dismissed advice, why, and until when."""

    id = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class ConfigurationChangeSerializer(ShapeSerializer):
    """One change of one node; without `sql` only a restart changes the value."""

    node = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField(allow_null=True, allow_blank=True, help_text="null: the node does not show it")
    after = serializers.CharField(allow_blank=True)
    is_option = serializers.BooleanField(help_text="a provider option, else a server variable")
    needs_restart = serializers.BooleanField()
    sql = serializers.CharField(allow_blank=True)
    undo = serializers.CharField(allow_blank=True)


class AdviceSerializer(ShapeSerializer):
    """One piece of advice; `dismissal` null: it is open."""

    code = serializers.CharField()
    risk = serializers.ChoiceField(choices=RISK)
    title = serializers.CharField()
    subject_id = serializers.CharField(help_text="id of the cluster or link")
    subject = serializers.CharField()
    nodes = serializers.ListField(child=serializers.CharField())
    fact = serializers.CharField()
    consequence = serializers.CharField()
    remedy = serializers.CharField()
    evidence = serializers.CharField()
    is_measured = serializers.BooleanField(help_text="the effect was measured, not only documented")
    changes = ConfigurationChangeSerializer(many=True)
    fingerprint = serializers.CharField(help_text="of the facts; a dismissal counts for it only")
    dismissal = DismissalSerializer(allow_null=True)


class OpenAdviceSerializer(ShapeSerializer):
    """How much advice is open, by risk."""

    high = serializers.IntegerField()
    medium = serializers.IntegerField()
    low = serializers.IntegerField()


class ConfigurationNodeSerializer(ShapeSerializer):
    """When a node was read; `read_at` null: its configuration is unknown, and `error` says why."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    version = serializers.CharField(allow_null=True)
    provider_version = serializers.CharField(allow_null=True)
    read_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_blank=True)


class AdviceListSerializer(ShapeSerializer):
    """Advice, open advice first, by risk. It rests on the nodes that were read."""

    items = AdviceSerializer(many=True)
    open = OpenAdviceSerializer()
    nodes = ConfigurationNodeSerializer(many=True)


class ConfigurationValueSerializer(ShapeSerializer):
    """A node's value; null: it does not show the setting, or was not read."""

    node = serializers.CharField()
    value = serializers.CharField(allow_null=True, allow_blank=True)


class RecommendationSerializer(ShapeSerializer):
    """A recommended value and the changes that lead there."""

    value = serializers.CharField(allow_blank=True)
    why = serializers.CharField()
    effect = serializers.CharField()
    based_on = serializers.CharField(help_text="where the value is from")
    changes = ConfigurationChangeSerializer(many=True)


class ConfigurationRowSerializer(ShapeSerializer):
    """One setting on every node."""

    name = serializers.CharField()
    is_option = serializers.BooleanField(help_text="a provider option, else a server variable")
    values = ConfigurationValueSerializer(many=True)
    default = serializers.CharField(allow_null=True, allow_blank=True)
    meaning = serializers.CharField(allow_blank=True)
    must_be_equal = serializers.BooleanField()
    differs = serializers.BooleanField(allow_null=True, help_text="null: not all nodes are known")
    takes_effect = serializers.ChoiceField(choices=TAKES_EFFECT)
    can_be_planned = serializers.BooleanField(help_text="whether a plan (configure) may set the recommended value")
    note_kind = serializers.ChoiceField(choices=NOTE, allow_blank=True)
    note = serializers.CharField(allow_blank=True)
    recommendation = RecommendationSerializer(allow_null=True)


class ConfigurationFragmentSerializer(ShapeSerializer):
    """The lines for one node's configuration file."""

    node = serializers.CharField()
    text = serializers.CharField()


class RestartStepSerializer(ShapeSerializer):
    """One node to restart, in this order."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    carries_channel = serializers.BooleanField()
    sentence = serializers.CharField()


class ConfigurationSerializer(ShapeSerializer):
    """The settings of a cluster; `layout` is what its nodes tell, `profile` what it is compared with."""

    layout = serializers.ChoiceField(choices=LAYOUT)
    profile = serializers.ChoiceField(choices=LAYOUT)
    nodes = ConfigurationNodeSerializer(many=True)
    rows = ConfigurationRowSerializer(many=True)
    fragments = ConfigurationFragmentSerializer(many=True)
    restarts = RestartStepSerializer(many=True)
    host_settings_command = serializers.CharField(help_text="reads the network settings of a host; changes nothing")


class HostSettingsInSerializer(StrictSerializer):
    """Pasted network settings, and the profile to compare with; without it the one that fits the cluster."""

    text = serializers.CharField(
        allow_blank=True,
        trim_whitespace=False,
        help_text="output of sysctl, or a result of hawser-network-probe; at most 200 kB",
    )
    profile = serializers.ChoiceField(choices=PROFILE, required=False)


class HostSettingRowSerializer(ShapeSerializer):
    """One network setting; `statement` and `undo` are empty where no change is advised."""

    name = serializers.CharField()
    current = serializers.CharField()
    recommended = serializers.CharField(allow_null=True)
    is_minimum = serializers.BooleanField(help_text="a greater value is as good as the recommended one")
    judgement = serializers.ChoiceField(choices=JUDGEMENT)
    why = serializers.CharField()
    effect = serializers.CharField(allow_blank=True)
    based_on = serializers.CharField(source="source", allow_blank=True, help_text="where the value is from")
    statement = serializers.CharField(allow_blank=True)
    undo = serializers.CharField(allow_blank=True)


class HostComparisonSerializer(ShapeSerializer):
    """The settings of one host, changes first; `missing` are unknown and give no advice."""

    host = serializers.CharField(allow_blank=True, help_text="the node and its cluster, where the text names it")
    rows = HostSettingRowSerializer(many=True)
    missing = serializers.ListField(child=serializers.CharField())
    fragment = serializers.CharField(allow_blank=True, help_text="lines for /etc/sysctl.d/60-hawser.conf")


class HostSettingsSerializer(ShapeSerializer):
    """One host, or the two of a result of hawser-network-probe, compared with `profile`."""

    profile = serializers.ChoiceField(choices=LAYOUT)
    hosts = HostComparisonSerializer(many=True)
