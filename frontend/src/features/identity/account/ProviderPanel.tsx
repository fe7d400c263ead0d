import type { ProviderIdentity } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

/** Where the role of the user comes from. */
export function ProviderPanel({ provider }: { provider: ProviderIdentity }) {
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
