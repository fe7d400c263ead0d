import { useId, useState } from "react";
import type { LinkDetail } from "@/api/types";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { type Candidate, suggestNodePair } from "@/domain/node-eligibility";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { PlanRequestPanel } from "./PlanRequestPanel";
import css from "./TargetPage.module.css";
import type { TargetProps } from "./types";

interface ChoiceProps {
  legend: string;
  hint: string;
  candidates: readonly Candidate[];
  chosen: string | null;
  standing: string | null;
  onChoose: (id: string) => void;
}

function NodeChoice({ legend, hint, candidates, chosen, standing, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <Panel title={legend} aside={hint}>
      <div className={css.choices} role="radiogroup" aria-label={legend}>
        {candidates.map(({ node, ineligibleReason }) => {
          const status = nodeStatus(node, node.age_s, serverNow());
          return (
            <label key={node.id} className={css.choice}>
              <input
                type="radio"
                name={name}
                value={node.id}
                checked={chosen === node.id}
                disabled={ineligibleReason !== null}
                onChange={() => onChoose(node.id)}
                aria-label={node.name}
              />
              <span>
                <span className={css.name}>{node.name}</span>
                {standing === node.id && <span className="dim"> · holds the link now</span>}
                <span className={css.line}>
                  <br />
                  {ineligibleReason ?? status.line}
                </span>
              </span>
              <StatusChip tone={status.tone}>{status.word}</StatusChip>
            </label>
          );
        })}
      </div>
    </Panel>
  );
}

const nameOf = (list: readonly Candidate[], id: string | null) =>
  list.find((candidate) => candidate.node.id === id)?.node.name ?? null;

function Sides({
  link,
  choice,
  onPick,
}: {
  link: LinkDetail;
  choice: ReturnType<typeof suggestNodePair>;
  onPick: (picked: { source?: string; replica?: string }) => void;
}) {
  return (
    <div className="split even">
      <NodeChoice
        legend={`${link.active_cluster.name}, active`}
        hint="forward is read from this node"
        candidates={choice.sources}
        chosen={choice.source}
        standing={choice.standing.source}
        onChoose={(source) => onPick({ source })}
      />
      <NodeChoice
        legend={`${link.standby_cluster.name}, standby`}
        hint="forward is applied on this node"
        candidates={choice.replicas}
        chosen={choice.replica}
        standing={choice.standing.replica}
        onChoose={(replica) => onPick({ replica })}
      />
    </div>
  );
}

/** Which node of each side carries the link from now on. */
export function RelocateTarget({ link, ageS, stale, asked }: TargetProps) {
  const [picked, setPicked] = useState<{
    source?: string | undefined;
    replica?: string | undefined;
  }>({ source: asked.source_node, replica: asked.replica_node });
  const choice = suggestNodePair(link, picked, serverNow());
  const { source, replica } = choice;
  const pair = `${nameOf(choice.sources, source)} ⇄ ${nameOf(choice.replicas, replica)}`;
  const ready = source !== null && replica !== null;
  return (
    <>
      <Sides link={link} choice={choice} onPick={(change) => setPicked({ ...picked, ...change })} />
      <div className="with-aside">
        <Panel title="What it would become">
          <div className={stale ? "stale" : undefined}>
            <TopologyDiagram
              link={link}
              ageS={ageS}
              stale={stale}
              proposal={
                ready
                  ? { sourceNode: source, replicaNode: replica, label: `both channels: ${pair}` }
                  : null
              }
            />
          </div>
        </Panel>
        <PlanRequestPanel
          link={link}
          kind="relocate"
          options={ready ? { source_node: source, replica_node: replica } : {}}
          stale={stale}
          disabledReason={ready ? null : "On one side no node is fit to carry the link."}
          submitLabel={ready ? `Check ${pair}` : "Check the target"}
        />
      </div>
    </>
  );
}
