import { Checkbox, NumberInput, PasswordInput, SegmentedControl, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CreateHookRequest } from "@/api/types";
import { OPERATION_KINDS, operationLabel } from "@/domain/operations";
import { EventFields } from "../EventFields";
import { PHASES } from "./webhook-text";

type WebhookFormState = UseFormReturnType<CreateHookRequest>;

/** The operations that the webhook is called for. */
function OperationFields({ form }: { form: WebhookFormState }) {
  return (
    <>
      <Checkbox.Group label="Operations (none selected: all)" {...form.getInputProps("kinds")}>
        <div className="row" style={{ marginTop: 6 }}>
          {OPERATION_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={operationLabel(kind)} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label="Blocking: the operation continues only after a successful call"
        description="If a blocking call before an operation fails, the run stops and nothing has been changed. Without this, a failure is recorded and the operation continues."
        {...form.getInputProps("blocking", { type: "checkbox" })}
      />
    </>
  );
}

function ReceiverFields({ form, isNew }: { form: WebhookFormState; isNew: boolean }) {
  return (
    <div className="row top">
      <TextInput label="Name" {...form.getInputProps("name")} />
      <TextInput
        label="URL"
        placeholder="https://proxy.example/hawser"
        w={360}
        spellCheck={false}
        {...form.getInputProps("url")}
      />
      <PasswordInput
        label={isNew ? "Secret (signs every call)" : "New secret (empty: unchanged)"}
        w={260}
        autoComplete="new-password"
        {...form.getInputProps("secret")}
      />
      <NumberInput
        label="Timeout (seconds)"
        min={1}
        max={60}
        w={130}
        required
        withAsterisk={false}
        {...form.getInputProps("timeout_s")}
      />
    </div>
  );
}

/** All fields of a webhook: its receiver and when it is called. */
export function WebhookFields({ form, isNew }: { form: WebhookFormState; isNew: boolean }) {
  return (
    <>
      <ReceiverFields form={form} isNew={isNew} />
      <SegmentedControl
        className="fit"
        aria-label="Trigger"
        data={[...PHASES]}
        value={form.values.phase}
        onChange={(phase) => form.setValues({ phase, kinds: [] })}
      />
      {form.values.phase === "event" ? (
        <EventFields inputProps={form.getInputProps} placeholder="node.lost" />
      ) : (
        <OperationFields form={form} />
      )}
      <Checkbox label="Enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </>
  );
}
