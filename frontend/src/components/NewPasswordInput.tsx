import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { strengthText } from "@/domain/password-strength";

interface Props extends PasswordInputProps {
  value?: string;
}

/** A field for a new password: how strong it is stands below it while it is typed. */
export function NewPasswordInput({ value, ...props }: Props) {
  return (
    <PasswordInput
      autoComplete="new-password"
      inputWrapperOrder={["label", "input", "description", "error"]}
      description={value ? strengthText(value) : null}
      descriptionProps={{ role: "status" }}
      value={value}
      {...props}
    />
  );
}
