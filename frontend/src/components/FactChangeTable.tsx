import type { FactChange } from "@/api/types";
import { column, DataTable, nameColumn } from "@/ui/DataTable";

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

const COLUMNS = [
  nameColumn<FactChange>("Fact", ({ fact }) => fact),
  column<FactChange>("When planned", ({ planned }) => asText(planned), { mono: true }),
  column<FactChange>("Now", ({ now }) => asText(now), { mono: true }),
];

/** What differs from the facts that a plan was created with. */
export const FactChangeTable = ({ changes }: { changes: readonly FactChange[] }) => (
  <DataTable
    caption="Changes since the plan was created"
    columns={COLUMNS}
    rows={changes}
    rowKey={({ fact }) => fact}
    empty="No change is listed."
  />
);
