import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { PendingChanges } from "@/components/PendingChanges";
import { useRefusal } from "@/components/use-refusal";
import { firstStepLink } from "@/components/workflow/step-link";
import { LINK_RETIREMENT } from "@/domain/pending-approvals";
import { Panel } from "@/ui/Panel";
import { RetireLinkForm } from "./RetireLinkForm";

/** Retires a link, and shows a retirement that waits for a second administrator. */
export function RetirementPanel({ link }: { link: LinkDetail }) {
  return (
    <Panel title="Retirement">
      <div className="stack">
        <p className="dim">
          A retired link is no longer observed. Its channels stay on the servers, and its history
          stays readable.
        </p>
        <p className="dim">
          If replication should end, remove the channels first:{" "}
          <AppLink {...firstStepLink("situation", link.id, "remove_channels")}>
            Remove all channels…
          </AppLink>
        </p>
        <PendingChanges target={link.id} kind={LINK_RETIREMENT} />
        <div className="row end">
          <ChangeDialog
            label="Retire link"
            title={`Retire link ${link.name}`}
            disabledReason={useRefusal("configure")}
          >
            {(close) => <RetireLinkForm link={link} close={close} />}
          </ChangeDialog>
        </div>
      </div>
    </Panel>
  );
}
