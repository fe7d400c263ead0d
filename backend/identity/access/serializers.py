"""Serializers of teams, role assignments and environments."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.identity.access.assignments import scope_name
from backend.identity.access.models import RoleAssignment, ScopeKind
from backend.identity.accounts.models import USERNAME_PATTERN, Team
from backend.identity.accounts.serializers import ROLES

SCOPE_KINDS = [kind.value for kind in ScopeKind]


class TeamSerializer(ShapeSerializer):
    """A team and its members."""

    id = serializers.CharField()
    name = serializers.CharField()
    members = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_members(self, team: Team) -> list[str]:
        """User names."""
        return sorted(user.username for user in team.members.all())


class TeamMemberSerializer(ShapeSerializer):
    """A member of a team."""

    username = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, help_text="role for everything, without the team")
    is_active = serializers.BooleanField()


class TeamInSerializer(StrictSerializer):
    """A team to create."""

    name = NameField()
    members = serializers.ListField(
        child=serializers.RegexField(USERNAME_PATTERN), required=False, max_length=500, help_text="user names"
    )


class TeamUpdateSerializer(StrictSerializer):
    """Changes of a team."""

    name = NameField(required=False)
    members = serializers.ListField(
        child=serializers.RegexField(USERNAME_PATTERN),
        required=False,
        max_length=500,
        help_text="user names; replaces all members",
    )


class RoleAssignmentSerializer(ShapeSerializer):
    """A role that was assigned to a user or to the members of a team."""

    id = serializers.CharField()
    user = serializers.CharField(source="user.username", allow_null=True, default=None)
    team = serializers.CharField(source="team.id", allow_null=True, default=None, help_text="id of the team")
    team_name = serializers.CharField(source="team.name", allow_null=True, default=None)
    role = serializers.ChoiceField(choices=ROLES)
    scope_kind = serializers.ChoiceField(choices=SCOPE_KINDS)
    scope = serializers.CharField(allow_blank=True, help_text="name of the environment, or id of the cluster or link")
    scope_name = serializers.SerializerMethodField()
    reason = serializers.CharField(allow_blank=True)
    granted_by = serializers.CharField()
    granted_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)

    def get_scope_name(self, row: RoleAssignment) -> str:
        """The scope as people call it."""
        return scope_name(row.scope_kind, row.scope)


class RoleAssignmentInSerializer(StrictSerializer):
    """A role to assign, to a user or to a team."""

    user = serializers.RegexField(USERNAME_PATTERN, required=False)
    team = serializers.RegexField(ID_PATTERN, required=False, help_text="id of the team")
    role = serializers.ChoiceField(choices=ROLES)
    scope_kind = serializers.ChoiceField(choices=SCOPE_KINDS)
    scope = PlainTextField(
        max_length=40,
        required=False,
        allow_blank=True,
        help_text="name of the environment, or id of the cluster or link; blank for everything",
    )
    reason = PlainTextField(max_length=500, required=False, allow_blank=True)
    expires_at = serializers.DateTimeField(required=False, allow_null=True, help_text="when the role ends")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that one of user and team is given."""
        if ("user" in attrs) == ("team" in attrs):
            raise serializers.ValidationError({"user": "Give either user or team."})
        return attrs


class EnvironmentSerializer(ShapeSerializer):
    """An environment with the number of its links and clusters."""

    name = serializers.CharField()
    links = serializers.IntegerField()
    clusters = serializers.IntegerField()


class EnvironmentInSerializer(StrictSerializer):
    """The environment to move to."""

    environment = PlainTextField(max_length=40, allow_blank=True, help_text="for example production; blank for none")


TeamMemberPageSerializer = page_of(TeamMemberSerializer, "TeamMember")
TeamPageSerializer = page_of(TeamSerializer, "Team")
RoleAssignmentPageSerializer = page_of(RoleAssignmentSerializer, "RoleAssignment")
EnvironmentPageSerializer = page_of(EnvironmentSerializer, "Environment")
