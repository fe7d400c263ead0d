import { Alert } from "@mantine/core";
import { useState } from "react";
import type { CurrentUser } from "@/api/types";
import { AppLink } from "@/components/AppLink";

/** What the user is told in person: changes of the account, tokens that end. Closed until there is another one. */
export function AccountNotifications({ notifications }: Pick<CurrentUser, "notifications">) {
  const newest = notifications.map((item) => item.at).join();
  const [closed, setClosed] = useState("");
  if (closed === newest) return null;
  return (
    <Alert
      color="yellow"
      title="About your account"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setClosed(newest)}
    >
      <ul>
        {notifications.map((item) => (
          <li key={item.at + item.message}>{item.message}</li>
        ))}
      </ul>
      If it was not you, <AppLink to="/account">change your password</AppLink> and ask an
      administrator.
    </Alert>
  );
}
