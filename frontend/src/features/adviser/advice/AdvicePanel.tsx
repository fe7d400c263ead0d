import type { Advice } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { CodeInText } from "@/components/CodeInText";
import { ConfigurationStatements } from "@/components/ConfigurationStatements";
import { useRefusal } from "@/components/use-refusal";
import { RISKS } from "@/domain/advice";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { DismissForm } from "./DismissForm";

/** One piece of open advice, with the statements of its remedy. */
export function AdvicePanel({ advice }: { advice: Advice }) {
  const risk = RISKS[advice.risk];
  const refusal = useRefusal("run");
  const needsRestart = advice.changes.some((change) => change.needs_restart);
  return (
    <Panel
      title={advice.title}
      aside={
        <div className="row">
          <StatusChip tone={risk.tone}>{risk.word}</StatusChip>
          <ChangeDialog
            label="Dismiss"
            subject={advice.title}
            title={`Dismiss: ${advice.title}`}
            disabledReason={refusal}
          >
            {(close) => <DismissForm advice={advice} close={close} />}
          </ChangeDialog>
        </div>
      }
    >
      <div className="stack">
        <DescriptionList
          items={[
            ["Of", advice.subject],
            ["Fact", advice.fact],
            ["Consequence", advice.consequence],
            ["Remedy", advice.remedy],
            ["Evidence", <CodeInText key="evidence" text={advice.evidence} />],
          ]}
        />
        <ConfigurationStatements changes={advice.changes} subject={advice.title} />
        {needsRestart && advice.subject_id.startsWith("c_") && (
          <AppLink
            to="/clusters/$clusterId/configuration"
            params={{ clusterId: advice.subject_id }}
          >
            Lines for the configuration files, and the order of restarts
          </AppLink>
        )}
      </div>
    </Panel>
  );
}
