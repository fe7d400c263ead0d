import { Checkbox, Group, Radio, TextInput } from "@mantine/core";
import type { Registration, RegistrationSide } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { STANDBY_WRITES } from "@/domain/standby-writes";
import { Panel } from "@/ui/Panel";
import { NextStep } from "../NextStep";
import css from "../Registrations.module.css";
import { SettingsPanel } from "../side/SettingsPanel";
import { isDone, partName } from "../steps";
import { useDraftForm } from "../use-draft-form";
import { FoundChannels } from "./FoundChannels";

const SIDES = ["first", "second"] as const;

interface LinkValues extends Record<string, unknown> {
  name: string;
  active: RegistrationSide | "";
  channel_name: string;
  create_probe: boolean;
  requires_approval: boolean;
  writes_on_both_sides: boolean;
}

function useLinkForm(draft: Registration) {
  const { name, active, channel_name, suggested_active, found } = draft.link;
  const { create_probe, requires_approval, writes_on_both_sides } = draft.link;
  const foundName = found.channel_name ?? "";
  return useDraftForm<LinkValues>({
    draft,
    prefix: "link.",
    initialValues: {
      name,
      active: active || (suggested_active ?? ""),
      channel_name: channel_name ?? foundName,
      create_probe,
      requires_approval,
      writes_on_both_sides,
    },
    validate: { name: (value) => (value.trim() ? null : "Enter a name") },
    toRequest: ({ active: chosen, ...values }) => ({
      link: {
        ...values,
        // Null follows the channels, also those that are found later.
        channel_name: values.channel_name === foundName ? null : values.channel_name,
        ...(chosen ? { active: chosen } : {}),
      },
    }),
  });
}

function LinkForm({ draft }: { draft: Registration }) {
  const { form, problem, save } = useLinkForm(draft);
  const { suggested_active: suggested } = draft.link;
  return (
    <Panel title="Link">
      <form className="stack" onBlur={save} onSubmit={(event) => event.preventDefault()}>
        {problem !== null && <ProblemAlert error={problem} action="store the link" />}
        <Group align="flex-start" gap="sm">
          <TextInput label="Link name" placeholder="payments" {...form.getInputProps("name")} />
          <TextInput
            label="Connection name"
            placeholder="(default)"
            {...form.getInputProps("channel_name")}
          />
        </Group>
        <Radio.Group
          label="Where applications write"
          description="The active side. The other one is the standby."
          {...form.getInputProps("active")}
        >
          <div className={css.choices}>
            {SIDES.map((side) => (
              <Radio
                key={side}
                value={side}
                label={
                  suggested === side
                    ? `${partName(draft, side)} (the only side that is open to writes)`
                    : partName(draft, side)
                }
              />
            ))}
          </div>
        </Radio.Group>
        <Checkbox
          label="Create the schema hawser with the table hawser.probe on both sides"
          description="A probe write proves that a channel replicates. Outside a run Hawser writes nothing else."
          {...form.getInputProps("create_probe", { type: "checkbox" })}
        />
        <Checkbox
          label="Require the approval of a second user for every run on this link"
          {...form.getInputProps("requires_approval", { type: "checkbox" })}
        />
        <Checkbox
          label={STANDBY_WRITES.label}
          description={STANDBY_WRITES.description}
          {...form.getInputProps("writes_on_both_sides", { type: "checkbox" })}
        />
      </form>
    </Panel>
  );
}

/** The channels that were found between both clusters, and the link that is registered for them. */
export function LinkStep({ draft }: { draft: Registration }) {
  return (
    <div className="stack">
      <FoundChannels found={draft.link.found} />
      <LinkForm draft={draft} />
      <SettingsPanel
        title="Settings that concern both clusters"
        settings={draft.link.settings}
        none="The settings of both clusters fit together."
      />
      <NextStep id={draft.id} step="review" isReady={isDone(draft, "link")} />
    </div>
  );
}
