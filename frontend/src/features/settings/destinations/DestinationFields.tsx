import { Checkbox, NumberInput, PasswordInput, Select, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { EventFields } from "../EventFields";
import type { DestinationValues } from "./destination-text";

const SECURITIES = [
  { value: "starttls", label: "STARTTLS" },
  { value: "tls", label: "TLS" },
  { value: "none", label: "None" },
];
const REGIONS = [
  { value: "us", label: "US" },
  { value: "eu", label: "EU" },
];

interface FieldsProps {
  form: UseFormReturnType<DestinationValues>;
  isNew: boolean;
}

const secretLabel = (label: string, isNew: boolean) =>
  isNew ? label : `New ${label.charAt(0).toLowerCase()}${label.slice(1)} (empty: unchanged)`;

function MailFields({ form, isNew }: FieldsProps) {
  return (
    <>
      <div className="row top">
        <TextInput
          label="Mail server"
          spellCheck={false}
          {...form.getInputProps("settings.host")}
        />
        <NumberInput
          label="Port"
          min={1}
          max={65535}
          w={110}
          {...form.getInputProps("settings.port")}
        />
        <Select
          label="Security"
          data={SECURITIES}
          allowDeselect={false}
          w={140}
          {...form.getInputProps("settings.security")}
        />
      </div>
      <div className="row top">
        <TextInput label="User" autoComplete="off" {...form.getInputProps("settings.user")} />
        <PasswordInput
          label={secretLabel("Password", isNew)}
          w={260}
          autoComplete="new-password"
          {...form.getInputProps("settings.password")}
        />
      </div>
      <div className="row top">
        <TextInput label="Sender" type="email" {...form.getInputProps("settings.sender")} />
        <TagsInput label="Recipients" w={360} {...form.getInputProps("settings.recipients")} />
      </div>
    </>
  );
}

function UrlField({ form, isNew }: FieldsProps) {
  return (
    <PasswordInput
      label={secretLabel("URL of the webhook", isNew)}
      description="It holds the token of the channel, so it is never shown again."
      maw={520}
      autoComplete="off"
      {...form.getInputProps("settings.url")}
    />
  );
}

function KeyFields({ form, isNew }: FieldsProps) {
  const label = form.values.service === "pagerduty" ? "Integration key" : "API key";
  return (
    <div className="row top">
      <PasswordInput
        label={secretLabel(label, isNew)}
        w={320}
        autoComplete="off"
        {...form.getInputProps("settings.key")}
      />
      <Select
        label="Region"
        data={REGIONS}
        allowDeselect={false}
        w={110}
        {...form.getInputProps("settings.region")}
      />
    </div>
  );
}

/** The settings of the chosen service. */
function ServiceFields(props: FieldsProps) {
  switch (props.form.values.service) {
    case "email":
      return <MailFields {...props} />;
    case "slack":
    case "teams":
      return <UrlField {...props} />;
    case "pagerduty":
    case "opsgenie":
      return <KeyFields {...props} />;
  }
}

/** The settings of a destination's service, and which events it gets. */
export function DestinationFields({ form, isNew }: FieldsProps) {
  return (
    <>
      <ServiceFields form={form} isNew={isNew} />
      <EventFields inputProps={form.getInputProps} placeholder="node.down" />
      <Checkbox label="Enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
    </>
  );
}
