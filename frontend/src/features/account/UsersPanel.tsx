import { Button, PasswordInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Page, User } from "@/api/types";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Role } from "@/lib/abilities";
import { Panel } from "@/ui/Panel";

const ROLES: Role[] = ["viewer", "operator", "approver", "admin"];
const asRole = (value: string | null): Role => ROLES.find((role) => role === value) ?? "viewer";

function UserRow({ user }: { user: User }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (role: Role) => commands.changeUser(user.username, { role }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["users"] }),
  });
  return (
    <tr>
      <td className="strong">{user.username}</td>
      <td>
        <Select
          size="xs"
          aria-label={`Role of ${user.username}`}
          data={ROLES}
          value={user.role}
          allowDeselect={false}
          onChange={(value) => change.mutate(asRole(value))}
          disabled={change.isPending}
        />
        {change.isError && <ProblemNotice error={change.error} doing="Changing the role" />}
      </td>
      <td>{user.is_active ? "may sign in" : "disabled"}</td>
    </tr>
  );
}

function NewUser() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => commands.createUser({ username, role, password }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["users"] }),
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
          data={ROLES}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(asRole(value))}
        />
        <Button type="submit" variant="default" mt={24} loading={create.isPending}>
          Add this person
        </Button>
      </form>
      {create.isError && <ProblemNotice error={create.error} doing="Adding the person" />}
    </>
  );
}

export function UsersPanel() {
  const query = useQuery(queries.users());
  return (
    <Panel title="People">
      <NewUser />
      <Loaded<Page<User>> query={query} what="the people">
        {(page) => (
          <table className="grid">
            <tbody>
              {page.results.map((user) => (
                <UserRow key={user.username} user={user} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </Panel>
  );
}
