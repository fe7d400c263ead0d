import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { LinkRow } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { useRefusal } from "@/components/use-refusal";
import { pluralize } from "@/lib/format/number";
import { BulkMaintenance } from "./BulkMaintenance";
import { BulkRehearsal } from "./BulkRehearsal";
import css from "./Fleet.module.css";

const ACTIONS = {
  rehearse: { label: "Rehearse", permission: "plan" },
  begin: { label: "Begin maintenance", permission: "run" },
  end: { label: "End maintenance", permission: "run" },
} as const;

type Action = keyof typeof ACTIONS;

function Dialog({ action, links }: { action: Action; links: readonly LinkRow[] }) {
  return action === "rehearse" ? (
    <BulkRehearsal links={links} />
  ) : (
    <BulkMaintenance links={links} isEnd={action === "end"} />
  );
}

interface BulkBarProps {
  links: readonly LinkRow[];
  /** How many of them the filter hides. */
  hidden: number;
  clear: () => void;
}

/** What can be done with the selected links. Only what is safe on many at once is here. */
export function BulkBar({ links, hidden, clear }: BulkBarProps) {
  const [dialog, setDialog] = useState<Action | null>(null);
  const refusals = { plan: useRefusal("plan"), run: useRefusal("run") };
  if (links.length === 0 && !dialog) return null;
  return (
    <section className={css.bulk} aria-label="Selected links">
      <b>{pluralize(links.length, "link")} selected</b>
      {hidden > 0 && <span className="dim">{hidden} hidden by the filter</span>}
      {Object.entries(ACTIONS).map(([key, { label, permission }]) => (
        <DisabledReasonButton
          key={key}
          size="xs"
          variant="default"
          disabledReason={refusals[permission]}
          onClick={() => setDialog(key as Action)}
        >
          {label}…
        </DisabledReasonButton>
      ))}
      <Button size="xs" variant="subtle" onClick={clear}>
        Clear selection
      </Button>
      <Modal
        opened={dialog !== null}
        onClose={() => setDialog(null)}
        title={dialog && `${ACTIONS[dialog].label}: ${pluralize(links.length, "link")}`}
        centered
        size="lg"
      >
        {dialog && <Dialog action={dialog} links={links} />}
      </Modal>
    </section>
  );
}
