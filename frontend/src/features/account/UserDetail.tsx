import { Button, PasswordInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import type { CurrentUser, UpdateUserRequest, User } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { asRole, ROLES } from "@/domain/permissions";
import { UserAccess } from "./UserAccess";
import css from "./Users.module.css";
import { hostAccounts, sideEffect } from "./user-rules";

const TOUCHED = ["users", "waiting", "sessions", "tokens"];

function useChange(user: User) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateUserRequest) => commands.changeUser(user.username, change),
    onSuccess: () =>
      Promise.all(TOUCHED.map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}

type Change = ReturnType<typeof useChange>;

function RoleForm({ user, change }: { user: User; change: Change }) {
  const [role, setRole] = useState(user.role);
  return (
    <div className="row top">
      <Select
        size="xs"
        label={`Role of ${user.username}`}
        data={[...ROLES]}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(asRole(value))}
      />
      <Button
        size="xs"
        className="beside"
        variant="default"
        disabled={role === user.role || change.isPending}
        onClick={() => change.mutate({ role })}
      >
        Make {user.username} {role}
      </Button>
    </div>
  );
}

function PasswordForm({ user, change }: { user: User; change: Change }) {
  const [password, setPassword] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ password }, { onSuccess: () => setPassword("") });
  };
  return (
    <form onSubmit={submit} className="row top">
      <PasswordInput
        size="xs"
        w={200}
        label={`New password of ${user.username}`}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="new-password"
      />
      <Button
        type="submit"
        size="xs"
        className="beside"
        variant="default"
        disabled={!password || change.isPending}
      >
        Set the password
      </Button>
    </form>
  );
}

function HostAccountsForm({ user, change }: { user: User; change: Change }) {
  const present = user.os_users.join(", ");
  const [text, setText] = useState(present);
  const names = hostAccounts(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate({ os_users: names });
  };
  return (
    <form onSubmit={submit} className="row top">
      <TextInput
        size="xs"
        label="Accounts of the console's host"
        description="With commas between them; who works at the shell under one of them is this person"
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="none"
        w={260}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
      />
      <Button
        type="submit"
        size="xs"
        className="beside"
        variant="default"
        disabled={names.join(", ") === present || change.isPending}
      >
        Set the accounts
      </Button>
    </form>
  );
}

/** Disabling asks once more, in the same place. */
function SwitchAccess({ user, change }: { user: User; change: Change }) {
  const [asked, setAsked] = useState(false);
  const set = () => change.mutate({ is_active: !user.is_active });
  if (user.is_active && !asked)
    return (
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        Disable {user.username}…
      </Button>
    );
  return (
    <>
      <Button
        size="xs"
        {...(user.is_active ? { color: "red.8" } : { variant: "default" })}
        disabled={change.isPending}
        onClick={set}
      >
        {user.is_active
          ? `Disable ${user.username}, end its sessions and tokens`
          : `Enable ${user.username} again`}
      </Button>
      {user.is_active && (
        <Button size="xs" variant="default" onClick={() => setAsked(false)}>
          Leave it enabled
        </Button>
      )}
    </>
  );
}

function Unlock({ user }: { user: User }) {
  const unlock = useMutation({ mutationFn: () => commands.unlockUser(user.username) });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={unlock.isPending}
        onClick={() => unlock.mutate()}
      >
        Unlock the sign-in
      </Button>
      {unlock.isSuccess && <span role="status">Failed sign-ins are forgotten.</span>}
      {unlock.isError && <ProblemAlert error={unlock.error} action="Unlocking" />}
    </>
  );
}

function Done({ user, change }: { user: User; change: Change }) {
  if (change.isError)
    return <ProblemAlert error={change.error} action={`Changing ${user.username}`} />;
  if (!change.isSuccess) return null;
  return <p role="status">Changed. {sideEffect(change.variables)}</p>;
}

/** All that an administrator changes of one user. One's own password and access are changed further up. */
export function UserDetail({ user, me }: { user: User; me: CurrentUser }) {
  const change = useChange(user);
  const isMe = user.username === me.username;
  return (
    <div className={`stack ${css.detail}`}>
      <p className="dim">
        Added <Timestamp at={user.created_at} />, last signed in{" "}
        {user.last_login ? <Timestamp at={user.last_login} /> : "never"}
      </p>
      <Done user={user} change={change} />
      <RoleForm key={user.role} user={user} change={change} />
      {!isMe && <PasswordForm user={user} change={change} />}
      <HostAccountsForm key={user.os_users.join()} user={user} change={change} />
      <div className="row">
        {!isMe && <SwitchAccess key={String(user.is_active)} user={user} change={change} />}
        <Unlock user={user} />
      </div>
      {!isMe && <UserAccess username={user.username} />}
    </div>
  );
}
