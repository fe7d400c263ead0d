import { useState } from "react";
import type { LinkDetail } from "@/api/types";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { type Candidate, suggestNodePair } from "@/domain/node-eligibility";
import { Panel } from "@/ui/Panel";
import { NodeChoice } from "./NodeChoice";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

interface Picked {
  source?: string | undefined;
  replica?: string | undefined;
}

const nameOf = (candidates: readonly Candidate[], id: string | null) =>
  candidates.find((candidate) => candidate.node.id === id)?.node.name ?? null;

function SideChoices({
  link,
  choice,
  onPick,
}: {
  link: LinkDetail;
  choice: ReturnType<typeof suggestNodePair>;
  onPick: (picked: Picked) => void;
}) {
  return (
    <div className="split even">
      <NodeChoice
        legend={`${link.active_cluster.name}, active`}
        hint="source of the forward channel"
        candidates={choice.sources}
        chosen={choice.source}
        current={choice.current.source}
        onChoose={(source) => onPick({ source })}
      />
      <NodeChoice
        legend={`${link.standby_cluster.name}, standby`}
        hint="replica of the forward channel"
        candidates={choice.replicas}
        chosen={choice.replica}
        current={choice.current.replica}
        onChoose={(replica) => onPick({ replica })}
      />
    </div>
  );
}

/** The node of each side that will hold the channels. */
export function RelocateTarget({ link, ageS, stale, requested }: TargetProps) {
  const [picked, setPicked] = useState<Picked>({
    source: requested.source_node,
    replica: requested.replica_node,
  });
  const choice = suggestNodePair(link, picked);
  const { source, replica } = choice;
  const pair = `${nameOf(choice.sources, source)} ⇄ ${nameOf(choice.replicas, replica)}`;
  const isComplete = source !== null && replica !== null;
  return (
    <>
      <SideChoices
        link={link}
        choice={choice}
        onPick={(change) => setPicked({ ...picked, ...change })}
      />
      <div className="with-aside">
        <Panel title="Preview">
          <div className={stale ? "stale" : undefined}>
            <TopologyDiagram
              link={link}
              ageS={ageS}
              stale={stale}
              proposal={
                isComplete
                  ? { sourceNode: source, replicaNode: replica, label: `both channels: ${pair}` }
                  : null
              }
            />
          </div>
        </Panel>
        <PlanRequestPanel
          link={link}
          kind="relocate"
          options={isComplete ? { source_node: source, replica_node: replica } : {}}
          stale={stale}
          disabledReason={isComplete ? null : "One side has no eligible node."}
          submitLabel={isComplete ? `Check ${pair}` : "Check target"}
        />
      </div>
    </>
  );
}
