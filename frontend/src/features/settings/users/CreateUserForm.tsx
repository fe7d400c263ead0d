import { Button, Select, TextInput } from "@mantine/core";
import { useCreateUser } from "@/api/resources/users";
import { NewPasswordInput } from "@/components/NewPasswordInput";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { useServerForm } from "@/components/use-server-form";
import { ROLES, type Role } from "@/domain/permissions";

/** Adds a user. One who may approve counts only after a delay, or a second administrator's confirmation. */
export function CreateUserForm() {
  const create = useCreateUser();
  const { form, submit, problem } = useServerForm({
    initialValues: { username: "", password: "", role: "viewer" as Role },
  });
  const send = submit(async (values) => {
    await create.mutateAsync(values);
    form.reset();
    showSuccess(`User ${values.username} added.`);
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <TextInput label="Name" required autoComplete="off" {...form.getInputProps("username")} />
        <NewPasswordInput label="Password" w={200} required {...form.getInputProps("password")} />
        <Select
          label="Role"
          data={[...ROLES]}
          allowDeselect={false}
          {...form.getInputProps("role")}
        />
        <Button type="submit" variant="default" className="beside" loading={create.isPending}>
          Add user
        </Button>
      </form>
      {problem !== null && <ProblemAlert error={problem} action="add the user" />}
    </>
  );
}
