import { useSetClusterEnvironment } from "@/api/resources/teams";
import type { Cluster, Link } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { EnvironmentDialog } from "@/components/EnvironmentForm";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { tlsLabel } from "@/domain/tls-modes";
import { CopyButton } from "@/ui/CopyButton";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { EditClusterForm } from "./EditClusterForm";
import { TlsForm } from "./TlsForm";

interface RegistrationPanelProps {
  cluster: Cluster;
  /** The links that join the cluster; undefined while they are unknown. */
  links: readonly Link[] | undefined;
}

function LinkNames({ links }: { links: readonly Link[] }) {
  if (links.length === 0) return <>none</>;
  return links.map((link) => (
    <div key={link.id}>
      <AppLink to="/links/$linkId" params={{ linkId: link.id }}>
        {link.name}
      </AppLink>
    </div>
  ));
}

/** A UUID is wider than a narrow column: it may break anywhere. */
function StateUuid({ uuid }: { uuid: string }) {
  return (
    <>
      <code style={{ overflowWrap: "anywhere" }}>{uuid}</code>{" "}
      <CopyButton text={uuid} label="Copy state UUID" />
    </>
  );
}

function Changes({ cluster }: { cluster: Cluster }) {
  const refusal = useRefusal("register");
  return (
    <div className="row end">
      <ChangeDialog
        label="Change name or site"
        title={`Change ${cluster.name}`}
        disabledReason={refusal}
      >
        {(close) => <EditClusterForm cluster={cluster} close={close} />}
      </ChangeDialog>
      <EnvironmentDialog {...cluster} save={useSetClusterEnvironment(cluster.id).mutateAsync} />
      <ChangeDialog
        label="Change TLS"
        title={`Change TLS of ${cluster.name}`}
        disabledReason={refusal}
      >
        {(close) => <TlsForm cluster={cluster} close={close} />}
      </ChangeDialog>
    </div>
  );
}

/** What is registered of a cluster. */
export function RegistrationPanel({ cluster, links }: RegistrationPanelProps) {
  const { state_uuid, tls } = cluster;
  return (
    <Panel title="Registration">
      <div className="stack">
        <DescriptionList
          items={[
            ["Name", cluster.name],
            ["Site", cluster.site],
            ["Environment", cluster.environment || "none"],
            ["TLS", tlsLabel(tls.mode)],
            ["Certificate authority", tls.has_ca ? "stored" : "none"],
            ["Client certificate", tls.has_client_certificate ? "stored" : "none"],
            ...(tls.key_reference ? [["Its key", tls.key_reference] as const] : []),
            ["State UUID", state_uuid && <StateUuid key="u" uuid={state_uuid} />],
            ["Links", links && <LinkNames key="l" links={links} />],
            ["Registered", <Timestamp key="c" at={cluster.created_at} />],
          ]}
        />
        {cluster.retired_at === null && <Changes cluster={cluster} />}
      </div>
    </Panel>
  );
}
