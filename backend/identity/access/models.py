"""Roles that were assigned to a user or a team, for everything or for a scope."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.utils import timezone

from backend.common import ids
from backend.identity.accounts.models import ROLE_CHOICES, Team, User


class ScopeKind(StrEnum):
    """What a role is assigned for."""

    EVERYTHING = "everything"
    ENVIRONMENT = "environment"
    CLUSTER = "cluster"
    LINK = "link"


class RoleAssignment(models.Model):
    """A role of a user or of the members of a team; `scope` is the environment's name, or the id of cluster or link."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.role_assignment_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="assignments")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="assignments")
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    scope_kind = models.CharField(max_length=11, choices=[(kind.value, kind.value) for kind in ScopeKind])
    scope = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    granted_by = models.CharField(max_length=80)
    granted_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user=None) ^ models.Q(team=None), name="assignment_of_user_or_team"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} for {self.scope_kind} {self.scope}".strip()
