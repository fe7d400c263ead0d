import { useWithdrawDismissal } from "@/api/resources/advice";
import type { Advice } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";

type Dismissed = Advice & { dismissal: NonNullable<Advice["dismissal"]> };

export const isDismissed = (advice: Advice): advice is Dismissed => advice.dismissal !== null;

/** Advice that was dismissed, by whom, why and until when. */
export function DismissedTable({ items }: { items: readonly Dismissed[] }) {
  const withdraw = useWithdrawDismissal();
  const refusal = useRefusal("run");
  if (items.length === 0) return null;
  return (
    <Panel title="Dismissed">
      <DataTable<Dismissed>
        caption="Dismissed advice"
        rows={items}
        rowKey={({ dismissal }) => dismissal.id}
        empty=""
        columns={[
          nameColumn("Advice", ({ title, fact }) => (
            <>
              <div className="strong">{title}</div>
              <div className="dim">{fact}</div>
            </>
          )),
          column("Of", ({ subject }) => subject),
          column("Reason", ({ dismissal }) => dismissal.reason),
          column("By", ({ dismissal }) => dismissal.by),
          column("Until", ({ dismissal }) => <Timestamp at={dismissal.expires_at} />, {
            nowrap: true,
          }),
          column("Change", ({ title, dismissal }) => (
            <ConfirmAction
              label="Open again"
              subject={title}
              title={`Open again: ${title}`}
              confirmLabel="Open the advice again"
              action="withdraw the dismissal"
              success="Advice is open again."
              disabledReason={refusal}
              onConfirm={() => withdraw.mutateAsync(dismissal.id)}
            >
              The advice is listed as open again. This is recorded in the audit log.
            </ConfirmAction>
          )),
        ]}
      />
    </Panel>
  );
}
