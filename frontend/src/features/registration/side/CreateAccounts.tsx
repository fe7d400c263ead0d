import { Button, Checkbox, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { useCreateAccounts } from "@/api/resources/registrations";
import type { Registration, RegistrationSide, SideDraft } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SqlText } from "@/ui/SqlBlock";
import { StatusChip } from "@/ui/StatusChip";
import css from "../Registrations.module.css";

type Statement = SideDraft["statements"]["statements"][number];

const RESULTS = {
  done: { word: "done", tone: "ok" },
  already_there: { word: "already there", tone: "ok" },
  failed: { word: "refused", tone: "bad" },
} as const;

function StatementRow({ statement }: { statement: Statement }) {
  const result = statement.result ? RESULTS[statement.result] : null;
  return (
    <li className={css.statement}>
      <code className={css.sql}>
        <SqlText sql={`${statement.sql};`} />
      </code>
      <div className="row">
        <span className="dim">{statement.purpose}</span>
        {result && <StatusChip tone={result.tone}>{result.word}</StatusChip>}
      </div>
      {statement.error && <p>{statement.error}</p>}
    </li>
  );
}

interface CreateAccountsProps {
  draft: Registration;
  side: RegistrationSide;
  password: string;
  setPassword: (password: string) => void;
}

/** The statements in full, and the confirmation that sends exactly these. */
export function CreateAccounts({ draft, side, password, setPassword }: CreateAccountsProps) {
  const create = useCreateAccounts(draft.id);
  const { statements, node, digest, state } = draft[side].statements;
  const [confirmed, setConfirmed] = useState("");
  const send = () =>
    create.mutate({ side, password, digest }, { onSuccess: () => setPassword("") });
  const refused = create.error instanceof Problem ? create.error.field(`${side}.password`) : null;
  if (statements.length === 0)
    return <p>An account name does not fit into a statement. Choose another one.</p>;
  return (
    <div className="stack">
      <p className="dim">
        {`Sent once on ${node}; the cluster replicates them. *** stands for the hash of a generated password.`}
      </p>
      <ul className={css.changes}>
        {statements.map((statement) => (
          <StatementRow key={statement.sql} statement={statement} />
        ))}
      </ul>
      {create.isError && <ProblemAlert error={create.error} action="create the accounts" />}
      {state !== "created" && (
        <>
          <PasswordInput
            label="Administrator’s password, to create them"
            w={280}
            autoComplete="off"
            value={password}
            error={refused}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Checkbox
            label={`I have read these ${statements.length} statements`}
            checked={confirmed === digest}
            onChange={(event) => setConfirmed(event.currentTarget.checked ? digest : "")}
          />
          <div className="row end">
            <Button disabled={confirmed !== digest} loading={create.isPending} onClick={send}>
              Create the accounts
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
