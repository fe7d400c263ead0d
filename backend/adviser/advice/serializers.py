"""What callers give of advice and configurations."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import StrictSerializer
from backend.core.adviser.advice.layout import Layout

PROFILE = [Layout.ONE_SITE.value, Layout.TWO_SITES.value]


class ConfigurationQuerySerializer(StrictSerializer):
    """The profile to compare with; without it the one that fits the cluster."""

    profile = serializers.ChoiceField(
        choices=PROFILE, required=False, help_text=f"{' or '.join(PROFILE)}; without it the one that fits the cluster"
    )


class DismissalInSerializer(StrictSerializer):
    """The advice to dismiss, as the list shows it; until when, and why."""

    subject_id = serializers.CharField(max_length=14)
    code = serializers.CharField(max_length=60)
    fingerprint = serializers.CharField(max_length=16)
    reason = PlainTextField(min_length=3, max_length=500)
    expires_at = serializers.DateTimeField(help_text="at most 366 days from now")


class HostSettingsInSerializer(StrictSerializer):
    """Pasted network settings, and the profile to compare with; without it the one that fits the cluster."""

    text = serializers.CharField(
        allow_blank=True,
        trim_whitespace=False,
        help_text="output of sysctl, or a result of hawser-network-probe; at most 200 kB",
    )
    profile = serializers.ChoiceField(choices=PROFILE, required=False)
