"""Django application of users, sign-in and tokens."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds users, their sign-ins and tokens, protected changes and the login throttle."""

    name = "backend.identity.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Register what deciding on protected changes of accounts does, and the withdrawal of a stolen token's."""
        from backend.identity.accounts import (
            protected_changes,
            same_person,
            services,
            token_services,
            withdrawn_changes,
        )

        person = protected_changes.Handler(
            services.second_person_confirmed,
            services.second_person_rejected,
            services.check_rejection,
            ends_account=True,
        )
        token = protected_changes.Handler(token_services.token_confirmed, token_services.token_rejected)
        mapped = protected_changes.Handler(services.os_users_confirmed, services.os_users_rejected)
        token_services.register_withdrawal(withdrawn_changes.withdraw_of_token)
        protected_changes.register({same_person.KIND: protected_changes.Handler(same_person.part, same_person.keep)})
        protected_changes.register(dict.fromkeys(services.PERSON_KINDS, person))
        protected_changes.register(
            {"approver_token_made": token, "operator_token_made": token, services.OS_USER_MAPPED: mapped}
        )
