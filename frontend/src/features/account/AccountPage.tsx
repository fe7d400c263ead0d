import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useCan } from "@/components/use-session";
import { PasswordPanel } from "./PasswordPanel";
import { ProfilePanel } from "./ProfilePanel";
import { SessionsPanel } from "./SessionsPanel";
import { TokensPanel } from "./TokensPanel";
import { UsersPanel } from "./UsersPanel";

/** The signed-in user's own account and, for administrators, all users. */
export function AccountPage() {
  const session = useQuery(sessionQuery());
  const canManageUsers = useCan("manage_users");
  return (
    <>
      <PageHeader title="Account" />
      <QueryBoundary<CurrentUser | null> query={session} label="your session">
        {(user) => (
          <div className="stack">
            <ProfilePanel user={user} />
            <PasswordPanel />
            <SessionsPanel />
            <TokensPanel user={user} />
            {canManageUsers && <UsersPanel me={user} />}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
