"""Serializers of second factors."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer


class AppSerializer(ShapeSerializer):
    """The authenticator app of a user."""

    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField()


class PasskeySerializer(ShapeSerializer):
    """A passkey of a user."""

    id = serializers.CharField()
    name = serializers.CharField()
    rp_id = serializers.CharField(help_text="host name of the console that it works for")
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)


class SecondFactorsSerializer(ShapeSerializer):
    """The second factors of a user."""

    app = AppSerializer(allow_null=True, help_text="null without an authenticator app")
    passkeys = PasskeySerializer(many=True)
    recovery_codes_left = serializers.IntegerField()
    is_required = serializers.BooleanField(help_text="whether the role of the user needs a second factor")


class TotpSecretSerializer(ShapeSerializer):
    """What an authenticator app needs. This is the only response that holds the secret."""

    secret = serializers.CharField(help_text="base32, to be typed")
    uri = serializers.CharField(help_text="`otpauth://` address, which the QR code holds")
    qr_code = serializers.CharField(help_text="image as a `data:` address")


class RecoveryCodesSerializer(ShapeSerializer):
    """Recovery codes, shown once; empty if the user keeps the earlier ones."""

    recovery_codes = serializers.ListField(child=serializers.CharField())


class OptionsSerializer(ShapeSerializer):
    """Options for the browser's WebAuthn call, as JSON of the standard."""

    public_key = serializers.JSONField()


class CodeSerializer(StrictSerializer):
    """A code of the authenticator app."""

    code = PlainTextField(max_length=40)


class PasskeyCreateSerializer(StrictSerializer):
    """A new passkey: its name and what the browser returned."""

    name = NameField(help_text="name for the list")
    credential = serializers.DictField()


class PasskeySignInSerializer(StrictSerializer):
    """What the browser returned for a passkey."""

    credential = serializers.DictField()


class FactorSerializer(StrictSerializer):
    """One of: a code of the app or a recovery code, or what the browser returned for a passkey."""

    code = PlainTextField(max_length=40, required=False)
    credential = serializers.DictField(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Check that exactly one is given."""
        if len(given) != 1:
            raise serializers.ValidationError(f"Send exactly one of {', '.join(self.fields)}.")
        return given


class ProofSerializer(FactorSerializer):
    """One of: password, code or passkey."""

    password = SecretField(required=False, help_text="only for users without a second factor")
