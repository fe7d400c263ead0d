import type { Cluster, Link } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { Panel } from "@/ui/Panel";
import { RetireClusterForm } from "./RetireClusterForm";

interface RetirementPanelProps {
  cluster: Cluster;
  links: readonly Link[] | undefined;
}

/** Why the cluster cannot be retired now; null where it can. */
function keptBy(links: readonly Link[] | undefined): string | null {
  if (links === undefined) return "The links of this cluster are unknown.";
  const [link] = links;
  return link ? `The link ${link.name} joins this cluster. Retire the link first.` : null;
}

/** Retires a cluster that no link joins. */
export function RetirementPanel({ cluster, links }: RetirementPanelProps) {
  const refusal = useRefusal("register");
  const kept = keptBy(links);
  return (
    <Panel title="Retirement">
      <div className="stack">
        <p className="dim">
          {kept ?? "A retired cluster is no longer observed. Nothing is changed on its servers."}
        </p>
        <div className="row end">
          <ChangeDialog
            label="Retire cluster"
            title={`Retire cluster ${cluster.name}`}
            disabledReason={refusal ?? kept}
          >
            {(close) => <RetireClusterForm cluster={cluster} close={close} />}
          </ChangeDialog>
        </div>
      </div>
    </Panel>
  );
}
