"""Django application of the approval rules of links."""

from __future__ import annotations

from django.apps import AppConfig


class ApprovalRulesConfig(AppConfig):
    """Holds how many persons must approve the runs of a link, and who may."""

    name = "backend.operations.approval_rules"
    label = "approval_rules"

    def ready(self) -> None:
        """Register what confirming and rejecting a weaker rule, and the end of a rule, does."""
        from backend.identity.accounts import protected_changes
        from backend.operations.approval_rules import services, switching

        weaker = protected_changes.Handler(services.weaker_rule_begins, services.weaker_rule_rejected)
        off = protected_changes.Handler(switching.approval_rule_off, switching.approval_rule_stays)
        protected_changes.register({services.RULE_WEAKENED: weaker, switching.RULE_OFF: off})
