"""Users with one role, tokens stored as hashes, and the counters that slow down guessing."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.validators import RegexValidator
from django.db import models

from backend.common.ids import token_id
from backend.common.roles import Role, lesser

ROLE_CHOICES = [(role.value, role.value) for role in Role]
USERNAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$"


class UserManager(BaseUserManager["User"]):
    """Finds users by name."""


class User(AbstractBaseUser):
    """Somebody, or some tool, that acts under its own name."""

    username = models.CharField(max_length=63, unique=True, validators=[RegexValidator(USERNAME_PATTERN)])
    role = models.CharField(max_length=10, choices=ROLE_CHOICES, default=Role.VIEWER.value)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    token_role: str | None = None
    """Set by token authentication: the role of the token in use."""

    def __str__(self) -> str:
        return self.username

    @property
    def acting_role(self) -> Role:
        """The role this request acts with: never more than the token in use carries."""
        return lesser(self.role, self.token_role) if self.token_role else Role(self.role)


class ApiToken(models.Model):
    """A bearer token: 256 random bits shown once, kept as SHA-256."""

    id = models.CharField(primary_key=True, max_length=14, default=token_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=63)
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.id} {self.label}"


class LoginCounter(models.Model):
    """Failed sign-ins of one name or one address since the window began."""

    key = models.CharField(max_length=120, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    window_started_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key} {self.failures}"
