"""Django application of users, sign-in and tokens."""

from __future__ import annotations

from functools import partial

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds users, their sign-ins and tokens, protected changes and the login throttle."""

    name = "backend.identity.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Register what deciding on protected changes of accounts does, and the withdrawal of a stolen token's."""
        from backend.common.roles import Permission
        from backend.identity.accounts import (
            protected_changes,
            same_person,
            services,
            token_services,
            withdrawn_changes,
        )

        handler = partial(protected_changes.Handler, permission=Permission.USERS)
        person = handler(
            services.second_person_confirmed,
            services.second_person_rejected,
            check_rejection=services.check_rejection,
            ends_account=True,
        )
        token = handler(token_services.token_confirmed, token_services.token_rejected)
        mapped = handler(services.os_users_confirmed, services.os_users_rejected)
        token_services.register_withdrawal(withdrawn_changes.withdraw_of_token)
        protected_changes.register({same_person.KIND: handler(same_person.part, same_person.keep)})
        protected_changes.register(dict.fromkeys(services.PERSON_KINDS, person))
        protected_changes.register(
            {"approver_token_made": token, "operator_token_made": token, services.OS_USER_MAPPED: mapped}
        )
