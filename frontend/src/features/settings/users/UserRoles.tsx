import { useQuery } from "@tanstack/react-query";
import { roleAssignmentsQuery, teamsQuery } from "@/api/resources/teams";
import type { Page, RoleAssignment } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { AssignmentList } from "../teams/AssignmentList";
import { AssignRoleForm } from "../teams/AssignRoleForm";

/** The roles of a user for a scope: the user's own, and those of the user's teams. */
export function UserRoles({ username }: { username: string }) {
  const assignments = useQuery(roleAssignmentsQuery());
  const teams = (useQuery(teamsQuery()).data?.results ?? [])
    .filter(({ members }) => members.includes(username))
    .map(({ id }) => id);
  return (
    <>
      <h4>Roles of {username} for a part</h4>
      <QueryBoundary<Page<RoleAssignment>> query={assignments} label="the assigned roles">
        {(page) => (
          <AssignmentList
            rows={page.results.filter(
              ({ user, team }) =>
                user === username || (typeof team === "string" && teams.includes(team)),
            )}
          />
        )}
      </QueryBoundary>
      <AssignRoleForm to={{ user: username }} name={username} />
    </>
  );
}
