import type { DonorAdvice } from "@/api/types";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";

const Reasons = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 0 ? (
    <span className="faint">nothing</span>
  ) : (
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );

function Standing({ donor }: { donor: DonorAdvice }) {
  if (!donor.is_possible) return <StatusChip tone="bad">not possible</StatusChip>;
  return donor.is_advised ? (
    <StatusChip tone="ok">advised</StatusChip>
  ) : (
    <StatusChip tone="info">possible</StatusChip>
  );
}

const COLUMNS: readonly Column<DonorAdvice>[] = [
  nameColumn("Donor", ({ name }) => name, { nowrap: true }),
  column("Standing", (donor) => <Standing donor={donor} />),
  column("For it", (donor) => <Reasons texts={donor.reasons_for} />),
  column("Against it", (donor) => <Reasons texts={donor.reasons_against} />),
];

/** The other nodes of the cluster as donors, the advised one first. */
export function DonorTable({ of, donors }: { of: string; donors: readonly DonorAdvice[] }) {
  return (
    <DataTable
      caption={`Donors for ${of}`}
      columns={COLUMNS}
      rows={donors}
      rowKey={(donor) => donor.id}
      empty="The cluster has no other node that could be a donor."
    />
  );
}
