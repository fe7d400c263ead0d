"""Serializers of sign-in by a provider."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer

LOCAL_SIGN_IN = ["always", "break_glass"]


class OfferedProviderSerializer(ShapeSerializer):
    """A provider or directory that the settings name."""

    name = serializers.CharField()
    is_available = serializers.BooleanField(help_text="whether it answered when it was last asked")
    problem = serializers.CharField(allow_blank=True, help_text="why it cannot be used now")


class SignInMethodsSerializer(ShapeSerializer):
    """The ways to sign in."""

    local = serializers.ChoiceField(choices=LOCAL_SIGN_IN, help_text="`break_glass`: for emergencies only")
    oidc = OfferedProviderSerializer(allow_null=True, help_text="a button that leads to the provider")
    directory = serializers.CharField(allow_null=True, help_text="name of the directory whose users enter a password")


class AuthorizationSerializer(ShapeSerializer):
    """Where the browser goes to sign in."""

    authorization_url = serializers.CharField()


class CallbackSerializer(StrictSerializer):
    """What the provider sent the browser back with: the query of the page's address."""

    state = PlainTextField(max_length=200)
    code = PlainTextField(max_length=4000, required=False, allow_blank=True)
    iss = PlainTextField(max_length=500, required=False, allow_blank=True)
    error = PlainTextField(max_length=200, required=False, allow_blank=True)


class EndSessionSerializer(ShapeSerializer):
    """Where the browser goes to end the session at the provider."""

    end_session_url = serializers.CharField(allow_null=True, help_text="null if the provider has no such address")


class LogoutTokenSerializer(serializers.Serializer[Any]):
    """The form of a back-channel logout. Other values in it are ignored, as its specification demands."""

    logout_token = serializers.CharField(max_length=16_000)
