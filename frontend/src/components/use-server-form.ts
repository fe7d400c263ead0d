import { type UseFormInput, useForm } from "@mantine/form";
import { useState } from "react";
import { Problem } from "@/api/problem";

/** Whether a value stands at this path, such as "name" or "tls.mode". */
function hasField(values: unknown, path: string): boolean {
  let value = values;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}

/** The server's error of each field the form has; null where the problem names none of them. */
function fieldErrors(error: unknown, values: unknown, prefix = ""): Record<string, string> | null {
  if (!(error instanceof Problem)) return null;
  const known = error.errors
    .filter((entry) => entry.field.startsWith(prefix))
    .map((entry) => ({ ...entry, field: entry.field.slice(prefix.length) }))
    .filter((entry) => hasField(values, entry.field));
  if (known.length === 0) return null;
  return Object.fromEntries(known.map((entry) => [entry.field, entry.message]));
}

/**
 * A form whose values have the names of the API's fields: what the server refuses is shown at its
 * field, everything else as `problem` above the form. `prefix` is where the API has these fields
 * within its body, such as "first.".
 */
export function useServerForm<Values extends Record<string, unknown>>(
  options: UseFormInput<Values>,
  prefix = "",
) {
  const form = useForm<Values>(options);
  const [problem, setProblem] = useState<unknown>(null);
  const attempt = async (values: Values, send: (values: Values) => Promise<unknown>) => {
    setProblem(null);
    try {
      await send(values);
    } catch (error) {
      const errors = fieldErrors(error, form.getValues(), prefix);
      if (errors) form.setErrors(errors);
      else setProblem(error);
    }
  };
  const submit = (send: (values: Values) => Promise<unknown>) =>
    form.onSubmit((values) => attempt(values, send));
  return { form, submit, attempt, problem, dismissProblem: () => setProblem(null) };
}
