import type { UseFormInput } from "@mantine/form";
import { useState } from "react";
import type { Versioned } from "@/api/if-match";
import { Problem } from "@/api/problem";
import { useServerForm } from "./use-server-form";

/** What every change of a registration has beside its own fields. */
interface ChangeValues extends Record<string, unknown> {
  reason: string;
}

interface ChangeOptions<Values extends ChangeValues> extends UseFormInput<Values> {
  /** The values as they are registered now, without the reason. */
  initialValues: Values;
  /** The version that these values have. */
  version: number;
  save: (change: Versioned<Values>) => Promise<unknown>;
}

const codeOf = (problem: unknown): string | null =>
  problem instanceof Problem ? problem.code : null;

/**
 * A form that changes what is registered. It is based on the version that was current when it was
 * opened, so that a change by another user in between is refused, never overwritten unseen.
 */
export function useChangeForm<Values extends ChangeValues>(options: ChangeOptions<Values>) {
  const { initialValues: current, version, save, ...rest } = options;
  const { form, submit, problem, dismissProblem } = useServerForm<Values>({
    ...rest,
    initialValues: current,
  });
  const [base, setBase] = useState(version);
  const keepInput = () => {
    setBase(version);
    dismissProblem();
  };
  return {
    form,
    problem,
    /** The code of the last refusal: an option that answers it is offered then. */
    refusal: codeOf(problem),
    onSubmit: submit((values) =>
      save({ version: base, body: { ...values, reason: values.reason.trim() } }),
    ),
    /** After a change by another user: sends the same input, based on what is registered now. */
    keepInput,
    /** After a change by another user: replaces the input, but the reason, with what is registered now. */
    loadCurrent: () => {
      form.setValues({ ...current, reason: form.getValues().reason });
      keepInput();
    },
  };
}

/** What the parts of such a form use. */
export type ChangeFormState<Values extends ChangeValues> = ReturnType<typeof useChangeForm<Values>>;
