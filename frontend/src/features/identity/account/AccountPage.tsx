import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { PasswordPanel } from "./PasswordPanel";
import { ProfilePanel } from "./ProfilePanel";
import { ProviderPanel } from "./ProviderPanel";
import { SecondFactorsPanel } from "./second-factors/SecondFactorsPanel";

/** The signed-in user's profile, password and second factors. */
export function AccountPage() {
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title="Account" />
      <QueryBoundary<CurrentUser | null> query={session} label="your session">
        {(user) => (
          <div className="stack">
            <ProfilePanel user={user} />
            {user.provider ? <ProviderPanel provider={user.provider} /> : <PasswordPanel />}
            <SecondFactorsPanel />
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
