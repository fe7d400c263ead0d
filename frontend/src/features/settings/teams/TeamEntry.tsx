import { useDeleteTeam } from "@/api/resources/teams";
import type { RoleAssignment, Team } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { useRefusal } from "@/components/use-refusal";
import { AssignmentList } from "./AssignmentList";
import { AssignRoleForm } from "./AssignRoleForm";
import { TeamMembers } from "./TeamMembers";
import css from "./Teams.module.css";

interface TeamEntryProps {
  team: Team;
  assignments: readonly RoleAssignment[];
}

/** A team: its members, the roles that they have by it, and what an administrator can change. */
export function TeamEntry({ team, assignments }: TeamEntryProps) {
  const remove = useDeleteTeam(team.id);
  return (
    <li className={`${css.team} stack`}>
      <div className="row between">
        <h3 className={css.name}>{team.name}</h3>
        <ConfirmAction
          label="Delete team"
          subject={team.name}
          title={`Delete team ${team.name}`}
          confirmLabel={`Delete team ${team.name}`}
          action={`delete the team ${team.name}`}
          success={`Team ${team.name} deleted.`}
          disabledReason={useRefusal("manage_users")}
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          Its members lose the roles that are assigned to the team. This cannot be undone.
        </ConfirmAction>
      </div>
      <TeamMembers team={team} />
      <AssignmentList rows={assignments} />
      <AssignRoleForm to={{ team: team.id }} name={team.name} />
    </li>
  );
}
