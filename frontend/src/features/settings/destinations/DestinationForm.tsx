import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Destination } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { DestinationFields } from "./DestinationFields";
import {
  type DestinationValues,
  destinationDefaults,
  SERVICES,
  validateDestination,
} from "./destination-text";

interface FormProps {
  destination: Destination | null;
  save: (values: DestinationValues) => Promise<unknown>;
  submitLabel: string;
  onDone: () => void;
}

/** Links to choose from; the first entry stands for all of them. */
function useLinkChoices() {
  const links = useQuery(linksQuery()).data?.results ?? [];
  return [
    { value: "", label: "All links" },
    ...links.map((link) => ({ value: link.id, label: link.name })),
  ];
}

/** The fields of a destination. The API never returns a secret, so its field starts empty. */
export function DestinationForm({ destination, save, submitLabel, onDone }: FormProps) {
  const isNew = destination === null;
  const links = useLinkChoices();
  const { form, submit, problem } = useServerForm({
    initialValues: destinationDefaults(destination),
  });
  const disabledReason = validateDestination(form.values, !isNew);
  const send = submit(async (values) => {
    await save(values);
    showSuccess(`Destination ${values.name} saved.`);
    onDone();
  });
  return (
    <form onSubmit={send} className="stack">
      {problem !== null && <ProblemAlert error={problem} action="save the destination" />}
      <div className="row top">
        <TextInput label="Name" {...form.getInputProps("name")} />
        {isNew && (
          <>
            <Select
              label="Service"
              data={SERVICES}
              allowDeselect={false}
              {...form.getInputProps("service")}
            />
            <Select
              label="Events of"
              data={links}
              allowDeselect={false}
              {...form.getInputProps("link_id")}
            />
          </>
        )}
      </div>
      <DestinationFields form={form} isNew={isNew} />
      <div className="row end">
        {disabledReason && <span className="dim grow">{disabledReason}</span>}
        <DisabledReasonButton
          disabledReason={disabledReason}
          type="submit"
          loading={form.submitting}
        >
          {submitLabel}
        </DisabledReasonButton>
      </div>
    </form>
  );
}
