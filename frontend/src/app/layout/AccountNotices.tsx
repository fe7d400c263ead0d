import { Alert } from "@mantine/core";
import { useState } from "react";
import type { CurrentUser } from "@/api/types";
import { AppLink } from "@/components/AppLink";

/** What the user is told in person: changes of the account, tokens that end. Closed until there is another one. */
export function AccountNotices({ notices }: Pick<CurrentUser, "notices">) {
  const newest = notices.map((notice) => notice.at).join();
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
        {notices.map((notice) => (
          <li key={notice.at + notice.message}>{notice.message}</li>
        ))}
      </ul>
      If it was not you, <AppLink to="/account">change your password</AppLink> and ask an
      administrator.
    </Alert>
  );
}
