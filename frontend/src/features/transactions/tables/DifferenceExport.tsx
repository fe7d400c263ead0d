import { Button } from "@mantine/core";
import { apiPath } from "@/api/client";
import type { TableComparison } from "@/api/types";

function ExportButton(props: {
  comparison: TableComparison;
  query: { format: "jsonl" } | { format: "sql"; node: string };
  label: string;
}) {
  const { comparison, query, label } = props;
  return (
    <Button
      size="xs"
      variant="default"
      component="a"
      href={apiPath(`/table-comparisons/${comparison.id}/differences/export`, query)}
      download
    >
      {label}
    </Button>
  );
}

/** The rows that differ as a file, and for each node the statements that would make it equal. */
export function DifferenceExport({ comparison }: { comparison: TableComparison }) {
  const [reference, ...others] = comparison.nodes;
  return (
    <div className="stack">
      <div className="row">
        <ExportButton
          comparison={comparison}
          query={{ format: "jsonl" }}
          label="Export as JSON lines"
        />
        {others.map(({ id, name }) => (
          <ExportButton
            key={id}
            comparison={comparison}
            query={{ format: "sql", node: id }}
            label={`Statements for ${name || id}`}
          />
        ))}
      </div>
      <p className="dim">
        Read the statements of a node, then run them on that node alone, in one session with{" "}
        <code>wsrep_on=OFF</code> and <code>sql_log_bin=0</code>, as the file sets them. They make
        its rows those of {reference?.name || "the first node"}, which may be the wrong ones. Hawser
        executes none of them.
      </p>
    </div>
  );
}
