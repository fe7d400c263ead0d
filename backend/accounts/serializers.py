"""Shapes of sign-in, users and tokens."""

from __future__ import annotations

from rest_framework import serializers

from backend.accounts.models import USERNAME_PATTERN
from backend.common.rest.fields import NameField, PlainTextField, SecretField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.common.roles import Permission, Role

ROLES = [role.value for role in Role]


class SignInSerializer(StrictSerializer):
    """Name and password."""

    username = PlainTextField(max_length=63)
    password = SecretField()


class MeSerializer(ShapeSerializer):
    """The signed-in user and the server."""

    username = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    permissions = serializers.ListField(child=serializers.ChoiceField(choices=[p.value for p in Permission]))
    demo = serializers.BooleanField()
    server_time = serializers.DateTimeField()
    version = serializers.CharField()


class TokenSerializer(ShapeSerializer):
    """A token without its secret."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    role = serializers.ChoiceField(choices=ROLES)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class NewTokenSerializer(TokenSerializer):
    """The one answer that holds the secret."""

    token = serializers.CharField()


class TokenCreateSerializer(StrictSerializer):
    """A token to make; without a role it gets its owner's."""

    label = NameField()  # type: ignore[assignment]
    role = serializers.ChoiceField(choices=ROLES, required=False)
    expires_days = serializers.IntegerField(min_value=1, max_value=3650, required=False, allow_null=True)


class UserSerializer(ShapeSerializer):
    """A user."""

    username = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    is_active = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_login = serializers.DateTimeField(allow_null=True)


class UserCreateSerializer(StrictSerializer):
    """A user to make; without a password it acts through tokens only."""

    username = serializers.RegexField(USERNAME_PATTERN)
    role = serializers.ChoiceField(choices=ROLES)
    password = SecretField(required=False)


class UserUpdateSerializer(StrictSerializer):
    """What may change of a user."""

    role = serializers.ChoiceField(choices=ROLES, required=False)
    is_active = serializers.BooleanField(required=False)
    password = SecretField(required=False)


TokenPageSerializer = page_of(TokenSerializer, "Token")
UserPageSerializer = page_of(UserSerializer, "User")
