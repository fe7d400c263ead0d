import { useQuery } from "@tanstack/react-query";
import { applyCapacityQuery } from "@/api/resources/lag";
import type { ApplyCapacity, DirectionCapacity } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { statusFor } from "@/domain/status";
import { formatNumber } from "@/lib/format/number";
import { formatEstimate } from "@/lib/format/time";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./ApplyCapacityPanel.module.css";

/** Transactions a second; null is unknown. */
const rate = (value: number | null): string | null =>
  value === null ? null : `${formatNumber(Math.round(value))}/s`;

function appliersText({ appliers }: DirectionCapacity): string | null {
  if (appliers.parallel_threads === null) return null;
  const threads = Math.max(1, appliers.parallel_threads);
  return threads === 1
    ? "1 thread"
    : `${threads} threads, ${appliers.parallel_mode ?? "mode unknown"}`;
}

function DirectionRow({ found }: { found: DirectionCapacity }) {
  const status = statusFor("capacity", found.verdict);
  return (
    <li className={css.row}>
      <div className={css.head}>
        <h3>
          {found.source_node.name} → {found.replica_node.name}
        </h3>
        <StatusChip tone={status.tone}>{status.word}</StatusChip>
      </div>
      <DescriptionList
        items={[
          ["written, last 10 min", rate(found.writes_per_s)],
          ["written at peak, last hour", rate(found.writes_high_per_s)],
          ["applied, last 10 min", rate(found.applied_per_s)],
          ["most applied with a backlog", rate(found.capacity_per_s)],
          [
            "backlog",
            found.gap_transactions === null ? null : formatNumber(found.gap_transactions),
          ],
          ["time to drain it", found.drain_s === null ? null : formatEstimate(found.drain_s)],
          ["appliers", appliersText(found)],
        ]}
      />
      <ul className={css.reasons}>
        {found.reasons.map((reason) => (
          <li key={reason.code}>{reason.sentence}</li>
        ))}
      </ul>
    </li>
  );
}

/** Whether the replicas of a link apply as fast as the other side writes. */
export function ApplyCapacityPanel({ linkId }: { linkId: string }) {
  const query = useQuery(applyCapacityQuery(linkId));
  return (
    <Panel title="Apply capacity" aside="transactions, last hour">
      <QueryBoundary<ApplyCapacity> query={query} label="the apply capacity">
        {({ results }) =>
          results.length > 0 ? (
            <ul className={css.list}>
              {results.map((found) => (
                <DirectionRow key={found.direction} found={found} />
              ))}
            </ul>
          ) : (
            <p className="dim">No channel was seen, so there is nothing to measure.</p>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
