import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { proofQuery } from "@/api/resources/proof";
import type { LinkDetail, LinkProof } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { pluralize } from "@/lib/format/number";
import { formatDuration } from "@/lib/format/time";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { spanOf } from "../lag/lag-range";
import { AccountLines } from "../unaccounted/AccountLines";
import { ProofLegend } from "./ProofBand";
import { type GapRow, gapsOf, secondsOf } from "./proof";

const COLUMNS: readonly Column<GapRow>[] = [
  nameColumn("Begin", ({ began_at: at }) => <Timestamp at={at} />),
  column("Direction", ({ way }) => way, { nowrap: true }),
  column("Length", (row) => formatDuration(secondsOf(row)), { nowrap: true }),
  column("Reason", ({ sentence }) => sentence),
];

function Gaps({ proof }: { proof: LinkProof }) {
  const gaps = gapsOf(proof.directions);
  const left = proof.directions.reduce((sum, { left_out }) => sum + left_out, 0);
  if (gaps.length === 0) return null;
  return (
    <details>
      <summary>{pluralize(gaps.length, "gap")} in this time</summary>
      <DataTable
        caption="Gaps of the proof"
        columns={COLUMNS}
        rows={gaps}
        rowKey={({ way, began_at }) => `${way} ${began_at}`}
        empty="No gap in this time."
      />
      {left > 0 && (
        <p className="faint">{pluralize(left, "older period")} of this time not listed.</p>
      )}
    </details>
  );
}

/** Since when all that each direction passed is on both sides, and when that was proven in the time of the lag. */
export function ProofPanel({ link }: { link: LinkDetail }) {
  const span = spanOf(useSearch({ from: "/shell/links/$linkId" }));
  const query = useQuery(proofQuery(link.id, span));
  return (
    <Panel title="Standing proof" aside="in the time of the lag">
      <QueryBoundary<LinkProof> query={query} label="the proof">
        {(proof) => (
          <div className="stack">
            <AccountLines link={link} proofs={proof.directions} />
            <ProofLegend proofs={proof.directions} />
            <Gaps proof={proof} />
          </div>
        )}
      </QueryBoundary>
    </Panel>
  );
}
