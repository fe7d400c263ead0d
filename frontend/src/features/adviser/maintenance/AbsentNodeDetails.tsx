import type { AbsentNode } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { reasonsOf } from "../reasons";
import { DonorTable } from "./DonorTable";
import { PrepareMaintenance } from "./PrepareMaintenance";

const known = (value: number | null) => (value === null ? null : formatNumber(value));

/** What the verdict and the times of a node are from, and its donors. */
export function AbsentNodeDetails({ node, clusterId }: { node: AbsentNode; clusterId: string }) {
  const advised = node.donors.find((donor) => donor.is_advised);
  return (
    <div className="stack">
      <p>{node.reason}</p>
      {node.verdict === "member" && <PrepareMaintenance clusterId={clusterId} node={node} />}
      {reasonsOf([...node.times.map(({ reason }) => reason), node.gcache.reason]).map((reason) => (
        <p key={reason} className="dim">
          {reason}
        </p>
      ))}
      <DescriptionList
        items={[
          ["Applied at least up to seqno", known(node.last_seqno)],
          ["Read at", node.last_read_at && <Timestamp at={node.last_read_at} />],
          ["Write-sets it is missing", known(node.missed_write_sets)],
          ["Oldest write-set in its own gcache", known(node.gcache.cached_downto)],
          ["Write-sets in its own gcache", known(node.gcache.held_write_sets)],
          ["gmcast.segment", node.segment],
        ]}
      />
      <DonorTable of={node.name} donors={node.donors} />
      {advised && (
        <p className="dim">
          Name the donor before {node.name} starts: <code>wsrep_sst_donor = {advised.name},</code>{" "}
          The comma at the end allows the others if it cannot be the donor.
        </p>
      )}
    </div>
  );
}
