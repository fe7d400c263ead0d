"""Guided registrations that are not finished: what was typed and found, and the three accounts of each cluster.

An administrator's password is in no column.
"""

from __future__ import annotations

from django.db import models

from backend.clusters.models import CredentialRole
from backend.common import ids

SIDES = ("first", "second")


class RegistrationDraft(models.Model):
    """Two clusters and a link on their way to being registered.

    `first` and `second` hold a `guide.content.SideDraft`, `link` a `guide.content.LinkDraft`. The ids are those of what
    was registered; a registration that was interrupted continues from them.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.registration_draft_id, editable=False)
    owner = models.CharField(max_length=80)
    first = models.JSONField(default=dict)
    second = models.JSONField(default=dict)
    link = models.JSONField(default=dict)
    first_cluster_id = models.CharField(max_length=14, blank=True)
    second_cluster_id = models.CharField(max_length=14, blank=True)
    link_id = models.CharField(max_length=14, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.id


class DraftCredential(models.Model):
    """An account of a cluster that is not registered yet; its password is encrypted for this draft, side and role.

    `reference` says where it stays instead; `sealed` is empty then.
    """

    draft = models.ForeignKey(RegistrationDraft, on_delete=models.CASCADE, related_name="credentials")
    side = models.CharField(max_length=6)
    role = models.CharField(max_length=12, choices=[(role.value, role.value) for role in CredentialRole])
    user = models.CharField(max_length=128)
    sealed = models.TextField()
    reference = models.CharField(max_length=300, null=True)  # noqa: DJ001 -- null is "sealed here"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["draft", "side", "role"], name="draft_credential_role")]

    def __str__(self) -> str:
        return f"{self.draft_id} {self.side} {self.role}"
