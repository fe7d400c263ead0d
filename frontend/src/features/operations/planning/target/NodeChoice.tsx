import { useId } from "react";
import type { Candidate } from "@/domain/node-eligibility";
import { nodeStatus } from "@/domain/node-status";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./TargetPage.module.css";

interface NodeChoiceProps {
  legend: string;
  hint: string;
  candidates: readonly Candidate[];
  chosen: string | null;
  /** The node that holds the channel now. */
  current: string | null;
  onChoose: (id: string) => void;
}

/** One node of a side to choose; an ineligible node says why. */
export function NodeChoice(props: NodeChoiceProps) {
  const { legend, hint, candidates, chosen, current, onChoose } = props;
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
                {current === node.id && <span className="dim"> · current channel holder</span>}
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
