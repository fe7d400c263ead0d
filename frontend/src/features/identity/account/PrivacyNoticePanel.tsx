import { Button } from "@mantine/core";
import { useAcceptNotice } from "@/api/resources/preferences";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Panel } from "@/ui/Panel";

/** What is kept of persons, and the agreement to it. */
export function PrivacyNoticePanel({ onAccepted }: { onAccepted: () => void }) {
  const accept = useAcceptNotice();
  return (
    <Panel title="What Hawser keeps of you">
      <ul>
        <li>
          Your user name and role. An account that is disabled for 400 days keeps the name only.
        </li>
        <li>Address and browser of your sessions, until 90 days after they end.</li>
        <li>
          What you do and from which address, in the audit log. It shows who changed what, and is
          kept as long as this console.
        </li>
        <li>Your settings, tokens and second factors, until you remove them.</li>
      </ul>
      <p className="dim note">
        It is used to protect the clusters and to show who did what, and is sent nowhere but where
        your administrators send the audit log and notifications.
      </p>
      <Button
        mt={12}
        loading={accept.isPending}
        onClick={() => accept.mutate(undefined, { onSuccess: onAccepted })}
      >
        Agree and continue
      </Button>
      {accept.error && <ProblemAlert error={accept.error} action="store your agreement" />}
    </Panel>
  );
}
