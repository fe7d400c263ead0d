import { Button, NumberInput, Radio, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import { automationQuery } from "@/api/resources/automation";
import type { Automation } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

type Mode = Automation["mode"];

const MODES: { value: Mode; label: string; description: string; act: string }[] = [
  {
    value: "off",
    label: "Off",
    description: "Nothing happens by itself. The link's page says what could be done.",
    act: "Switch automatic relocate off",
  },
  {
    value: "propose",
    label: "Propose",
    description: "Makes the plan and tells of it; a person starts it.",
    act: "Let Hawser propose a relocate",
  },
  {
    value: "execute",
    label: "Execute",
    description:
      "Makes the plan and starts it, under its own name. Where the link asks for approval, the run waits for it.",
    act: "Let Hawser relocate by itself",
  },
];

const modeOf = (value: string): Mode => MODES.find((mode) => mode.value === value)?.value ?? "off";

/** A person has seen what it did: only then it may act again before the block ends. */
function Blocked({ linkId, automation }: { linkId: string; automation: Automation }) {
  const [comment, setComment] = useState("");
  const may = useCan("run");
  const client = useQueryClient();
  const acknowledge = useMutation({
    mutationFn: () => commands.acknowledgeAutomation(linkId, comment),
    onSuccess: (saved) => client.setQueryData(automationQuery(linkId).queryKey, saved),
  });
  if (!automation.blocked_until) return null;
  return (
    <Callout
      tone="warn"
      title={
        <>
          Blocked until <Timestamp at={automation.blocked_until} />: it acted, and does not act
          twice.
        </>
      }
      description={
        <>
          {acknowledge.isError && <ProblemAlert error={acknowledge.error} action="Acknowledging" />}
          {may && (
            <TextInput
              mt={6}
              label="Comment for the record"
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
            />
          )}
        </>
      }
      actions={
        may && (
          <Button
            variant="default"
            loading={acknowledge.isPending}
            onClick={() => acknowledge.mutate()}
          >
            I have seen it: let it act again
          </Button>
        )
      }
    />
  );
}

/** Why it does nothing now, and what it did last. */
export function LastAction({
  automation,
}: {
  automation: Pick<Automation, "reason" | "observed_at" | "last_action">;
}) {
  const last = automation.last_action;
  return (
    <p className="dim">
      {automation.reason}{" "}
      {automation.observed_at && (
        <>
          Last looked <Timestamp at={automation.observed_at} />.{" "}
        </>
      )}
      {last && (
        <>
          Last act <Timestamp at={last.at} />: {last.outcome.replaceAll("_", " ")}
          {last.reason && `, since ${last.reason.replace(/\.$/, "")}`}.{" "}
          {last.plan_id && (
            <AppLink to="/plans/$planId/plan" params={{ planId: last.plan_id }}>
              its plan
            </AppLink>
          )}{" "}
          {last.run_id && (
            <AppLink to="/runs/$runId" params={{ runId: last.run_id }}>
              its run
            </AppLink>
          )}
        </>
      )}
    </p>
  );
}

/** What the link allows to be done without a person where a node is lost: a relocate. */
export function AutomationPanel({
  linkId,
  automation,
}: {
  linkId: string;
  automation: Automation;
}) {
  const [mode, setMode] = useState<Mode>(automation.mode);
  const [loss, setLoss] = useState(automation.loss_for_s);
  const [block, setBlock] = useState(automation.block_s);
  const may = useCan("configure");
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: () => commands.setAutomation(linkId, { mode, loss_for_s: loss, block_s: block }),
    onSuccess: (saved) => client.setQueryData(automationQuery(linkId).queryKey, saved),
  });
  const changed =
    mode !== automation.mode || loss !== automation.loss_for_s || block !== automation.block_s;
  const number = (value: number | string, fallback: number) =>
    typeof value === "number" ? value : fallback;
  return (
    <Panel title="Automatic relocate" aside="where a node is lost">
      <div className="stack">
        <LastAction automation={automation} />
        <Blocked linkId={linkId} automation={automation} />
        <Radio.Group
          label="When a node that carries the link is lost"
          value={mode}
          onChange={(value) => setMode(modeOf(value))}
        >
          <div className="stack attest">
            {MODES.map((entry) => (
              <Radio
                key={entry.value}
                value={entry.value}
                label={entry.label}
                description={entry.description}
                disabled={!may}
              />
            ))}
          </div>
        </Radio.Group>
        <div className="row">
          <NumberInput
            label="Lost for, seconds"
            description="confirmed without a break"
            value={loss}
            min={5}
            max={3600}
            disabled={!may}
            onChange={(value) => setLoss(number(value, automation.loss_for_s))}
          />
          <NumberInput
            label="Block afterwards, seconds"
            description={formatAge(block)}
            value={block}
            min={60}
            max={604_800}
            disabled={!may}
            onChange={(value) => setBlock(number(value, automation.block_s))}
          />
        </div>
        {set.isError && <ProblemAlert error={set.error} action="Setting it" />}
        {may ? (
          <div className="row end">
            <Button
              variant="default"
              disabled={!changed}
              loading={set.isPending}
              onClick={() => set.mutate()}
            >
              {MODES.find((entry) => entry.value === mode)?.act}
            </Button>
          </div>
        ) : (
          <p className="faint">An administrator sets this.</p>
        )}
      </div>
    </Panel>
  );
}
