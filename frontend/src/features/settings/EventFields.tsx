import { Select, TagsInput } from "@mantine/core";

const SEVERITIES = ["info", "warning", "blocker"];

interface EventFieldsProps {
  inputProps: (path: "kinds" | "min_severity") => object;
  placeholder: string;
}

/** The events that a webhook is called for, or a destination is notified of. */
export const EventFields = ({ inputProps, placeholder }: EventFieldsProps) => (
  <div className="row top">
    <TagsInput
      label="Event prefixes (none: all events)"
      placeholder={placeholder}
      w={360}
      {...inputProps("kinds")}
    />
    <Select
      label="Minimum severity"
      data={SEVERITIES}
      allowDeselect={false}
      {...inputProps("min_severity")}
    />
  </div>
);
