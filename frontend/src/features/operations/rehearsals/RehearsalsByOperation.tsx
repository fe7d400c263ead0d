import type { LinkDetail, Rehearsal, RehearsedKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { DurationSparkline } from "./DurationSparkline";
import { RehearseButton } from "./RehearseButton";
import { REHEARSED, resultOf } from "./rehearsal-status";

interface OperationRow {
  kind: RehearsedKind;
  /** Newest first. */
  rehearsals: readonly Rehearsal[];
}

function LatestResult({ rehearsals: [latest] }: OperationRow) {
  if (!latest) return <StatusChip tone="neutral">never rehearsed</StatusChip>;
  const result = resultOf(latest);
  return <StatusChip tone={result.tone}>{result.word}</StatusChip>;
}

const operationColumn = (link: LinkDetail, current: string | undefined): Column<OperationRow> =>
  nameColumn(
    "Operation",
    ({ kind }) => (
      <AppLink
        to="/links/$linkId/rehearsals"
        params={{ linkId: link.id }}
        search={{ kind: kind === current ? undefined : kind }}
        aria-current={kind === current}
      >
        {operationLabel(kind)}
      </AppLink>
    ),
    { nowrap: true },
  );

const RESULT: Column<OperationRow> = column("Latest result", (row) => <LatestResult {...row} />, {
  nowrap: true,
});

const TREND: Column<OperationRow> = column("Estimated run time", ({ rehearsals }) => (
  <>
    {rehearsals.length > 1 && <DurationSparkline rehearsals={rehearsals} />}
    <div className="dim">{rehearsals[0]?.sentence}</div>
  </>
));

const rehearseColumn = (linkId: string): Column<OperationRow> =>
  actionColumn("Action", ({ kind }) => <RehearseButton linkId={linkId} kind={kind} />);

interface RehearsalsByOperationProps {
  link: LinkDetail;
  rehearsals: readonly Rehearsal[];
  kind: string | undefined;
}

/** For each operation its latest result, its trend, and a button that rehearses it now. */
export function RehearsalsByOperation({ link, rehearsals, kind }: RehearsalsByOperationProps) {
  const mayPlan = useCan("plan");
  const columns = [operationColumn(link, kind), RESULT, TREND];
  return (
    <Panel title="Operations">
      <DataTable
        caption="Latest rehearsal of each operation"
        columns={mayPlan ? [...columns, rehearseColumn(link.id)] : columns}
        rows={REHEARSED.map((entry) => ({
          kind: entry,
          rehearsals: rehearsals.filter((rehearsal) => rehearsal.kind === entry),
        }))}
        rowKey={(row) => row.kind}
        empty="No operation can be rehearsed."
      />
    </Panel>
  );
}
