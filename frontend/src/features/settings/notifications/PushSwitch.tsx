import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { pushQuery } from "@/api/resources/push";
import type { Push } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { pushSupport } from "@/lib/web-push";
import { Callout } from "@/ui/Callout";
import { pushObstacle } from "./notification-obstacle";

interface PushSwitchProps {
  /** The id of this browser, where it has one. */
  ownId: string | null;
  /** Whether the browser refuses any notification. */
  isBlocked: boolean;
  isPending: boolean;
  turnOn: (publicKey: string) => void;
  turnOff: () => void;
}

function LoadedSwitch({ push, ...props }: PushSwitchProps & { push: Push }) {
  const { ownId, isBlocked, isPending, turnOn, turnOff } = props;
  const { public_key: key, subscriptions } = push;
  const isOn = subscriptions.some(({ id }) => id === ownId);
  const obstacle = pushObstacle(pushSupport(), key);
  const change = () => {
    if (isOn) turnOff();
    else if (key !== null) turnOn(key);
  };
  return (
    <>
      <Checkbox
        label="Also when the console is closed"
        description={
          isPending
            ? "Waiting for the browser and its push service…"
            : "Messages go through the push service of the browser's vendor, encrypted for this browser."
        }
        checked={isOn}
        disabled={isPending || (!isOn && (isBlocked || obstacle !== null))}
        onChange={change}
      />
      {obstacle && !isBlocked && <Callout tone="info" {...obstacle} />}
    </>
  );
}

/** Web Push in this browser, or why it cannot be turned on. */
export function PushSwitch(props: PushSwitchProps) {
  const query = useQuery(pushQuery());
  return (
    <QueryBoundary<Push> query={query} label="the state of Web Push">
      {(push) => <LoadedSwitch push={push} {...props} />}
    </QueryBoundary>
  );
}
