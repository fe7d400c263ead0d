import { useSettleTransactions } from "@/api/resources/unaccounted";
import type { LinkDetail, Unaccounted } from "@/api/types";
import { showSuccess } from "@/components/toast";
import { pluralize } from "@/lib/format/number";
import { ReasonForm } from "./ReasonForm";
import { settlements, type UnaccountedRow, unlistedTexts, wayOf } from "./unaccounted";

interface SettleFormProps {
  link: LinkDetail;
  accounts: Unaccounted;
  rows: readonly UnaccountedRow[];
  chosen: ReadonlySet<string>;
  close: () => void;
}

/** Settles the chosen transactions for a reason. */
export function SettleForm({ link, accounts, rows, chosen, close }: SettleFormProps) {
  const settle = useSettleTransactions(link.id);
  const calls = settlements(accounts, rows, chosen);
  const count = calls.reduce((sum, { gtids, unlisted }) => sum + gtids.length + unlisted, 0);
  const send = async (reason: string) => {
    for (const { unlisted, ...call } of calls) {
      await settle.mutateAsync({ ...call, reason });
      const settled = pluralize(call.gtids.length + unlisted, "transaction");
      showSuccess(`${settled} of ${wayOf(link, call.direction)} settled.`);
    }
    close();
  };
  return (
    <ReasonForm
      what="the transactions"
      count={pluralize(count, "transaction")}
      disabledReason={count === 0 ? "None of the selected transactions is listed now." : null}
      send={send}
    >
      <p className="dim">
        Settle a transaction once both sides hold its rows, or the loss is accepted. No server is
        changed. A switchover is refused until all are settled.
      </p>
      <ul>
        {calls.map(({ direction, gtids }) => (
          <li key={direction}>
            {wayOf(link, direction)}: <code>{gtids.join(", ")}</code>
          </li>
        ))}
      </ul>
      {unlistedTexts(accounts, link, calls).map((text) => (
        <p key={text} className="strong">
          {text}
        </p>
      ))}
    </ReasonForm>
  );
}
