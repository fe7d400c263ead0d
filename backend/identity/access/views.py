"""The REST views of teams, role assignments and environments."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters.selectors import cluster_get, link_get
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.operations import operation
from backend.common.rest.scope import Where, privileges_of
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.identity.access import assignments, teams
from backend.identity.access.environments import environment_set, environments
from backend.identity.access.serializers import (
    EnvironmentInSerializer,
    EnvironmentPageSerializer,
    RoleAssignmentInSerializer,
    RoleAssignmentPageSerializer,
    RoleAssignmentSerializer,
    TeamInSerializer,
    TeamMemberPageSerializer,
    TeamPageSerializer,
    TeamSerializer,
    TeamUpdateSerializer,
)
from backend.identity.accounts.principal import principal
from backend.identity.accounts.selectors import member_page, team_get, user_named
from backend.identity.accounts.serializers import PersonSearchSerializer


class TeamListView(ConsoleView):
    """Teams."""

    permissions = {"GET": Permission.AUDIT, "POST": Permission.USERS}

    @operation("team_list", "List teams", responses=TeamPageSerializer)
    def get(self, request: Request) -> Response:
        """List all teams with their members, by name."""
        return respond(TeamPageSerializer, {"results": teams.teams(), "next": None})

    @operation(
        "team_create",
        "Create a team",
        codes=("team_exists",),
        request=TeamInSerializer,
        responses={201: TeamSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Create a team. Its members get the roles that are assigned to it."""
        given = validated_body(request, TeamInSerializer)
        return respond(TeamSerializer, teams.team_create(actor=principal(request).username, **given), status=201)


class TeamView(ConsoleView):
    """One team."""

    permissions = {"PATCH": Permission.USERS, "DELETE": Permission.USERS}

    @operation(
        "team_update",
        "Update a team",
        codes=("team_exists",),
        request=TeamUpdateSerializer,
        responses={200: TeamSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def patch(self, request: Request, team_id: str) -> Response:
        """Change the name or the members.

        A new member who may run or approve more by it counts as a second person only after the waiting time.
        """
        team = team_get(team_id)
        given = validated_body(request, TeamUpdateSerializer)
        return respond(TeamSerializer, teams.team_update(actor=principal(request).username, team=team, **given))

    @operation(
        "team_delete",
        "Delete a team",
        codes=("team_in_use",),
        responses={204: None, 409: ConflictSerializer},
    )
    @stored_with_effect
    def delete(self, request: Request, team_id: str) -> Response:
        """Delete a team with the roles that were assigned to it."""
        teams.team_delete(actor=principal(request).username, team=team_get(team_id))
        return Response(status=204)


class TeamMembersView(ConsoleView):
    """The members of a team."""

    permissions = {"GET": Permission.AUDIT}

    @operation(
        "team_members",
        "List the members of a team",
        parameters=[PersonSearchSerializer],
        responses=TeamMemberPageSerializer,
    )
    def get(self, request: Request, team_id: str) -> Response:
        """List the members of a team by name: all, or with `limit` a page of them."""
        asked = validated_query(request, PersonSearchSerializer)
        return respond(TeamMemberPageSerializer, member_page(team_get(team_id), **asked))


class RoleAssignmentListView(ConsoleView):
    """Roles that were assigned for a scope."""

    permissions = {"GET": Permission.AUDIT, "POST": Permission.USERS}

    @operation("role_assignment_list", "List assigned roles", responses=RoleAssignmentPageSerializer)
    def get(self, request: Request) -> Response:
        """List the roles that are assigned and have not expired, the latest first."""
        return respond(RoleAssignmentPageSerializer, {"results": assignments.in_force(), "next": None})

    @operation(
        "role_assign",
        "Assign a role",
        codes=("assignment_exists",),
        request=RoleAssignmentInSerializer,
        responses={201: RoleAssignmentSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Assign a role to a user or a team: for everything, an environment, a cluster or a link.

        Who may run or approve more by it counts as a second person only after the waiting time, or when a second
        administrator confirms it.
        """
        given = validated_body(request, RoleAssignmentInSerializer)
        user, team = given.pop("user", None), given.pop("team", None)
        to = user_named(user) if user is not None else team_get(str(team))
        row = assignments.role_assign(actor=principal(request).username, to=to, **given)
        return respond(RoleAssignmentSerializer, row, status=201)


class RoleAssignmentView(ConsoleView):
    """One assigned role."""

    permissions = {"DELETE": Permission.USERS}

    @operation("role_assignment_end", "End an assigned role", responses={204: None})
    @stored_with_effect
    def delete(self, request: Request, assignment_id: str) -> Response:
        """End an assigned role. Calls and workers are refused at once; streams end within two seconds."""
        row = assignments.assignment_get(assignment_id)
        assignments.assignment_end(actor=principal(request).username, row=row)
        return Response(status=204)


class EnvironmentListView(ConsoleView):
    """The environments of links and clusters."""

    permissions = {"GET": Permission.READ}
    where = Where.READABLE

    @operation("environment_list", "List environments", responses=EnvironmentPageSerializer)
    def get(self, request: Request) -> Response:
        """List the environments of the links and clusters that the caller may read, by name."""
        return respond(EnvironmentPageSerializer, {"results": environments(privileges_of(request)), "next": None})


class LinkEnvironmentView(ConsoleView):
    """The environment of a link."""

    permissions = {"PUT": Permission.USERS}

    @operation(
        "link_environment_set",
        "Move a link to an environment",
        request=EnvironmentInSerializer,
        responses=EnvironmentInSerializer,
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Set the environment of a link. It changes who may do what on it; plans and runs are not affected."""
        given = validated_body(request, EnvironmentInSerializer)
        environment_set(actor=principal(request).username, subject=link_get(link_id), **given)
        return respond(EnvironmentInSerializer, given)


class ClusterEnvironmentView(ConsoleView):
    """The environment of a cluster."""

    permissions = {"PUT": Permission.USERS}

    @operation(
        "cluster_environment_set",
        "Move a cluster to an environment",
        request=EnvironmentInSerializer,
        responses=EnvironmentInSerializer,
    )
    def put(self, request: Request, cluster_id: str) -> Response:
        """Set the environment of a cluster. It changes who may do what on it and on links of it."""
        given = validated_body(request, EnvironmentInSerializer)
        environment_set(actor=principal(request).username, subject=cluster_get(cluster_id), **given)
        return respond(EnvironmentInSerializer, given)
