import type { ReactNode } from "react";
import type { TableComparison } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { ComparisonActions } from "./ComparisonActions";
import { countsOf, isUnfinished, progressText, statusOf } from "./comparison-status";
import css from "./Tables.module.css";

type ComparedNode = TableComparison["nodes"][number];

const nodeName = ({ id, name, cluster }: ComparedNode) =>
  name ? `${name} (${cluster})` : `${id}, no longer registered`;

function Progress({ comparison }: { comparison: TableComparison }) {
  const { rows, estimated_rows, tables } = comparison;
  return (
    <div className={css.progress}>
      {isUnfinished(comparison) && (
        <progress
          {...(tables > 0 && { value: rows, max: Math.max(estimated_rows, 1) })}
          aria-label="Rows compared"
        />
      )}
      <span>{progressText(comparison)}</span>
    </div>
  );
}

function Facts({ comparison }: { comparison: TableComparison }) {
  const [reference, ...others] = comparison.nodes;
  const { only, rows_per_s, busy_percent, actor, started_at, ended_at } = comparison;
  return (
    <DescriptionList
      items={[
        ["Rows that differ", formatNumber(comparison.different)],
        ["Equal while written", formatNumber(comparison.rows_while_written)],
        ["Reference", reference && nodeName(reference)],
        ["Compared with it", others.map(nodeName).join(", ")],
        [
          "Tables",
          <span key="t" className={css.names}>
            {only.length > 0 ? `only ${only.join(", ")}` : "all"}
          </span>,
        ],
        ["Limits", `${formatNumber(rows_per_s)} rows a second, ${busy_percent} % of the time`],
        [
          "Begun",
          <span key="b">
            <Timestamp at={started_at} /> by {actor}
          </span>,
        ],
        ["Ended", ended_at === null ? "not yet" : <Timestamp key="e" at={ended_at} />],
      ]}
    />
  );
}

interface ComparisonPanelProps {
  comparison: TableComparison;
  title: string;
  aside?: ReactNode;
}

/** How far a comparison is, what it found so far, on which nodes and within which limits. */
export function ComparisonPanel({ comparison, title, aside }: ComparisonPanelProps) {
  const status = statusOf(comparison);
  return (
    <Panel title={title} aside={aside}>
      <div className="stack">
        <div className="row">
          <StatusChip tone={status.tone}>{status.word}</StatusChip>
          {countsOf(comparison).map(({ tone, word }) => (
            <StatusChip key={tone} tone={tone}>
              {word}
            </StatusChip>
          ))}
        </div>
        {comparison.sentence && <p role="status">{comparison.sentence}</p>}
        {(isUnfinished(comparison) || !comparison.sentence) && <Progress comparison={comparison} />}
        <ComparisonActions comparison={comparison} />
        <Facts comparison={comparison} />
      </div>
    </Panel>
  );
}
