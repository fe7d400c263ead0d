import { useDeleteRegistration } from "@/api/resources/registrations";
import type { RegistrationBrief } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";

function DeleteButton({ row }: { row: RegistrationBrief }) {
  const remove = useDeleteRegistration();
  return (
    <ConfirmAction
      label="Delete"
      subject={row.title}
      title={`Delete the guided registration of ${row.title}`}
      confirmLabel="Delete it"
      action="delete it"
      onConfirm={() => remove.mutateAsync(row.id)}
    >
      {row.link_id
        ? "The link and its clusters stay registered."
        : "What was typed and found is deleted, with the passwords of the accounts. Accounts that were created stay on the servers."}
    </ConfirmAction>
  );
}

const COLUMNS: readonly Column<RegistrationBrief>[] = [
  nameColumn("Link", (row) => (
    <AppLink to="/registrations/$registrationId" params={{ registrationId: row.id }}>
      {row.title}
    </AppLink>
  )),
  column("State", (row) => (row.link_id ? "registered" : "unfinished")),
  column("Started by", (row) => row.owner),
  column("Last change", (row) => <Timestamp at={row.updated_at} />),
  column("Kept until", (row) => <Timestamp at={row.expires_at} />),
  column("Delete", (row) => <DeleteButton row={row} />),
];

/** Guided registrations that have not expired. */
export const RegistrationTable = ({ rows }: { rows: readonly RegistrationBrief[] }) => (
  <DataTable
    caption="Guided registrations"
    columns={COLUMNS}
    rows={rows}
    rowKey={(row) => row.id}
    empty="No guided registration is unfinished."
  />
);
