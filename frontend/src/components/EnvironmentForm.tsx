import { Autocomplete, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "@/api/resources/teams";
import { ChangeDialog } from "./ChangeDialog";
import { ProblemAlert } from "./ProblemAlert";
import { showSuccess } from "./toast";
import { useRefusal } from "./use-refusal";
import { useServerForm } from "./use-server-form";

interface EnvironmentFormProps {
  name: string;
  environment: string;
  save: (environment: string) => Promise<unknown>;
}

function Form({ name, environment, save, close }: EnvironmentFormProps & { close: () => void }) {
  const names = useQuery(environmentsQuery()).data?.results.map((each) => each.name) ?? [];
  const { form, submit, problem } = useServerForm({ initialValues: { environment } });
  const send = submit(async (values) => {
    await save(values.environment);
    showSuccess(`Environment of ${name} saved.`);
    close();
  });
  return (
    <form onSubmit={send} className="stack">
      <p className="dim">
        Roles for an environment hold for all that is in it: this changes who may do what here. Who
        may approve more by it counts after the waiting time.
      </p>
      <Autocomplete
        label="Environment"
        description="For example production; blank for none"
        data={names}
        maxLength={40}
        {...form.getInputProps("environment")}
      />
      {problem !== null && <ProblemAlert error={problem} action="set the environment" />}
      <Button type="submit">Set environment</Button>
    </form>
  );
}

/** The button and form that move a link or a cluster to an environment, for administrators of the console. */
export function EnvironmentDialog(props: EnvironmentFormProps) {
  return (
    <ChangeDialog
      label="Set environment"
      title={`Environment of ${props.name}`}
      disabledReason={useRefusal("manage_users")}
    >
      {(close) => <Form {...props} close={close} />}
    </ChangeDialog>
  );
}
