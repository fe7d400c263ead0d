import { useEndRoleAssignment } from "@/api/resources/teams";
import type { RoleAssignment } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { TimeUntil } from "@/components/TimeUntil";
import { useRefusal } from "@/components/use-refusal";
import css from "./Teams.module.css";

function AssignmentEntry({ row }: { row: RoleAssignment }) {
  const end = useEndRoleAssignment(row.id);
  const refusal = useRefusal("manage_users");
  const subject = `${row.role} for ${row.scope_name}`;
  return (
    <li className={css.entry}>
      <div className={css.grow}>
        <div className="strong">{subject}</div>
        <div className="dim">
          by {row.granted_by}
          {row.team_name && ` to team ${row.team_name}`}
          {row.expires_at && (
            <>
              , ends <TimeUntil at={row.expires_at} />
            </>
          )}
          {row.reason && ` · ${row.reason}`}
        </div>
      </div>
      <ConfirmAction
        label="End role"
        subject={subject}
        title={`End role: ${subject}`}
        confirmLabel="End role"
        action="end the role"
        success="Role ended."
        disabledReason={refusal}
        onConfirm={() => end.mutateAsync(undefined)}
      >
        Calls and runs that rest on it are refused from now on.
      </ConfirmAction>
    </li>
  );
}

/** Roles that are assigned for a scope, each with the button that ends it. */
export function AssignmentList({ rows }: { rows: readonly RoleAssignment[] }) {
  if (rows.length === 0) return <p className="dim">No roles are assigned.</p>;
  return (
    <ul>
      {rows.map((row) => (
        <AssignmentEntry key={row.id} row={row} />
      ))}
    </ul>
  );
}
