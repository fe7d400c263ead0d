"""The second factors of users. No secret is readable without the keys of HAWSER_CREDENTIALS_KEY."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from backend.common.ids import passkey_id
from backend.identity.accounts.models import User


class Totp(models.Model):
    """An authenticator app (RFC 6238). A code up to time step `last_step` is not accepted again."""

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="totp")
    sealed = models.TextField()
    last_step = models.BigIntegerField()
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user_id}"


class Passkey(models.Model):
    """A passkey (WebAuthn) for the host name `rp_id`; `credential` holds its id and public key.

    `sign_count` is the authenticator's counter at its last use; a lower one later means a copy.
    """

    id = models.CharField(primary_key=True, max_length=14, default=passkey_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=63)
    rp_id = models.CharField(max_length=253)
    credential_digest = models.CharField(max_length=64, unique=True)
    credential = models.TextField()
    sign_count = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.id} {self.user_id}"


class RecoveryCode(models.Model):
    """A code for the day when the device is lost: 80 random bits, stored as SHA-256 and accepted once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64, unique=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.used_at}"
