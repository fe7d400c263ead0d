import { Button, PasswordInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { ProblemAlert } from "@/components/ProblemAlert";
import { asRole, ROLES, type Role } from "@/domain/permissions";

/** Adds a person; one that may approve waits for a second administrator. */
export function CreateUserForm() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => commands.createUser({ username, role, password }),
    onSuccess: async () => {
      setUsername("");
      setPassword("");
      await client.invalidateQueries({ queryKey: ["users"] });
      await client.invalidateQueries({ queryKey: ["waiting"] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <>
      <form onSubmit={submit} className="row">
        <TextInput
          label="Name"
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          required
          autoComplete="off"
        />
        <PasswordInput
          label="Password"
          w={200}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          required
          autoComplete="new-password"
        />
        <Select
          label="Role"
          data={[...ROLES]}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(asRole(value))}
        />
        <Button type="submit" variant="default" className="beside" loading={create.isPending}>
          Add this person
        </Button>
      </form>
      {create.isError && <ProblemAlert error={create.error} action="Adding the person" />}
    </>
  );
}
