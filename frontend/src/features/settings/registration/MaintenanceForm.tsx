import { Button, Group, TextInput } from "@mantine/core";
import { usePauseLink } from "@/api/resources/links";
import type { Link } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";
import { fromInputTime, rangeEnd, toInputTime } from "@/lib/format/input-time";
import { zoneLabel } from "@/lib/format/time";
import { serverNow } from "@/lib/server-clock";

const MINUTE_MS = 60_000;

const PRESETS = [
  { label: "30 min", durationMs: 30 * MINUTE_MS },
  { label: "2 h", durationMs: 120 * MINUTE_MS },
  { label: "8 h", durationMs: 480 * MINUTE_MS },
] as const;

/** Begins a maintenance with its end, or changes the end. */
export function MaintenanceForm({ link, close }: { link: Link; close: () => void }) {
  const { zone } = useTimeZone();
  const pause = usePauseLink(link.id);
  const endAfter = (durationMs: number) => toInputTime(rangeEnd(durationMs, serverNow()), zone);
  const change = useChangeForm({
    initialValues: {
      until: link.pause ? toInputTime(link.pause.until, zone) : endAfter(PRESETS[0].durationMs),
      reason: link.pause?.reason ?? "",
    },
    version: link.version,
    save: async ({ version, body: { until, reason } }) => {
      await pause.mutateAsync({
        version,
        body: { until: fromInputTime(until, zone) ?? "", reason },
      });
      showSuccess(`${link.name} is in maintenance.`);
      close();
    },
  });
  const { form } = change;
  return (
    <ChangeForm
      change={change}
      action="begin the maintenance"
      submitLabel={link.pause ? "Change end of maintenance" : "Begin maintenance"}
      missing={form.getValues().until === "" ? "Enter the end of the maintenance." : null}
    >
      <p className="dim">
        Hawser observes the link as before, but calls no webhook, and no operation starts
        automatically. A lost side that returns is fenced all the same.
      </p>
      <TextInput
        type="datetime-local"
        label={`End (${zoneLabel(zone)})`}
        description="At most 7 days ahead"
        {...form.getInputProps("until")}
      />
      <Group gap={10} role="group" aria-label="Duration from now">
        {PRESETS.map(({ label, durationMs }) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            onClick={() => form.setFieldValue("until", endAfter(durationMs))}
          >
            {label}
          </Button>
        ))}
      </Group>
    </ChangeForm>
  );
}
