import { Checkbox } from "@mantine/core";
import type { LinkDetail, Node } from "@/api/types";
import { Term } from "@/components/Term";
import { fencedLabel } from "@/domain/attestations";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./TargetPage.module.css";

interface LostSideFencesProps {
  link: LinkDetail;
  attested: readonly string[];
  onAttest: (nodes: string[]) => void;
}

/** Each node of the lost side: the run fences a reachable one, and you attest the fence of any other. */
export function LostSideFences({ link, attested, onAttest }: LostSideFencesProps) {
  const toggle = (node: Node, isAttested: boolean) =>
    onAttest(isAttested ? [...attested, node.id] : attested.filter((id) => id !== node.id));
  return (
    <Panel
      title={
        <>
          <Term of="fence">Fence</Term> {link.active_cluster.name}
        </>
      }
      aside="one row per node"
    >
      <ul className={css.choices}>
        {link.clusters.active.nodes.map((node) => {
          const status = nodeStatus(node, node.age_s, serverNow());
          return (
            <li key={node.id} className={css.fence}>
              <div>
                <span className={css.name}>{node.name}</span>
                <div className={css.line}>{status.line}</div>
              </div>
              {node.reach === "up" ? (
                <span>Reachable. The run sets read_only=ON and verifies the fence.</span>
              ) : (
                <Checkbox
                  label={fencedLabel(node.name)}
                  checked={attested.includes(node.id)}
                  onChange={(event) => toggle(node, event.currentTarget.checked)}
                />
              )}
              <StatusChip tone={status.tone}>{status.word}</StatusChip>
            </li>
          );
        })}
      </ul>
      <p className="dim note">
        An unreachable node may still be running. Power it off or isolate it before you attest.
        Attestations are recorded in the audit log under your name.
      </p>
    </Panel>
  );
}
