"""Django application of the approval rules of links."""

from __future__ import annotations

from django.apps import AppConfig


class ApprovalRulesConfig(AppConfig):
    """Holds how many persons must approve the runs of a link, and who may."""

    name = "backend.approval_rules"
    label = "approval_rules"

    def ready(self) -> None:
        """Register what confirming and rejecting a weaker rule does."""
        from backend.accounts import protected_changes
        from backend.approval_rules import services

        weaker = protected_changes.Handler(services.weaker_rule_begins, services.weaker_rule_rejected)
        protected_changes.register({services.RULE_WEAKENED: weaker})
