import { useQuery } from "@tanstack/react-query";
import { membershipQuery } from "@/api/resources/clusters";
import type { Cluster, Link, NewHistory } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { firstStepLink } from "@/components/workflow/step-link";
import { Callout } from "@/ui/Callout";
import { DescriptionList } from "@/ui/DescriptionList";
import { ReplaceClusterForm } from "./ReplaceClusterForm";

interface NewHistoryProps {
  cluster: Cluster;
  history: NewHistory;
  /** The links that join the cluster. */
  links: readonly Link[];
}

function Reprotect({ links }: { links: readonly Link[] }) {
  return (
    <>
      <p>A failover lost this side. A reprotect records the new state UUID and keeps the link.</p>
      {links.map((link) => (
        <p key={link.id}>
          <AppLink {...firstStepLink("situation", link.id, "reprotect")}>
            Reprotect {link.name}
          </AppLink>
        </p>
      ))}
    </>
  );
}

/** The two answers to a new state UUID that no failover explains. */
function Choice({ cluster, history, links }: NewHistoryProps) {
  return (
    <>
      <p>
        <b>The data is the same,</b> for example after a new bootstrap. A plan proves that the
        stream continues, accepts the state UUID and keeps the link.{" "}
        {links.map((link) => (
          <AppLink key={link.id} {...firstStepLink("situation", link.id, "accept_state_uuid")}>
            Accept the state UUID for {link.name}
          </AppLink>
        ))}
      </p>
      <p>
        <b>This is another cluster,</b> rebuilt at the same addresses. Its registration replaces the
        old one: the link is retired, and the history of the old cluster is closed.
      </p>
      <div>
        <ChangeDialog
          label="Register as new cluster"
          title={`Replace ${cluster.name} by a new cluster`}
          disabledReason={useRefusal("register")}
        >
          {() => <ReplaceClusterForm cluster={cluster} history={history} links={links} />}
        </ChangeDialog>
      </div>
    </>
  );
}

/** What to do when all members report another state UUID than the recorded one. */
export function NewHistoryCallout(props: { cluster: Cluster; links: readonly Link[] }) {
  const { cluster, links } = props;
  const { data } = useQuery(membershipQuery(cluster.id));
  const history = data?.new_history;
  if (!history) return null;
  return (
    <Callout
      tone="bad"
      title={`All members of ${cluster.name} report another state UUID.`}
      description={
        <div className="stack attest">
          <DescriptionList
            items={[
              ["Recorded", <code key="r">{history.recorded_state_uuid}</code>],
              ["Observed", <code key="o">{history.state_uuid}</code>],
            ]}
          />
          {history.way === "reprotect" ? (
            <Reprotect links={links} />
          ) : (
            <Choice cluster={cluster} history={history} links={links} />
          )}
        </div>
      }
    />
  );
}
