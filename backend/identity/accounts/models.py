"""Users with one role each, their sign-ins and tokens, protected changes, and counters of failed sign-ins."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from backend.common.ids import protected_change_id, session_id, team_id, token_id
from backend.common.privileges import Privileges
from backend.common.request_context import current
from backend.common.roles import Role, lesser
from backend.identity.accounts.names import folded, skeleton
from backend.identity.accounts.privileges import privileges_of

ROLE_CHOICES = [(role.value, role.value) for role in Role]
USERNAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$"


class UserManager(BaseUserManager["User"]):
    """Finds users by name, regardless of case."""

    def get_by_natural_key(self, username: str | None) -> User:
        """Used by Django's sign-in."""
        given = username or ""
        exact = self.filter(username=given).first()
        user = exact or self.get(name_skeleton=skeleton(given))
        if folded(user.username) != folded(given):
            raise self.model.DoesNotExist
        return user


class User(AbstractBaseUser):
    """A person or a tool that acts under its own name.

    `name_skeleton` keeps look-alike names apart. `second_person_from` is when the account starts to count as a
    second person. `os_users` are the accounts of the console's host that belong to the same person, each with the
    time from which that counts (ISO 8601). `initial_password_until` is set while the password is one that an
    administrator set; `password_set_by` is who did that last, and stays when the user changes it, since whoever knew it
    could have; of the installation nobody is kept. `people_behind` are the names of who may sign in as the user by such
    a password, or by a second factor from before it, and whom no other administrator has confirmed yet (null: stored by
    an earlier version, nobody). `made_with_token` is the token with which another one made the account or set its
    password last; empty without one. `notice_accepted_at` is set when the user agreed to what is kept of persons. A
    service account (`is_service`) belongs to a user or a team; it has no password and no sessions, and never counts as
    a second person. `former_owners` left that team since: they know its tokens, and may have asked for things by it.
    """

    username = models.CharField(max_length=63, unique=True, validators=[RegexValidator(USERNAME_PATTERN)])
    password = models.CharField(max_length=255)
    role = models.CharField(max_length=10, choices=ROLE_CHOICES, default=Role.VIEWER.value)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    name_skeleton = models.CharField(max_length=80, unique=True, editable=False)
    second_person_from = models.DateTimeField(default=timezone.now)
    os_users = models.JSONField(default=dict)
    is_service = models.BooleanField(default=False, db_default=False)
    owner = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="service_accounts")
    initial_password_until = models.DateTimeField(null=True)
    password_set_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    people_behind = models.JSONField(null=True)
    made_with_token = models.CharField(max_length=14, blank=True, default="", db_default="")
    notice_accepted_at = models.DateTimeField(null=True)
    owner_team = models.ForeignKey("Team", on_delete=models.PROTECT, null=True, related_name="service_accounts")
    former_owners = models.ManyToManyField("self", symmetrical=False, related_name="formerly_owned")

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    token_in_use: ApiToken | None = None
    """Set by token authentication."""

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the skeleton of a new name."""
        if not self.name_skeleton:
            self.name_skeleton = skeleton(self.username)
        super().save(*args, **kwargs)

    @property
    def acting_role(self) -> Role:
        """The role of this request: at most that of the token in use."""
        return lesser(self.role, self.token_in_use.role) if self.token_in_use else Role(self.role)

    @property
    def token_id(self) -> str:
        """The token of this request; empty without one."""
        return self.token_in_use.pk if self.token_in_use else ""

    def privileges(self) -> Privileges:
        """What this request may do, and where, as it is at this moment."""
        return privileges_of(self, self.token_in_use)


class Team(models.Model):
    """Users who get the roles that are assigned to the team."""

    id = models.CharField(primary_key=True, max_length=14, default=team_id, editable=False)
    name = models.CharField(max_length=63, unique=True)
    members = models.ManyToManyField(User, related_name="teams")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """A bearer token: 256 random bits that are shown once and stored as SHA-256. Every token expires.

    It has at most the role, of that only `permissions`, and only for `links` and `environments`, where these are set;
    `addresses` are the ranges from which it is accepted. `rotated_from` is the token that this one replaces.
    """

    id = models.CharField(primary_key=True, max_length=14, default=token_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    label = models.CharField(max_length=63)
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    second_person_from = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    permissions = models.JSONField(null=True)
    links = models.JSONField(null=True)
    environments = models.JSONField(null=True)
    addresses = models.JSONField(null=True)
    end_told_at = models.DateTimeField(null=True)
    rotated_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="successors")

    def __str__(self) -> str:
        return f"{self.id} {self.label}"


class SignIn(models.Model):
    """A session of a browser: its user, address and last use. Ending it here takes effect at once.

    `session_key` is the key under which the session is stored: a hash of the cookie's value.
    """

    id = models.CharField(primary_key=True, max_length=14, default=session_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_ins")
    session_key = models.CharField(max_length=40, unique=True)
    source_ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_active_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.id} {self.user_id}"


class ChangeState(StrEnum):
    """State of a change that needs a second administrator or a waiting time."""

    WAITING = "waiting"
    CONFIRMED = "confirmed"
    EFFECTIVE = "effective"
    REJECTED = "rejected"


def token_of_request() -> str:
    """The token with which the current request was made; empty without one."""
    return current.get().token_id


class ProtectedChange(models.Model):
    """A change of who is a second person, or of the approval rule itself. It is announced and held back for a while.

    `token_id` is the token with which it was requested; empty without one. `people_behind` are the names of who could
    act as the requester then, and of all who asked for the changes that it replaced; null if an earlier version asked
    for it. `earlier_tokens` are the tokens with which those were requested. `target_name` is what the target was called
    then; empty if an earlier version asked for it.
    """

    SUMMARY_LENGTH: ClassVar[int] = 300

    id = models.CharField(primary_key=True, max_length=14, default=protected_change_id, editable=False)
    kind = models.CharField(max_length=40)
    target = models.CharField(max_length=80)
    target_name = models.CharField(max_length=80, blank=True, default="", db_default="")
    summary = models.CharField(max_length=SUMMARY_LENGTH)
    state = models.CharField(max_length=10, choices=[(s.value, s.value) for s in ChangeState], default="waiting")
    requested_by = models.CharField(max_length=80)
    requested_at = models.DateTimeField(default=timezone.now)
    token_id = models.CharField(max_length=14, blank=True, default=token_of_request, db_default="")
    people_behind = models.JSONField(null=True)
    earlier_tokens = models.JSONField(null=True)
    effective_at = models.DateTimeField(db_index=True)
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    comment = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.id} {self.kind} {self.target}"

    @property
    def askers(self) -> tuple[str, ...]:
        """Who requested it, and who was behind that."""
        return self.requested_by, *(self.people_behind or ())

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens with which it, and what it replaced, were requested."""
        return tuple(one for one in (self.token_id, *(self.earlier_tokens or ())) if one)


class Installation(models.Model):
    """When the installation of the console ended; one row, which is never removed."""

    ONLY: ClassVar[int] = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    ended_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"ended {self.ended_at}"


class LoginCounter(models.Model):
    """Failed sign-ins of a name or an address since the window began."""

    key = models.CharField(max_length=120, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    window_started_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key} {self.failures}"


class TimeFormat(StrEnum):
    """Clock of 24 or of 12 hours."""

    H24 = "24h"
    H12 = "12h"


class Density(StrEnum):
    """Height of rows and controls."""

    COMFORTABLE = "comfortable"
    COMPACT = "compact"


class ColorScheme(StrEnum):
    """Colours of the page; `auto` follows the operating system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class WorkflowView(StrEnum):
    """How an operation is read: one page for each step, or all steps on one page."""

    STEPS = "steps"
    PAGE = "page"


class Tour(StrEnum):
    """Where a user is in the tour of the demo: not begun, at one of its steps, or through with it."""

    OFFERED = "offered"
    PICTURE = "picture"
    FAILURE = "failure"
    RELOCATE = "relocate"
    PROOF = "proof"
    RESULT = "result"
    HISTORY = "history"
    ENDED = "ended"


def _choices(values: type[StrEnum]) -> list[tuple[str, str]]:
    return [(value.value, value.value) for value in values]


class Preferences(models.Model):
    """How the page shows things to a user. It changes nothing that the user sees or may do.

    `time_zone` is an IANA name, or `local` for the zone of the browser. `link_views` are named views of the list of
    links, each a name and the query of its address.
    """

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="preferences")
    time_zone = models.CharField(max_length=64, default="UTC")
    time_format = models.CharField(max_length=3, choices=_choices(TimeFormat), default=TimeFormat.H24.value)
    density = models.CharField(max_length=11, choices=_choices(Density), default=Density.COMFORTABLE.value)
    color_scheme = models.CharField(max_length=5, choices=_choices(ColorScheme), default=ColorScheme.AUTO.value)
    link_views = models.JSONField(default=list)
    workflow_view = models.CharField(max_length=5, choices=_choices(WorkflowView), default=WorkflowView.STEPS.value)
    tour = models.CharField(max_length=8, choices=_choices(Tour), default=Tour.OFFERED.value)

    def __str__(self) -> str:
        return f"{self.user_id}"
