import { Button } from "@mantine/core";
import { AppLink } from "@/components/AppLink";
import { pluralize } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { StatusChip } from "@/ui/StatusChip";
import type { LinkResult, useBulkTask } from "./use-bulk-task";

const COLUMNS: readonly Column<LinkResult>[] = [
  nameColumn("Link", ({ link }) => (
    <AppLink to="/links/$linkId" params={{ linkId: link.id }} preload={false}>
      {link.name}
    </AppLink>
  )),
  column("Result", ({ tone, word, sentence }) => (
    <>
      <StatusChip tone={tone}>{word}</StatusChip>
      {sentence && <div className="dim">{sentence}</div>}
    </>
  )),
];

/** How a task on several links goes, link by link; the ones that failed first. */
export function BulkResults({ task }: { task: ReturnType<typeof useBulkTask> }) {
  const { results, done, isPending, stop } = task;
  if (results.length === 0) return null;
  const failed = results.filter(({ tone }) => tone === "bad").length;
  return (
    <div className="stack">
      <progress value={done} max={results.length} aria-label="Progress" style={{ width: "100%" }} />
      <div className="row between">
        <span role="status">
          {done} of {pluralize(results.length, "link")} done
          {failed > 0 && `, ${failed} failed`}
          {!isPending && done < results.length && ", stopped"}.
        </span>
        {isPending && (
          <Button size="xs" variant="default" onClick={stop}>
            Start no further link
          </Button>
        )}
      </div>
      <DataTable
        caption="Results"
        columns={COLUMNS}
        rows={results.toSorted((a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"))}
        rowKey={({ link }) => link.id}
        empty=""
      />
    </div>
  );
}
