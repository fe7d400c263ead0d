import { useQuery } from "@tanstack/react-query";
import { acceptanceQuery } from "@/api/resources/clusters";
import type { AcceptableServer, AcceptedServer, Cluster } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { Explanation } from "@/components/Explanation";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { Callout } from "@/ui/Callout";
import { AcceptServerForm } from "./AcceptServerForm";
import { WithdrawAcceptanceForm } from "./WithdrawAcceptanceForm";

function NotAccepted({ cluster, server }: { cluster: Cluster; server: AcceptableServer }) {
  const refusal = useRefusal("register");
  return (
    <Callout
      tone="warn"
      title={`${cluster.name} is watched only: Hawser was never tried with ${server.name} on a real server.`}
      description={
        <>
          <p>
            Every plan is refused, unless an administrator accepts this in writing, for this cluster
            and for the other one of its link.
          </p>
          <Explanation kind="findings" code="server_watched_only" />
        </>
      }
      actions={
        <ChangeDialog
          label="Accept plans"
          title={`Accept plans with ${server.name}`}
          disabledReason={refusal}
        >
          {(close) => <AcceptServerForm cluster={cluster} server={server} close={close} />}
        </ChangeDialog>
      }
    />
  );
}

function Accepted({ cluster, accepted }: { cluster: Cluster; accepted: AcceptedServer }) {
  const refusal = useRefusal("register");
  return (
    <Callout
      tone="warn"
      title={`Plans with ${accepted.name} are accepted for ${cluster.name}. Hawser was never tried with it on a real server.`}
      description={
        <>
          <p>
            {accepted.accepted_by}, <Timestamp at={accepted.accepted_at} />: “{accepted.text}”
          </p>
          <p>
            Both clusters of a link need an acceptance. It ends when a server of another release
            series is observed.
          </p>
          <Explanation kind="findings" code="server_not_tried_accepted" />
        </>
      }
      actions={
        <ChangeDialog
          label="Withdraw acceptance"
          title={`Withdraw the acceptance of ${accepted.name}`}
          disabledReason={refusal}
        >
          {(close) => (
            <WithdrawAcceptanceForm cluster={cluster} accepted={accepted} close={close} />
          )}
        </ChangeDialog>
      }
    />
  );
}

/** Whether plans are made with servers that were never tried, and who accepted it; nothing where they were tried. */
export function AcceptanceCallout({ cluster }: { cluster: Cluster }) {
  const isUntried = cluster.nodes.some((node) => node.watched_only !== null);
  const { data } = useQuery({ ...acceptanceQuery(cluster.id), enabled: isUntried });
  if (!data) return null;
  if (data.current) return <Accepted cluster={cluster} accepted={data.current} />;
  return data.acceptable && <NotAccepted cluster={cluster} server={data.acceptable} />;
}
