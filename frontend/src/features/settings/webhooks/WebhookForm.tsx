import {
  Checkbox,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  TagsInput,
  TextInput,
} from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { Problem } from "@/api/problem";
import type { CreateHookRequest, Hook } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { OPERATION_KINDS, operationLabel } from "@/domain/operations";
import { PHASES, validateWebhook, webhookDefaults } from "./webhook-text";

const SEVERITIES = ["info", "warning", "blocker"] as const;

interface PartProps {
  draft: CreateHookRequest;
  set: (change: Partial<CreateHookRequest>) => void;
}

/** Which acts it is called for. */
function ActFields({ draft, set }: PartProps) {
  return (
    <>
      <Checkbox.Group
        label="For these acts; none ticked means all"
        value={draft.kinds ?? []}
        onChange={(kinds) => set({ kinds })}
      >
        <div className="row" style={{ marginTop: 6 }}>
          {OPERATION_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={operationLabel(kind)} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label="Blocking: the act goes on only if it answers with success"
        description="A blocking call before an act stops it while nothing has been changed. Without this a failure is noted and the act goes on."
        checked={draft.blocking}
        onChange={(event) => set({ blocking: event.currentTarget.checked })}
      />
    </>
  );
}

/** Which events it hears of. */
function EventFields({ draft, set }: PartProps) {
  return (
    <div className="row">
      <TagsInput
        label="Events whose kind begins with; none means all"
        placeholder="node.lost"
        value={draft.kinds ?? []}
        onChange={(kinds) => set({ kinds })}
        w={360}
      />
      <Select
        label="From this severity on"
        data={SEVERITIES}
        value={draft.min_severity}
        allowDeselect={false}
        onChange={(value) =>
          set({ min_severity: SEVERITIES.find((severity) => severity === value) ?? "warning" })
        }
      />
    </div>
  );
}

function Fields({ draft, set, hook, error }: PartProps & { hook: Hook | null; error: unknown }) {
  const field = (name: string) => (error instanceof Problem ? error.field(name) : undefined);
  return (
    <>
      <div className="row">
        <TextInput
          label="Name"
          value={draft.name}
          error={field("name")}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="URL"
          placeholder="https://proxy.example/hawser"
          value={draft.url}
          error={field("url")}
          onChange={(event) => set({ url: event.currentTarget.value })}
          w={360}
          spellCheck={false}
        />
        <PasswordInput
          label={hook ? "New secret; empty keeps the old one" : "Secret, signs every call"}
          value={draft.secret}
          error={field("secret")}
          onChange={(event) => set({ secret: event.currentTarget.value })}
          w={260}
          autoComplete="new-password"
        />
        <NumberInput
          label="Seconds to answer"
          value={draft.timeout_s}
          min={1}
          max={60}
          w={130}
          onChange={(value) => set({ timeout_s: typeof value === "number" ? value : 10 })}
        />
      </div>
      <SegmentedControl
        className="fit"
        aria-label="When it is called"
        data={[...PHASES]}
        value={draft.phase}
        onChange={(value) =>
          set({ phase: PHASES.find((p) => p.value === value)?.value ?? "before", kinds: [] })
        }
      />
      {draft.phase === "event" ? (
        <EventFields draft={draft} set={set} />
      ) : (
        <ActFields draft={draft} set={set} />
      )}
      <Checkbox
        label="In use"
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </>
  );
}

/** Add a webhook, or change one; its secret is written, never read. */
export function WebhookForm(props: { linkId: string; hook: Hook | null; onDone: () => void }) {
  const { linkId, hook, onDone } = props;
  const [draft, setDraft] = useState(() => webhookDefaults(hook));
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { secret, ...rest } = draft;
      if (hook) return commands.changeHook(hook.id, secret ? draft : rest);
      return commands.createHook(linkId, draft);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["hooks", linkId] });
      onDone();
    },
  });
  const because = validateWebhook(draft, hook !== null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (because === null) save.mutate();
  };
  return (
    <form onSubmit={submit} className="stack">
      {save.isError && <ProblemAlert error={save.error} action="Saving the webhook" />}
      <Fields
        draft={draft}
        set={(change) => setDraft({ ...draft, ...change })}
        hook={hook}
        error={save.error}
      />
      <div className="row end">
        {because && <span className="dim grow">{because}</span>}
        <DisabledReasonButton disabledReason={because} type="submit" loading={save.isPending}>
          {hook ? `Change ${hook.name}` : "Add the webhook"}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
