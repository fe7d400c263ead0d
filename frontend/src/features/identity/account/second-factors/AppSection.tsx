import { Button } from "@mantine/core";
import { useState } from "react";
import { useBeginApp, useRemoveApp } from "@/api/resources/second-factors";
import type { SecondFactors, TotpSecret } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { AppForm } from "./AppForm";

interface AppSectionProps {
  app: SecondFactors["app"];
  onCodes: (codes: string[]) => void;
}

function AppOfUser({ app }: { app: NonNullable<SecondFactors["app"]> }) {
  const remove = useRemoveApp();
  return (
    <div className="row">
      <span>
        Authenticator app, added <Timestamp at={app.created_at} />, last used{" "}
        <Timestamp at={app.last_used_at} />
      </span>
      <ConfirmAction
        label="Remove app"
        title="Remove the authenticator app"
        confirmLabel="Remove the app"
        action="remove the app"
        success="Authenticator app removed."
        onConfirm={() => remove.mutateAsync()}
      >
        Its codes are not accepted any more.
      </ConfirmAction>
    </div>
  );
}

/** The user's authenticator app, or how to add one. */
export function AppSection({ app, onCodes }: AppSectionProps) {
  const begin = useBeginApp();
  const [begun, setBegun] = useState<TotpSecret | null>(null);
  if (app !== null) return <AppOfUser app={app} />;
  if (begun !== null)
    return <AppForm begun={begun} onCodes={onCodes} onCancel={() => setBegun(null)} />;
  return (
    <>
      <div className="row">
        <Button
          variant="default"
          loading={begin.isPending}
          onClick={() => begin.mutate(undefined, { onSuccess: setBegun })}
        >
          Add an authenticator app
        </Button>
      </div>
      {begin.isError && <ProblemAlert error={begin.error} action="begin to add an app" />}
    </>
  );
}
