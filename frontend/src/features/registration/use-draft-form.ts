import type { UseFormInput } from "@mantine/form";
import { useUpdateRegistration } from "@/api/resources/registrations";
import type { Registration, UpdateRegistrationRequest } from "@/api/types";
import { useServerForm } from "@/components/use-server-form";

interface DraftForm<Values> extends UseFormInput<Values> {
  initialValues: Values;
  draft: Registration;
  /** Where the API has these fields, such as "first.". */
  prefix: string;
  toRequest: (values: Values) => UpdateRegistrationRequest | null;
}

/**
 * A part of a registration as a form: what was typed is stored when its field is left, so that a
 * reload keeps it. `toRequest` is null while the values cannot be sent.
 */
export function useDraftForm<Values extends Record<string, unknown>>(props: DraftForm<Values>) {
  const { draft, prefix, toRequest, ...options } = props;
  const { form, submit, attempt, problem } = useServerForm<Values>(options, prefix);
  const update = useUpdateRegistration(draft.id);
  const store = async (values: Values) => {
    const body = toRequest(values);
    if (!form.isDirty() || body === null) return;
    await update.mutateAsync(body);
    form.resetDirty(values);
  };
  return {
    form,
    problem,
    isSaving: update.isPending,
    /** Stores what was typed, or chosen: call it when a field is left, or after a choice. */
    save: () => void attempt(form.getValues(), store),
    /** Stores what was typed, then does the step. */
    onSubmit: (step: () => Promise<unknown>) =>
      submit(async (values) => {
        await store(values);
        await step();
      }),
    /** Shows at its field what a step of this part refuses. */
    attempt: (step: () => Promise<unknown>) => attempt(form.getValues(), step),
  };
}
