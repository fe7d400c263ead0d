import { Button } from "@mantine/core";
import { useState } from "react";
import type { CurrentUser } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { Callout } from "@/ui/Callout";

/** What the user is told in person: changes of the account, tokens that end. Closed until there is another one. */
export function AccountNotifications({ notifications }: Pick<CurrentUser, "notifications">) {
  const newest = notifications.map((item) => item.at).join();
  const [closed, setClosed] = useState("");
  if (closed === newest) return null;
  return (
    <Callout
      tone="warn"
      live
      title="About your account"
      description={
        <>
          <ul>
            {notifications.map((item) => (
              <li key={item.at + item.message}>{item.message}</li>
            ))}
          </ul>
          If it was not you, change your password and ask an administrator.
        </>
      }
      actions={
        <>
          <ButtonLink to="/account">Change password</ButtonLink>
          <Button variant="default" onClick={() => setClosed(newest)}>
            Close
          </Button>
        </>
      }
    />
  );
}
