"""Serializers of sign-in, users and tokens."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField, SecretField
from backend.common.rest.pagination import MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.common.roles import Permission, Role
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.accounts.identities.selectors import shown_identity
from backend.identity.accounts.models import (
    USERNAME_PATTERN,
    ChangeState,
    ColorScheme,
    Density,
    TimeFormat,
    Tour,
    User,
    WorkflowView,
)
from backend.identity.accounts.second_factor import factors

ROLES = [role.value for role in Role]
PERMISSION = [permission.value for permission in Permission]
TIME_FORMAT = [value.value for value in TimeFormat]
DENSITY = [value.value for value in Density]
COLOR_SCHEME = [value.value for value in ColorScheme]
WORKFLOW_VIEW = [value.value for value in WorkflowView]
TOUR = [value.value for value in Tour]
PROVIDER_KIND = [kind.value for kind in ProviderKind]
CHANGE_STATE = [state.value for state in ChangeState]
OS_USER_PATTERN = r"^[A-Za-z_][A-Za-z0-9_.-]{0,31}$"


class SignInSerializer(StrictSerializer):
    """User name and password."""

    username = PlainTextField(max_length=63)
    password = SecretField()


MAX_VIEWS = 20


class LinkViewSerializer(StrictSerializer):
    """A named view of the list of links: filters, sorting and grouping, as the query of its address."""

    name = PlainTextField(max_length=60)
    search = PlainTextField(max_length=500, allow_blank=True, help_text="query of the address, without the ?")


class PreferencesSerializer(ShapeSerializer):
    """How the page shows things to a user."""

    time_zone = serializers.CharField(help_text="an IANA name, UTC, or local for the zone of the browser")
    time_format = serializers.ChoiceField(choices=TIME_FORMAT)
    density = serializers.ChoiceField(choices=DENSITY)
    color_scheme = serializers.ChoiceField(choices=COLOR_SCHEME)
    link_views = LinkViewSerializer(many=True, help_text="saved views of the list of links")
    workflow_view = serializers.ChoiceField(
        choices=WORKFLOW_VIEW, help_text="`page` shows the steps of an operation on one page"
    )
    tour = serializers.ChoiceField(choices=TOUR, help_text="the step of the demo's tour that the user is at")


class PreferencesUpdateSerializer(StrictSerializer):
    """Preferences to change; each field is optional."""

    time_zone = PlainTextField(max_length=64, required=False)
    time_format = serializers.ChoiceField(choices=TIME_FORMAT, required=False)
    density = serializers.ChoiceField(choices=DENSITY, required=False)
    color_scheme = serializers.ChoiceField(choices=COLOR_SCHEME, required=False)
    link_views = serializers.ListField(
        child=LinkViewSerializer(), required=False, max_length=MAX_VIEWS, help_text="replaces all saved views"
    )
    workflow_view = serializers.ChoiceField(choices=WORKFLOW_VIEW, required=False)
    tour = serializers.ChoiceField(choices=TOUR, required=False)
    notice_accepted = serializers.BooleanField(
        required=False, help_text="whether the user agrees to what is kept of persons"
    )

    def validate_link_views(self, views: list[dict[str, str]]) -> list[dict[str, str]]:
        """Check that each name occurs once."""
        if len({view["name"] for view in views}) != len(views):
            raise serializers.ValidationError("Give each view a name of its own.")
        return views


class RolePermissionSerializer(ShapeSerializer):
    """A permission and what it allows."""

    permission = serializers.ChoiceField(choices=PERMISSION)
    description = serializers.CharField()


class RoleSerializer(ShapeSerializer):
    """A role and the permissions that it includes."""

    role = serializers.ChoiceField(choices=ROLES)
    permissions = serializers.ListField(child=serializers.ChoiceField(choices=PERMISSION))


class RoleListSerializer(ShapeSerializer):
    """The roles, the lowest first, and all permissions."""

    roles = RoleSerializer(many=True)
    permissions = RolePermissionSerializer(many=True)


class IdentitySerializer(ShapeSerializer):
    """The account of a user at a provider or directory, which decides on the role."""

    kind = serializers.ChoiceField(choices=PROVIDER_KIND)
    issuer = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    groups = serializers.ListField(child=serializers.CharField(), help_text="as of the last confirmation")
    confirmed_at = serializers.DateTimeField(help_text="when the provider or directory last confirmed the user")
    same_person_as = serializers.CharField(allow_null=True, help_text="another user who is the same person")


class NotificationSerializer(ShapeSerializer):
    """What the user is told in person."""

    at = serializers.DateTimeField(help_text="when it happened, or will happen")
    message = serializers.CharField()


class MeSerializer(ShapeSerializer):
    """The current user and the server."""

    username = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSION), help_text="on anything at all; a link lists those on it"
    )
    everywhere = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSION), help_text="those that hold for every link and cluster"
    )
    preferences = PreferencesSerializer()
    must_add_second_factor = serializers.BooleanField(
        help_text="the session can only add a second factor, which the role requires"
    )
    must_change_password = serializers.BooleanField(
        help_text="an administrator set the password; the session can only replace it"
    )
    must_accept_notice = serializers.BooleanField(
        help_text="the session can only agree to what is kept of persons, by `notice_accepted` of the preferences"
    )
    notifications = NotificationSerializer(
        many=True, help_text="changes of the account since the sign-in before, and tokens that end within 14 days"
    )
    demo = serializers.BooleanField()
    server_time = serializers.DateTimeField()
    version = serializers.CharField()
    provider = IdentitySerializer(allow_null=True, help_text="null for a local user")


class TokenSerializer(ShapeSerializer):
    """A token without its secret."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    role = serializers.ChoiceField(choices=ROLES)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSION), allow_null=True, help_text="null: all of the role"
    )
    links = serializers.ListField(child=serializers.CharField(), allow_null=True, help_text="null: not limited to any")
    environments = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="null: not limited to any"
    )
    addresses = serializers.ListField(child=serializers.CharField(), allow_null=True, help_text="null: from anywhere")
    rotated_from = serializers.CharField(
        source="rotated_from_id", allow_null=True, help_text="the token that this one replaces"
    )


class NewTokenSerializer(TokenSerializer):
    """A new token. This is the only response that holds its secret."""

    token = serializers.CharField()


class TokenCreateSerializer(StrictSerializer):
    """A token to create; without a role it gets that of its owner."""

    label = NameField(help_text="purpose of the token")  # type: ignore[assignment]
    role = serializers.ChoiceField(choices=ROLES, required=False, help_text="role of the token, at most yours")
    expires_days = serializers.IntegerField(
        min_value=1, max_value=3650, required=False, allow_null=True, help_text="days until the token expires"
    )
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=PERMISSION),
        required=False,
        allow_null=True,
        allow_empty=False,
        help_text="of the role only these",
    )
    links = serializers.ListField(
        child=serializers.RegexField(ID_PATTERN),
        required=False,
        allow_null=True,
        allow_empty=False,
        max_length=200,
        help_text="only for these links and their clusters",
    )
    environments = serializers.ListField(
        child=PlainTextField(max_length=40),
        required=False,
        allow_null=True,
        allow_empty=False,
        max_length=50,
        help_text="only for the links of these environments",
    )
    addresses = serializers.ListField(
        child=PlainTextField(max_length=50),
        required=False,
        allow_null=True,
        allow_empty=False,
        max_length=50,
        help_text="accepted only from these ranges of addresses, for example 192.0.2.0/24",
    )


class TokenRotateSerializer(StrictSerializer):
    """How long the old secret stays valid."""

    overlap_s = serializers.IntegerField(
        min_value=0,
        max_value=604_800,
        allow_null=True,
        default=None,
        help_text="seconds for which the old token stays valid; null: an hour, and none where the caller is not behind "
        "the service account",
    )


class SessionSerializer(ShapeSerializer):
    """A session of a browser."""

    id = serializers.CharField()
    source_ip = serializers.CharField(allow_blank=True)
    user_agent = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    last_active_at = serializers.DateTimeField()
    is_current = serializers.BooleanField()


class PasswordChangeSerializer(StrictSerializer):
    """The current and the new password of the caller."""

    current_password = SecretField()
    new_password = SecretField()


class ProtectedChangeSerializer(ShapeSerializer):
    """A change that takes effect when a second administrator confirms it, or at its time."""

    id = serializers.CharField()
    kind = serializers.CharField()
    target = serializers.CharField()
    summary = serializers.CharField()
    state = serializers.ChoiceField(choices=CHANGE_STATE)
    requested_by = serializers.CharField()
    requested_at = serializers.DateTimeField()
    effective_at = serializers.DateTimeField(help_text="the change takes effect at this time without a confirmation")
    decided_by = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    comment = serializers.CharField(allow_blank=True)


class UserSerializer(ShapeSerializer):
    """A user."""

    username = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    is_active = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_login = serializers.DateTimeField(allow_null=True)
    second_person_from = serializers.DateTimeField(help_text="from when the user counts as a second person")
    os_users = serializers.SerializerMethodField()
    is_service = serializers.BooleanField(help_text="a service account: no password, no sessions, no second person")
    owner = serializers.CharField(
        source="owner.username", allow_null=True, default=None, help_text="user that owns the service account"
    )
    owner_team = serializers.CharField(
        source="owner_team.name", allow_null=True, default=None, help_text="team that owns the service account"
    )
    provider = serializers.SerializerMethodField(help_text="null for a local user")
    password_set_by = serializers.CharField(
        allow_blank=True, help_text="who set the password for the user last, also if the user changed it since"
    )

    @extend_schema_field(IdentitySerializer(allow_null=True))
    def get_provider(self, user: User) -> dict[str, Any] | None:
        """The account of the user at a provider or directory."""
        shown = shown_identity(user)
        return dict(IdentitySerializer(shown).data) if shown else None

    def get_os_users(self, user: User) -> list[str]:
        """Accounts of the console's host that belong to this user."""
        return sorted(user.os_users)


class FactorCountsSerializer(ShapeSerializer):
    """How many second factors a user has, by kind."""

    apps = serializers.IntegerField()
    passkeys = serializers.IntegerField()
    recovery_codes = serializers.IntegerField(help_text="that were not used yet")


class UpdatedUserSerializer(UserSerializer):
    """A user after a change, with the second factors that stay."""

    second_factors = serializers.SerializerMethodField(
        help_text="they outlive a new password, unless `ends_factors` was sent with it"
    )

    @extend_schema_field(FactorCountsSerializer)
    def get_second_factors(self, user: User) -> dict[str, Any]:
        """By kind, without secrets."""
        return dict(FactorCountsSerializer(factors().counts_of(user)).data)


class PersonSearchSerializer(StrictSerializer):
    """A page of users in the order of their names."""

    search = PlainTextField(max_length=80, default="", allow_blank=True, help_text="a part of the user name")
    cursor = serializers.CharField(
        max_length=400, default=None, allow_null=True, help_text="`next` of the previous page"
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PAGE,
        default=None,
        allow_null=True,
        help_text="number of results per page; all without it",
    )


class UserListQuerySerializer(PersonSearchSerializer):
    """Which users to list."""

    is_service = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="only service accounts, or only persons"
    )


class TokenRevokeQuerySerializer(StrictSerializer):
    """Why a token is revoked."""

    is_compromised = serializers.BooleanField(
        default=False,
        help_text="whether others may have used it, also before it ended: runs and changes that it, or a token that it "
        "replaced, requested and that have not begun are ended",
    )


class TokenRevokedSerializer(ShapeSerializer):
    """What was found of a token that was revoked as compromised."""

    found = serializers.ListField(
        child=serializers.CharField(),
        help_text="a sentence of each account, run, change and automation that it made, set or requested",
    )


class UserCreateSerializer(StrictSerializer):
    """A user to create; without a password the user can use API tokens only."""

    username = serializers.RegexField(USERNAME_PATTERN)
    role = serializers.ChoiceField(choices=ROLES)
    password = SecretField(required=False, help_text="without a password the user can use API tokens only")
    owner = serializers.RegexField(
        USERNAME_PATTERN, required=False, help_text="makes it a service account of this user"
    )
    owner_team = serializers.RegexField(
        ID_PATTERN, required=False, help_text="makes it a service account of the team with this id"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that at most one owner is given."""
        if "owner" in attrs and "owner_team" in attrs:
            raise serializers.ValidationError({"owner_team": "Give either owner or owner_team."})
        return attrs


class UserUpdateSerializer(StrictSerializer):
    """Changes of a user."""

    role = serializers.ChoiceField(choices=ROLES, required=False)
    is_active = serializers.BooleanField(required=False, help_text="whether the user can sign in and use tokens")
    password = SecretField(required=False)
    ends_factors = serializers.BooleanField(
        required=False, help_text="with a password: remove the second factors as well, which others may have"
    )
    os_users = serializers.ListField(
        child=serializers.RegexField(OS_USER_PATTERN),
        required=False,
        max_length=10,
        allow_empty=True,
        help_text="accounts of the console's host that belong to this user",
    )
    same_person_as = serializers.RegexField(
        USERNAME_PATTERN,
        required=False,
        allow_null=True,
        help_text="another user who is the same person, for a user of a provider; null declares them two persons, "
        "which takes effect after a waiting time or a second administrator's confirmation",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that second factors end with a new password only."""
        if attrs.get("ends_factors") and "password" not in attrs:
            message = "Send a new password with it. Second factors alone are removed by DELETE second-factors."
            raise serializers.ValidationError({"ends_factors": message})
        return attrs


TokenPageSerializer = page_of(TokenSerializer, "Token")
SessionPageSerializer = page_of(SessionSerializer, "Session")
UserPageSerializer = page_of(UserSerializer, "User")
