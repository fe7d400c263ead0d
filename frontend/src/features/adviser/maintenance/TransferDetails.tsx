import type { TransferJoiner } from "@/api/types";
import { formatBytes } from "@/lib/format/number";
import { column, nameColumn } from "@/ui/DataTable";
import { FigureTable, figure } from "../FigureTable";
import { PARTS } from "./parts";
import { formatSpan } from "./span";

type Part = TransferJoiner["parts"][number];

const COLUMNS = [
  nameColumn<Part>("Part", ({ name }) => PARTS[name], { nowrap: true }),
  figure<Part>("Time", ({ seconds }) => (seconds === null ? null : formatSpan(seconds))),
  column<Part>("From", ({ reason, basis }) => (
    <>
      {reason && <p className="strong">{reason}</p>}
      <p className="dim">{basis}</p>
    </>
  )),
];

/** The parts of one SST with what each figure is from. */
export function TransferDetails({ joiner }: { joiner: TransferJoiner }) {
  const advised = joiner.donors.find((donor) => donor.is_advised);
  return (
    <div className="stack">
      <FigureTable
        caption={`Parts of an SST to ${joiner.name}`}
        columns={COLUMNS}
        rows={joiner.parts}
        empty="No part is known."
      />
      <p>
        {advised
          ? `Advised donor: ${advised.name}. Its reasons are in the table of times above.`
          : "No donor can be advised: no other node is a synced member that was read."}
      </p>
      <p className="dim">
        Write-sets stored on {joiner.name} meanwhile:{" "}
        {joiner.queued_bytes === null ? "unknown" : formatBytes(joiner.queued_bytes)}.
      </p>
    </div>
  );
}
