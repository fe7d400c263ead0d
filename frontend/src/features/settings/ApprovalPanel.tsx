import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { commands } from "@/api/commands";
import { pendingApprovalsQuery } from "@/api/resources/pending-approvals";
import type { LinkDetail } from "@/api/types";
import { PendingChanges } from "@/components/PendingChanges";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";
import { changesAbout } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";

function useRule(link: LinkDetail) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (isOn: boolean) => commands.setApproval(link.id, isOn),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["links"] }),
        client.invalidateQueries({ queryKey: ["waiting"] }),
      ]),
  });
}

/** Whether runs on the link need a second person. Switching it off waits for a second administrator, or for a while. */
export function ApprovalPanel({ link }: { link: LinkDetail }) {
  const may = useCan("configure");
  const rule = useRule(link);
  const waiting = useQuery(pendingApprovalsQuery());
  const isHeldBack = changesAbout(waiting.data, link.id).length > 0;
  const isOn = link.requires_approval;
  return (
    <Panel
      title="Approval"
      aside={
        <StatusChip tone={isOn ? "ok" : "neutral"}>{isOn ? "needed" : "not needed"}</StatusChip>
      }
    >
      <div className="stack">
        <p className="dim">
          {isOn
            ? "A second person approves every run on this link. Switching this off waits until a second administrator confirms it, or until its time has come."
            : "Runs on this link begin without a second person."}
        </p>
        <PendingChanges target={link.id} />
        {rule.isError && <ProblemAlert error={rule.error} action="Changing the rule" />}
        {may ? (
          <div className="row end">
            {isHeldBack && (
              <Button variant="default" loading={rule.isPending} onClick={() => rule.mutate(true)}>
                Leave the rule on
              </Button>
            )}
            {!isHeldBack && (
              <Button variant="default" loading={rule.isPending} onClick={() => rule.mutate(!isOn)}>
                {isOn ? "Let runs begin without approval" : "Ask for approval of every run"}
              </Button>
            )}
          </div>
        ) : (
          <p className="faint">An administrator sets this.</p>
        )}
      </div>
    </Panel>
  );
}
