import { Button } from "@mantine/core";
import { useDeleteRegistration } from "@/api/resources/registrations";
import type { RegistrationBrief } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { type Column, DataTable } from "@/ui/DataTable";

function DeleteButton({ row }: { row: RegistrationBrief }) {
  const remove = useDeleteRegistration();
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={remove.isPending}
        onClick={() => remove.mutate(row.id)}
        aria-label={`Delete the guided registration of ${row.title}`}
      >
        Delete
      </Button>
      {remove.isError && <ProblemAlert error={remove.error} action="delete it" />}
    </>
  );
}

const COLUMNS: readonly Column<RegistrationBrief>[] = [
  {
    key: "title",
    header: "Link",
    isRowHeader: true,
    cell: (row) => (
      <AppLink to="/registrations/$registrationId" params={{ registrationId: row.id }}>
        {row.title}
      </AppLink>
    ),
  },
  { key: "state", header: "State", cell: (row) => (row.link_id ? "registered" : "unfinished") },
  { key: "owner", header: "Started by", cell: (row) => row.owner },
  { key: "updated", header: "Last change", cell: (row) => <Timestamp at={row.updated_at} /> },
  { key: "expires", header: "Deleted", cell: (row) => <Timestamp at={row.expires_at} /> },
  { key: "delete", header: "Delete", cell: (row) => <DeleteButton row={row} /> },
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
