import { PasswordInput, SegmentedControl, TextInput } from "@mantine/core";

export type PasswordSourceKind = "sealed" | "reference";

/** What the API takes of an account: its password or a reference to it, never both. */
export function accountBody(given: {
  user: string;
  source: PasswordSourceKind;
  password: string;
  reference: string;
}) {
  const { user, source, password, reference } = given;
  return source === "sealed" ? { user, password } : { user, reference: reference.trim() };
}

interface PasswordSourceProps {
  /** Begins the labels, such as "Monitor "; empty where the form has one account. */
  name?: string;
  /** The form's field of the kind. */
  source: { value?: unknown; onChange: (source: PasswordSourceKind) => void };
  password: object;
  reference: object;
}

/** A password that is sealed in Hawser, or a reference to where it is. */
export function PasswordSource({ name = "", source, password, reference }: PasswordSourceProps) {
  const labelled = (label: string) =>
    name ? `${name} ${label}` : label.charAt(0).toUpperCase() + label.slice(1);
  const kind = source.value === "reference" ? "reference" : "sealed";
  return (
    <div className="stack" style={{ width: 300, maxWidth: "100%" }}>
      <SegmentedControl
        aria-label={labelled("password is")}
        size="xs"
        data={[
          { value: "sealed", label: "Sealed in Hawser" },
          { value: "reference", label: "Reference" },
        ]}
        value={kind}
        onChange={(value) => source.onChange(value === "reference" ? "reference" : "sealed")}
      />
      {kind === "sealed" ? (
        <PasswordInput label={labelled("password")} autoComplete="new-password" {...password} />
      ) : (
        <TextInput
          label={labelled("reference")}
          placeholder="file:/run/secrets/hawser/milan"
          description="file:, env:, vault:, and for the monitor vault-db:"
          autoComplete="off"
          {...reference}
        />
      )}
    </div>
  );
}
