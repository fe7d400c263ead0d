import { Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import type { NotificationChoice } from "@/domain/notifications";
import { Panel } from "@/ui/Panel";

const KINDS: readonly [kind: keyof NotificationChoice, label: string, description: string][] = [
  [
    "incidents",
    "Incidents",
    "A node or site is down or unreachable, or a channel is broken, on any link.",
  ],
  ["approvals", "Approvals", "A run waits for the approval of a second person."],
  ["failedRuns", "Failed runs", "A run ended without its result."],
];

interface BrowserPanelProps {
  choice: NotificationChoice;
  isDisabled: boolean;
  onChange: (choice: NotificationChoice) => void;
  /** Whether it notifies while the console is closed, too. */
  children: ReactNode;
}

/** Opt-in to notifications of the operating system, for this browser only. */
export function BrowserPanel({ choice, isDisabled, onChange, children }: BrowserPanelProps) {
  return (
    <Panel title="This browser">
      <div className="stack">
        {KINDS.map(([kind, label, description]) => (
          <Checkbox
            key={kind}
            label={label}
            description={description}
            checked={choice[kind]}
            disabled={isDisabled}
            onChange={(event) => onChange({ ...choice, [kind]: event.currentTarget.checked })}
          />
        ))}
        {children}
      </div>
    </Panel>
  );
}
