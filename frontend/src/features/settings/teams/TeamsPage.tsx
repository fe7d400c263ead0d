import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { roleAssignmentsQuery, teamsQuery, useCreateTeam } from "@/api/resources/teams";
import type { Page, RoleAssignment, Team } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { TeamEntry } from "./TeamEntry";

function CreateTeamForm() {
  const create = useCreateTeam();
  const refusal = useRefusal("manage_users");
  const { form, submit, problem } = useServerForm({ initialValues: { name: "" } });
  const send = submit(async (values) => {
    await create.mutateAsync(values);
    form.reset();
    showSuccess(`Team ${values.name} created.`);
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <TextInput label="Name" required autoComplete="off" {...form.getInputProps("name")} />
        <DisabledReasonButton
          type="submit"
          variant="default"
          className="beside"
          loading={create.isPending}
          disabledReason={refusal}
        >
          Create team
        </DisabledReasonButton>
      </form>
      {problem !== null && <ProblemAlert error={problem} action="create the team" />}
    </>
  );
}

function Teams({ teams }: { teams: readonly Team[] }) {
  const assignments = useQuery(roleAssignmentsQuery());
  if (teams.length === 0) return <p className="dim note">There is no team yet.</p>;
  return (
    <QueryBoundary<Page<RoleAssignment>> query={assignments} label="the assigned roles">
      {(page) => (
        <ul className="note">
          {teams.map((team) => (
            <TeamEntry
              key={team.id}
              team={team}
              assignments={page.results.filter((row) => row.team === team.id)}
            />
          ))}
        </ul>
      )}
    </QueryBoundary>
  );
}

function TeamsPanel() {
  const query = useQuery(teamsQuery());
  return (
    <Panel title="All teams" aside="members have the roles that are assigned to the team">
      <CreateTeamForm />
      <QueryBoundary<Page<Team>> query={query} label="the teams">
        {(page) => <Teams teams={page.results} />}
      </QueryBoundary>
    </Panel>
  );
}

/** The teams of the console, for administrators, and to read for auditors. */
export function TeamsPage() {
  return (
    <SettingsLayout title="Teams">
      {() => (
        <RequirePermission permission="audit_users" action="read teams">
          <TeamsPanel />
        </RequirePermission>
      )}
    </SettingsLayout>
  );
}
