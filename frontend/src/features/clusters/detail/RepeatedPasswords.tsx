import { PasswordInput } from "@mantine/core";
import type { Cluster } from "@/api/types";
import { ACCOUNTS } from "@/domain/accounts";

/** Of a node that is added, or has another address. */
export const ELSEWHERE = "Hawser will send logins elsewhere.";

export const noPasswords = () => ({ monitor: "", operator: "", replication: "" });

interface RepeatedPasswordsProps {
  cluster: Cluster;
  /** Why another server could receive logins. */
  because: string;
  /** Of the form, whose fields are below `passwords`. */
  inputProps: (path: string) => object;
}

/** The passwords of the accounts, given again: they could otherwise be sent to another server. */
export function RepeatedPasswords({ cluster, because, inputProps }: RepeatedPasswordsProps) {
  const made = cluster.accounts.filter((one) => one.reference?.startsWith("vault-db:"));
  return (
    <div className="stack">
      <p className="dim">
        {because} Enter the present passwords of its accounts on {cluster.name}: who does not know
        them cannot have them sent to a server of his own.
      </p>
      {ACCOUNTS.filter(({ key }) => !made.some((one) => one.role === key)).map(({ key, label }) => (
        <PasswordInput
          key={key}
          label={`${label} password`}
          autoComplete="off"
          {...inputProps(`passwords.${key}`)}
        />
      ))}
    </div>
  );
}
