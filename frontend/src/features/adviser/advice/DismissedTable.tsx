import { useWithdrawDismissal } from "@/api/resources/advice";
import type { Advice } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { DataTable } from "@/ui/DataTable";
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
          {
            key: "advice",
            header: "Advice",
            isRowHeader: true,
            cell: ({ title, fact }) => (
              <>
                <div className="strong">{title}</div>
                <div className="dim">{fact}</div>
              </>
            ),
          },
          { key: "of", header: "Of", cell: ({ subject }) => subject },
          { key: "reason", header: "Reason", cell: ({ dismissal }) => dismissal.reason },
          { key: "by", header: "By", cell: ({ dismissal }) => dismissal.by },
          {
            key: "until",
            header: "Until",
            nowrap: true,
            cell: ({ dismissal }) => <Timestamp at={dismissal.expires_at} />,
          },
          {
            key: "withdraw",
            header: "Change",
            cell: ({ title, dismissal }) => (
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
            ),
          },
        ]}
      />
    </Panel>
  );
}
