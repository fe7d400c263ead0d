import { TextInput } from "@mantine/core";
import { useSettleTransactions } from "@/api/resources/unaccounted";
import type { LinkDetail, Unaccounted } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { pluralize } from "@/lib/format/number";
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
  const { form, submit, problem } = useServerForm({ initialValues: { reason: "" } });
  const calls = settlements(accounts, rows, chosen);
  const count = calls.reduce((sum, { gtids, unlisted }) => sum + gtids.length + unlisted, 0);
  const send = submit(async ({ reason }) => {
    for (const { unlisted, ...call } of calls) {
      await settle.mutateAsync({ ...call, reason: reason.trim() });
      const settled = pluralize(call.gtids.length + unlisted, "transaction");
      showSuccess(`${settled} of ${wayOf(link, call.direction)} settled.`);
    }
    close();
  });
  return (
    <form className="stack attest" onSubmit={send}>
      {problem !== null && <ProblemAlert error={problem} action="settle the transactions" />}
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
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        required
        minLength={3}
        maxLength={500}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <div className="row">
        <DisabledReasonButton
          type="submit"
          loading={form.submitting}
          disabledReason={count === 0 ? "None of the selected transactions is listed now." : null}
        >
          Settle {pluralize(count, "transaction")}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
