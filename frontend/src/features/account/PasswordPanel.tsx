import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { commands } from "@/api/commands";
import { Problem } from "@/api/problem";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Panel } from "@/ui/Panel";

const NOTHING = { current: "", next: "", again: "" };

/** One's own password. Changing it ends every other session and all tokens of the person. */
export function PasswordPanel() {
  const [typed, setTyped] = useState(NOTHING);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => commands.changePassword(typed.current, typed.next),
    onSuccess: async () => {
      setTyped(NOTHING);
      await client.invalidateQueries({ queryKey: ["sessions"] });
      await client.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const differs = typed.again !== "" && typed.again !== typed.next;
  const isComplete = typed.current !== "" && typed.next !== "" && typed.again === typed.next;
  const refused = (field: string) =>
    change.error instanceof Problem ? change.error.field(field) : undefined;
  const isOfField = Boolean(refused("current_password") ?? refused("new_password"));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Panel title="Your password">
      <p className="dim">Changing it ends your other sessions and all your tokens.</p>
      <form onSubmit={submit} className="row top note">
        <PasswordInput
          label="Present password"
          w={200}
          value={typed.current}
          onChange={(event) => setTyped({ ...typed, current: event.currentTarget.value })}
          error={refused("current_password")}
          autoComplete="current-password"
        />
        <PasswordInput
          label="New password"
          w={200}
          value={typed.next}
          onChange={(event) => setTyped({ ...typed, next: event.currentTarget.value })}
          error={refused("new_password")}
          autoComplete="new-password"
        />
        <PasswordInput
          label="New password, again"
          w={200}
          value={typed.again}
          onChange={(event) => setTyped({ ...typed, again: event.currentTarget.value })}
          error={differs ? "It differs from the new one" : undefined}
          autoComplete="new-password"
        />
        <Button
          type="submit"
          variant="default"
          className="beside"
          loading={change.isPending}
          disabled={!isComplete}
        >
          Change your password
        </Button>
      </form>
      {change.isError && !isOfField && (
        <ProblemAlert error={change.error} action="Changing the password" />
      )}
      {change.isSuccess && (
        <p role="status" className="note">
          Your password is changed; your other sessions and all your tokens have ended.
        </p>
      )}
    </Panel>
  );
}
