"""Identities of users at a provider or directory, the sessions opened by it, and logout tokens that were used."""

from __future__ import annotations

import hashlib
from enum import StrEnum

from django.db import models
from django.utils import timezone

from backend.identity.accounts.models import SignIn, User


class ProviderKind(StrEnum):
    """What a user was authenticated by, other than a local password."""

    OIDC = "oidc"
    LDAP = "ldap"


def identity_key(issuer: str, subject: str) -> str:
    """One text for issuer and subject. Hashed, because a database may compare long text regardless of case."""
    return hashlib.sha256(f"{issuer}\0{subject}".encode()).hexdigest()


class Identity(models.Model):
    """The one account at a provider that a user is bound to, by issuer and subject and never by name.

    `aliases` are the looks of all names under which the provider knows or knew the person, `person` is another user
    who is the same person; both keep one person from being two.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="identity")
    kind = models.CharField(max_length=4, choices=[(kind.value, kind.value) for kind in ProviderKind])
    key = models.CharField(max_length=64, unique=True)
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=500)
    email = models.CharField(max_length=254, blank=True)
    groups = models.JSONField(default=list)
    aliases = models.JSONField(default=list)
    person = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="provider_accounts")
    created_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id}"


class ProviderSession(models.Model):
    """A session that a provider or directory opened: how it is ended from there, and confirmed until then.

    `sealed_tokens` holds the ID token and the refresh token of OpenID Connect.
    """

    sign_in = models.OneToOneField(SignIn, on_delete=models.CASCADE, related_name="provider_session")
    identity = models.ForeignKey(Identity, on_delete=models.CASCADE, related_name="sessions")
    sid = models.CharField(max_length=255, blank=True, db_index=True)
    sealed_tokens = models.TextField(blank=True)
    checked_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.sign_in_id}"


class UsedLogoutToken(models.Model):
    """A logout token that was accepted; a second one with its id is refused while it would still be valid."""

    key = models.CharField(max_length=64, primary_key=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
