import { Checkbox, Radio } from "@mantine/core";
import { useState } from "react";
import type { PlanOptions } from "@/api/types";
import { ACCOUNTS, type Account } from "@/domain/accounts";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

type Side = NonNullable<PlanOptions["side"]>;
const SIDES: readonly Side[] = ["active", "standby"];
const asSide = (value: string): Side => (value === "standby" ? "standby" : "active");

/** The side that holds a node, for a page that was opened from one of its clusters. */
const sideOf = ({ link, requested }: TargetProps): Side =>
  link.clusters.standby.nodes.some(({ id }) => id === requested.source_node) ? "standby" : "active";

/** The side and the accounts whose passwords are rotated. */
export function PasswordsTarget(props: TargetProps) {
  const { link, stale } = props;
  const [side, setSide] = useState<Side>(sideOf(props));
  const [roles, setRoles] = useState<string[]>(ACCOUNTS.map(({ key }) => key));
  const chosen = ACCOUNTS.map(({ key }): Account["key"] => key).filter((key) =>
    roles.includes(key),
  );
  return (
    <div className="with-aside">
      <Panel title="Accounts">
        <div className="stack">
          <Radio.Group
            label="Cluster"
            description="An account that both sides share is changed on both: the channel carries the change"
            value={side}
            onChange={(value) => setSide(asSide(value))}
          >
            <div className="stack">
              {SIDES.map((one) => (
                <Radio key={one} value={one} label={`${link.clusters[one].name}, ${one}`} />
              ))}
            </div>
          </Radio.Group>
          <Checkbox.Group label="Accounts" value={roles} onChange={setRoles}>
            <div className="stack">
              {ACCOUNTS.map(({ key, label, use }) => (
                <Checkbox key={key} value={key} label={label} description={use} />
              ))}
            </div>
          </Checkbox.Group>
        </div>
      </Panel>
      <PlanRequestPanel
        link={link}
        kind="rotate_passwords"
        options={{ side, roles: chosen }}
        stale={stale}
        disabledReason={chosen.length === 0 ? "Choose at least one account." : null}
        submitLabel={OPERATIONS.rotate_passwords.check(
          currentParticipants("rotate_passwords", link),
        )}
      />
    </div>
  );
}
