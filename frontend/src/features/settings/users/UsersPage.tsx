import { RequirePermission } from "@/components/RequirePermission";
import { SettingsLayout } from "../console/SettingsLayout";
import { UsersPanel } from "./UsersPanel";

/** The users of the console, for administrators. */
export function UsersPage() {
  return (
    <SettingsLayout title="Users">
      {(user) => (
        <RequirePermission permission="manage_users" action="manage users">
          <UsersPanel me={user} />
        </RequirePermission>
      )}
    </SettingsLayout>
  );
}
