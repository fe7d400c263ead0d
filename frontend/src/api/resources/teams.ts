import { queryOptions } from "@tanstack/react-query";
import type { PagedQuery } from "../pages";
import { queryKeys } from "../query-keys";
import { send } from "../send";
import type { AssignRoleRequest, CreateTeamRequest, TeamMember, UpdateTeamRequest } from "../types";
import { useApiMutation } from "../use-api-mutation";

export const teamsQuery = () =>
  queryOptions({
    queryKey: queryKeys.teams,
    queryFn: ({ signal }) => send("GET", "/api/v1/teams", { signal }),
  });

const PAGE = 50;

/** The members of a team by name. */
export const teamMembersQuery = (team_id: string, search: string): PagedQuery<TeamMember> => ({
  queryKey: queryKeys.teamMembers(team_id, search),
  read: (cursor, signal) =>
    send("GET", "/api/v1/teams/{team_id}/members", {
      path: { team_id },
      query: { search, cursor, limit: PAGE },
      signal,
    }),
});

/** The roles that are assigned to users and teams for a scope. */
export const roleAssignmentsQuery = () =>
  queryOptions({
    queryKey: queryKeys.roleAssignments,
    queryFn: ({ signal }) => send("GET", "/api/v1/role-assignments", { signal }),
  });

export const environmentsQuery = () =>
  queryOptions({
    queryKey: queryKeys.environments,
    queryFn: ({ signal }) => send("GET", "/api/v1/environments", { signal }),
  });

/** A new member or role may have to wait for a second administrator before it counts. */
const CHANGED = [queryKeys.teams, queryKeys.roleAssignments, queryKeys.pendingApprovals];

export const useCreateTeam = () =>
  useApiMutation((body: CreateTeamRequest) => send("POST", "/api/v1/teams", { body }), CHANGED);

export const useUpdateTeam = (team_id: string) =>
  useApiMutation(
    (body: UpdateTeamRequest) =>
      send("PATCH", "/api/v1/teams/{team_id}", { path: { team_id }, body }),
    CHANGED,
  );

export const useDeleteTeam = (team_id: string) =>
  useApiMutation(() => send("DELETE", "/api/v1/teams/{team_id}", { path: { team_id } }), CHANGED);

export const useAssignRole = () =>
  useApiMutation(
    (body: AssignRoleRequest) => send("POST", "/api/v1/role-assignments", { body }),
    CHANGED,
  );

export const useEndRoleAssignment = (assignment_id: string) =>
  useApiMutation(
    () => send("DELETE", "/api/v1/role-assignments/{assignment_id}", { path: { assignment_id } }),
    CHANGED,
  );

export const useSetLinkEnvironment = (link_id: string) =>
  useApiMutation(
    (environment: string) =>
      send("PUT", "/api/v1/links/{link_id}/environment", {
        path: { link_id },
        body: { environment },
      }),
    [queryKeys.links, queryKeys.environments, queryKeys.pendingApprovals],
  );

export const useSetClusterEnvironment = (cluster_id: string) =>
  useApiMutation(
    (environment: string) =>
      send("PUT", "/api/v1/clusters/{cluster_id}/environment", {
        path: { cluster_id },
        body: { environment },
      }),
    [queryKeys.clusters, queryKeys.links, queryKeys.environments, queryKeys.pendingApprovals],
  );
