import type { ClusterConcurrency } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatBytes, formatNumber } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { RunningTables } from "./RunningTables";
import { rangeText } from "./running-figures";

function writtenText({
  commits_per_s: rate,
  average_bytes,
  counted_s,
  reason,
}: ClusterConcurrency["written"]) {
  if (rate === null || counted_s === null) return `unknown. ${reason}`;
  const size = average_bytes === null ? "" : `, ${formatBytes(average_bytes)} each on average`;
  return `${rangeText(rate)} commits/s${size}, counted for ${formatNumber(Math.round(counted_s / 60))} min of the last hour`;
}

/** Which fields below now hold what was read; the others keep what was typed. */
function filledText({ given }: ClusterConcurrency): string {
  const filled = [
    given.one_way_ms !== null &&
      `two sites ${given.one_way_ms} ms apart one way (half of the fastest delivery of ${given.from_node}, less 0.2 ms)`,
    given.send_window !== null && `send window ${formatNumber(given.send_window)}`,
    given.wanted_per_s !== null && `wanted ${rangeText(given.wanted_per_s)} commits/s`,
  ].filter((text) => text !== false);
  return filled.length > 0
    ? filled.join("; ")
    : "nothing: no figure is known, so the fields keep their values";
}

/** What was read of a cluster, when, and what follows. */
export function RunningResult({ found }: { found: ClusterConcurrency }) {
  return (
    <>
      <DescriptionList
        items={[
          [
            "Read from",
            <>
              {found.cluster_name}, <Timestamp at={found.read_at} />
            </>,
          ],
          ["Registered nodes", formatNumber(found.registered)],
          ["Written", writtenText(found.written)],
          ["Filled in below", filledText(found)],
        ]}
      />
      <RunningTables found={found} />
    </>
  );
}
