import { Button } from "@mantine/core";
import { useCheckSide } from "@/api/resources/registrations";
import type { Registration, RegistrationSide } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { Panel } from "@/ui/Panel";

/** Logs in with the three accounts on every node: enough privileges, and not more. */
export function CheckPanel({ draft, side }: { draft: Registration; side: RegistrationSide }) {
  const check = useCheckSide(draft.id);
  const { checked, statements } = draft[side];
  const hasAccounts = statements.state !== "";
  return (
    <Panel
      title="Check with the three accounts"
      aside={checked ? <Timestamp at={checked.at} /> : "reads only"}
    >
      <div className="stack">
        {check.isError && <ProblemAlert error={check.error} action="check the cluster" />}
        {checked ? (
          <FindingList findings={checked.findings} showCodes />
        ) : (
          <p className="dim">
            {hasAccounts
              ? "Not checked yet: it is unknown whether the accounts have the privileges they need."
              : "Create or enter the accounts first."}
          </p>
        )}
        <div className="row end">
          <Button
            variant={checked ? "default" : "filled"}
            disabled={!hasAccounts}
            loading={check.isPending}
            onClick={() => check.mutate(side)}
          >
            {checked ? "Check again" : "Check privileges and settings"}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
