"""Application of the audit record."""

from __future__ import annotations

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Holds the record and its head."""

    name = "backend.audit"
    label = "audit"
