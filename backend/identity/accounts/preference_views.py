"""The REST views of a user's preferences and of the roles."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.rest.operations import operation
from backend.common.rest.scope import Where
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts import first_steps, preferences, selectors
from backend.identity.accounts.models import SignIn
from backend.identity.accounts.principal import principal
from backend.identity.accounts.serializers import PreferencesSerializer, PreferencesUpdateSerializer, RoleListSerializer


class PreferencesView(ConsoleView):
    """How the page shows things to the caller."""

    permissions = {"GET": Permission.SESSION, "PATCH": Permission.SESSION}
    keyed = False
    open_without_factor = True

    @operation("preferences_read", "Get your preferences", responses=PreferencesSerializer)
    def get(self, request: Request) -> Response:
        """Get the time zone, clock, density, colour scheme, view of operations and saved views of the current user."""
        return respond(PreferencesSerializer, preferences.preferences_of(principal(request)))

    @operation(
        "preferences_update",
        "Update your preferences",
        request=PreferencesUpdateSerializer,
        responses=PreferencesSerializer,
    )
    def patch(self, request: Request) -> Response:
        """Change the preferences of the current user. A field that is left out keeps its value."""
        changes = validated_body(request, PreferencesUpdateSerializer)
        user = principal(request)
        if isinstance(request.auth, SignIn) and "notice_accepted" in changes:
            first_steps.notice_decide(user, accepted=changes["notice_accepted"])
        changes.pop("notice_accepted", None)
        return respond(PreferencesSerializer, preferences.preferences_update(user=user, changes=changes))


class RoleListView(ConsoleView):
    """The roles and what each includes."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation("role_list", "List roles and their permissions", responses=RoleListSerializer)
    def get(self, request: Request) -> Response:
        """List the fixed roles, the lowest first, and what each permission allows."""
        return respond(RoleListSerializer, selectors.roles())
