import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser, ProviderIdentity } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { PasswordPanel } from "./PasswordPanel";
import { ProfilePanel } from "./ProfilePanel";
import { SecondFactorsPanel } from "./second-factors/SecondFactorsPanel";

/** Where the role of the user comes from. */
function ProviderPanel({ provider }: { provider: ProviderIdentity }) {
  return (
    <Panel title="Your provider">
      <p className="dim">
        Your role comes from your groups there, and your password is changed there. Changes take
        effect at your next sign-in, or when Hawser asks the provider again.
      </p>
      <DescriptionList
        items={[
          ["Provider", provider.issuer],
          ["E-mail", provider.email || "not told"],
          ["Groups", provider.groups.join(", ") || "none"],
          ["Confirmed", <Timestamp key="at" at={provider.confirmed_at} />],
        ]}
      />
    </Panel>
  );
}

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
