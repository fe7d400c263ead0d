import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { registrationsQuery, useStartRegistration } from "@/api/resources/registrations";
import type { Page, RegistrationBrief } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PageHeader } from "@/components/PageHeader";
import { ProblemAlert } from "@/components/ProblemAlert";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { Panel } from "@/ui/Panel";
import { RegistrationTable } from "./RegistrationTable";

function StartPanel() {
  const navigate = useNavigate();
  const start = useStartRegistration();
  const onClick = async () => {
    const { id } = await start.mutateAsync();
    await navigate({ to: "/registrations/$registrationId", params: { registrationId: id } });
  };
  return (
    <Panel title="Register two clusters and their link, step by step">
      <div className="stack">
        <p>
          You need the host name of one node of each cluster, and the database account of an
          administrator there. Hawser finds the other nodes, the TLS mode and the existing channels,
          shows every statement before it is sent, and checks the result.
        </p>
        <p className="dim">
          The administrator’s password is used for the step that you start, and stored nowhere.
          Everything else is kept for seven days, so that you can go on later.
        </p>
        {start.isError && <ProblemAlert error={start.error} action="start a registration" />}
        <div className="row">
          <Button loading={start.isPending} onClick={() => void onClick().catch(() => undefined)}>
            Start guided registration
          </Button>
          <AppLink to="/clusters/new">Cluster by form</AppLink>
          <AppLink to="/links/new">Link by form</AppLink>
        </div>
      </div>
    </Panel>
  );
}

/** Where a guided registration begins, and where an unfinished one is continued. */
export function RegistrationsPage() {
  return (
    <>
      <PageHeader title="Guided registration" />
      <RequirePermission permission="register" action="register clusters and links">
        <Registrations />
      </RequirePermission>
    </>
  );
}

function Registrations() {
  const query = useQuery(registrationsQuery());
  return (
    <div className="stack">
      <StartPanel />
      <QueryBoundary<Page<RegistrationBrief>> query={query} label="the guided registrations">
        {({ results }) => (
          <Panel title="Continue">
            <RegistrationTable rows={results} />
          </Panel>
        )}
      </QueryBoundary>
    </div>
  );
}
