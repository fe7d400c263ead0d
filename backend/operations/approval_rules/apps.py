"""Django application of the approval rules of links."""

from __future__ import annotations

from functools import partial

from django.apps import AppConfig


class ApprovalRulesConfig(AppConfig):
    """Holds how many persons must approve the runs of a link, and who may."""

    name = "backend.operations.approval_rules"
    label = "approval_rules"

    def ready(self) -> None:
        """Register what confirming and rejecting a weaker rule, and the end of a rule, does."""
        from backend.clusters.selectors import link_name
        from backend.common.roles import Permission
        from backend.identity.accounts import protected_changes
        from backend.operations.approval_rules import services, switching

        handler = partial(protected_changes.Handler, permission=Permission.LINKS, name_of=link_name)
        weaker = handler(services.weaker_rule_begins, services.weaker_rule_rejected)
        off = handler(switching.approval_rule_off, switching.approval_rule_stays)
        protected_changes.register({services.RULE_WEAKENED: weaker, switching.RULE_OFF: off})
