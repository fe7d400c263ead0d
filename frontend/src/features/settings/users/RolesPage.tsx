import { useQuery } from "@tanstack/react-query";
import { rolesQuery } from "@/api/resources/roles";
import type { CurrentUser, RoleTable } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { type Column, column, DataTable, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { SettingsLayout } from "../console/SettingsLayout";

type Permission = RoleTable["permissions"][number];

/** One column for each role: whether it includes the permission of the row. */
function columnsOf({ roles }: RoleTable, own: string): readonly Column<Permission>[] {
  return [
    nameColumn("Permission", ({ description }) => description),
    ...roles.map(({ role, permissions }) =>
      column(role === own ? `${role} (you)` : role, ({ permission }: Permission) =>
        permissions.includes(permission) ? (
          <StatusChip tone="ok" tick>
            yes
          </StatusChip>
        ) : (
          <StatusChip tone="neutral">no</StatusChip>
        ),
      ),
    ),
  ];
}

function RolesPanel({ user }: { user: CurrentUser }) {
  const query = useQuery(rolesQuery());
  return (
    <Panel title="Permissions of the roles" aside="fixed; the server checks them on every call">
      <QueryBoundary<RoleTable> query={query} label="the roles">
        {(table) => (
          <DataTable
            caption="Permissions of the roles"
            columns={columnsOf(table, user.role)}
            rows={table.permissions}
            rowKey={({ permission }) => permission}
            empty="No permissions."
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

/** What each role may do, as the server's table has it. */
export function RolesPage() {
  return <SettingsLayout title="Roles">{(user) => <RolesPanel user={user} />}</SettingsLayout>;
}
