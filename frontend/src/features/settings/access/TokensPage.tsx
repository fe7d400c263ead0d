import { SettingsLayout } from "../console/SettingsLayout";
import { TokensPanel } from "./TokensPanel";

/** The user's own API tokens. */
export function TokensPage() {
  return <SettingsLayout title="Tokens">{(user) => <TokensPanel user={user} />}</SettingsLayout>;
}
