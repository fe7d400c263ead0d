import type { Evidence } from "@/api/types";
import { StatusChip } from "@/ui/StatusChip";
import css from "./EvidenceTable.module.css";

const FAMILY: Record<Evidence["family"], string> = {
  seqno: "Seqno",
  gtid: "GTID",
  content: "Content",
  journal: "Journal",
  channel: "Channel",
  heartbeat: "Heartbeat",
  aligned_seqno: "Aligned seqno",
  backup: "Backup",
};

function Answer({ agrees }: { agrees: boolean | null }) {
  if (agrees === null) return <StatusChip tone="unknown">not available</StatusChip>;
  return agrees ? (
    <StatusChip tone="ok">agrees</StatusChip>
  ) : (
    <StatusChip tone="bad">disagrees</StatusChip>
  );
}

/** Each kind of evidence with its word: agrees, disagrees, not available. */
export function EvidenceTable({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <table className="grid">
      <thead className="sr-only">
        <tr>
          <th>Family</th>
          <th>Answer</th>
          <th>What it says</th>
        </tr>
      </thead>
      <tbody>
        {evidence.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a family may speak twice, in a fixed order
          <tr key={`${entry.family}${index}`}>
            <td className="strong nowrap">{FAMILY[entry.family]}</td>
            <td className="nowrap">
              <Answer agrees={entry.agrees} />
            </td>
            <td className={entry.agrees === null ? `${css.detail} dim` : css.detail}>
              {entry.detail}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
