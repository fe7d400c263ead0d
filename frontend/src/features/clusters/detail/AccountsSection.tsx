import type { Cluster } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { ACCOUNTS, type Account } from "@/domain/accounts";
import { actionColumn, type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { AccountForm } from "./AccountForm";
import { AccountPassword } from "./AccountPassword";
import { RotatePasswords } from "./RotatePasswords";

const columnsFor = (cluster: Cluster, refusal: string | null): readonly Column<Account>[] => [
  nameColumn("Account", (account) => account.label),
  column("Use", (account) => account.use),
  column("Password", ({ key }) => (
    <AccountPassword account={cluster.accounts.find(({ role }) => role === key)} />
  )),
  actionColumn(
    "Actions",
    (account) => (
      <ChangeDialog
        label="Replace"
        subject={`${account.label.toLowerCase()} account`}
        title={`Replace ${account.label.toLowerCase()} account of ${cluster.name}`}
        disabledReason={refusal}
      >
        {(close) => <AccountForm cluster={cluster} account={account} close={close} />}
      </ChangeDialog>
    ),
    { align: "right" },
  ),
];

/** The accounts of a cluster, and how to rotate them without a gap. */
export function AccountsSection({ cluster }: { cluster: Cluster }) {
  return (
    <Panel title="Accounts" aside="passwords are never shown">
      <DataTable
        caption={`Accounts of ${cluster.name}`}
        columns={columnsFor(cluster, useRefusal("register"))}
        rows={ACCOUNTS}
        rowKey={(account) => account.key}
        empty="No accounts."
      />
      <RotatePasswords cluster={cluster} />
      <details className="note">
        <summary>Rotation by hand, without a gap</summary>
        <ol className="dim" style={{ listStyle: "decimal", paddingLeft: 20, marginTop: 6 }}>
          <li>Create a second account with the same grants on the cluster.</li>
          <li>Store it here. Hawser tries it on every node first.</li>
          <li>Drop the old account on the cluster.</li>
        </ol>
        <p className="dim">
          A run that is in progress continues. Its open sessions keep the old account, and new
          connections use the new one.
        </p>
      </details>
    </Panel>
  );
}
