import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { pushQuery, type useChangePush } from "@/api/resources/push";
import type { Push } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { registeredId, turnOffPush, turnOnPush } from "@/components/push-registration";
import { QueryBoundary } from "@/components/QueryBoundary";
import type { NotificationChoice } from "@/domain/notifications";
import { pushSupport } from "@/lib/web-push";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { pushObstacle } from "./notification-obstacle";
import { PushBrowserList } from "./PushBrowserList";

function PushFailure({ error }: { error: Error }) {
  if (error instanceof Problem) return <ProblemAlert error={error} action="change Web Push" />;
  return (
    <Callout
      live
      tone="bad"
      title="This browser could not subscribe at its push service."
      description={`${error.message} Check that the browser can reach the internet and that its settings do not disable push messages.`}
    />
  );
}

interface PushPanelProps {
  changing: ReturnType<typeof useChangePush>;
  /** Whether the browser refuses any notification. */
  isBlocked: boolean;
  /** Asks for the permission; resolves to what is chosen, or null where it is refused. */
  prepare: () => Promise<NotificationChoice | null>;
}

function PushSwitch({ push, changing, isBlocked, prepare }: { push: Push } & PushPanelProps) {
  const [ownId, setOwnId] = useState(registeredId);
  const isOn = push.subscriptions.some(({ id }) => id === ownId);
  const obstacle = pushObstacle(pushSupport(), push.public_key);
  const turn = async (publicKey: string) => {
    if (isOn) await turnOffPush();
    else {
      const choice = await prepare();
      if (choice) await turnOnPush(publicKey, choice);
    }
    setOwnId(registeredId());
  };
  const { public_key: key } = push;
  return (
    <div className="stack">
      {obstacle && !isBlocked && <Callout tone="info" {...obstacle} />}
      <Checkbox
        label="Also when the console is closed"
        description="The push service of this browser delivers the message. It cannot read it, and learns when it was sent."
        checked={isOn}
        disabled={key === null || changing.isPending || (!isOn && (isBlocked || obstacle !== null))}
        onChange={() => key !== null && changing.mutate(() => turn(key))}
      />
      {changing.isError && <PushFailure error={changing.error} />}
      <PushBrowserList browsers={push.subscriptions} ownId={isOn ? ownId : null} />
    </div>
  );
}

/** Web Push in this browser, and the other browsers of the user that have it. */
export function PushPanel(props: PushPanelProps) {
  const query = useQuery(pushQuery());
  return (
    <Panel title="While no page is open">
      <QueryBoundary<Push> query={query} label="your browsers">
        {(push) => <PushSwitch push={push} {...props} />}
      </QueryBoundary>
    </Panel>
  );
}
