import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Registration, RegistrationSide, SideDraft } from "@/api/types";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { AccountNamesForm } from "./AccountNamesForm";
import { CreateAccounts } from "./CreateAccounts";
import { OwnAccountsForm } from "./OwnAccountsForm";

const WAYS = [
  { value: "create", label: "Hawser creates them" },
  { value: "own", label: "I create them myself" },
];

const STORED = {
  created: "The three accounts exist. Their passwords are stored encrypted, and are not shown.",
  entered: "Your three accounts are stored, their passwords encrypted.",
};

interface AccountsPanelProps {
  draft: Registration;
  side: RegistrationSide;
  found: NonNullable<SideDraft["discovered"]>;
  password: string;
  setPassword: (password: string) => void;
}

/** The three accounts: created by confirmed statements, or by the user and entered. */
export function AccountsPanel({ found, password, setPassword, ...shared }: AccountsPanelProps) {
  const { statements } = shared.draft[shared.side];
  const [way, setWay] = useState(statements.state === "entered" ? "own" : "create");
  return (
    <Panel title="Accounts" aside="what each privilege is for is named beside its statement">
      <div className="stack">
        {statements.state && <Callout tone="ok" title={STORED[statements.state]} />}
        {found.may_create === false && (
          <Callout
            tone="warn"
            title="This administrator may not create accounts."
            description="Grant CREATE USER with GRANT OPTION, use another administrator, or create the accounts yourself."
          />
        )}
        <div>
          <SegmentedControl
            aria-label="Who creates the accounts"
            data={WAYS}
            value={way}
            onChange={setWay}
          />
        </div>
        <AccountNamesForm key={`${statements.state === "entered"}`} {...shared} />
        {way === "create" ? (
          <CreateAccounts {...shared} password={password} setPassword={setPassword} />
        ) : (
          <OwnAccountsForm {...shared} />
        )}
      </div>
    </Panel>
  );
}
