import { MultiSelect } from "@mantine/core";
import { useDeleteTeam, useUpdateTeam } from "@/api/resources/teams";
import type { RoleAssignment, Team } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import { AssignmentList } from "./AssignmentList";
import { AssignRoleForm } from "./AssignRoleForm";
import css from "./Teams.module.css";

function MembersForm({ team, people }: { team: Team; people: readonly string[] }) {
  const update = useUpdateTeam(team.id);
  const refusal = useRefusal("manage_users");
  const { form, submit, problem } = useServerForm({ initialValues: { members: team.members } });
  const isSame = form.values.members.toSorted().join() === team.members.join();
  const send = submit(async (values) => {
    await update.mutateAsync(values);
    showSuccess(`Members of ${team.name} saved.`);
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <MultiSelect
          size="xs"
          label={`Members of ${team.name}`}
          placeholder={form.values.members.length === 0 ? "none" : ""}
          data={[...people]}
          searchable
          miw={240}
          {...form.getInputProps("members")}
        />
        <DisabledReasonButton
          type="submit"
          size="xs"
          variant="default"
          className="beside"
          loading={update.isPending}
          disabledReason={refusal ?? (isSame ? "The members are unchanged." : null)}
        >
          Save members
        </DisabledReasonButton>
      </form>
      {problem !== null && (
        <ProblemAlert error={problem} action={`save the members of ${team.name}`} />
      )}
    </>
  );
}

interface TeamEntryProps {
  team: Team;
  people: readonly string[];
  assignments: readonly RoleAssignment[];
}

/** A team: its members, the roles that they have by it, and what an administrator can change. */
export function TeamEntry({ team, people, assignments }: TeamEntryProps) {
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
      <MembersForm key={team.members.join()} team={team} people={people} />
      <AssignmentList rows={assignments} />
      <AssignRoleForm to={{ team: team.id }} name={team.name} />
    </li>
  );
}
