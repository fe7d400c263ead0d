import { type UseFormInput, useForm } from "@mantine/form";
import { useState } from "react";
import { Problem } from "@/api/problem";

/** The server's error of each field the form has; null where the problem names none of them. */
function fieldErrors(error: unknown, fields: readonly string[]): Record<string, string> | null {
  if (!(error instanceof Problem)) return null;
  const known = error.errors.filter((entry) => fields.includes(entry.field));
  if (known.length === 0) return null;
  return Object.fromEntries(known.map((entry) => [entry.field, entry.message]));
}

/**
 * A form whose values have the names of the API's fields: what the server refuses is shown at its
 * field, everything else as `problem` above the form.
 */
export function useServerForm<Values extends Record<string, unknown>>(
  options: UseFormInput<Values>,
) {
  const form = useForm<Values>(options);
  const [problem, setProblem] = useState<unknown>(null);
  const submit = (send: (values: Values) => Promise<unknown>) =>
    form.onSubmit(async (values) => {
      setProblem(null);
      try {
        await send(values);
      } catch (error) {
        const errors = fieldErrors(error, Object.keys(form.getValues()));
        if (errors) form.setErrors(errors);
        else setProblem(error);
      }
    });
  return { form, submit, problem };
}
