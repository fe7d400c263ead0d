import type { LinkDetail } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { MaintenanceForm } from "./MaintenanceForm";

/** Begins the maintenance of a link, or changes its end; the notice above the page ends it. */
export function MaintenancePanel({ link }: { link: LinkDetail }) {
  const isPaused = link.pause !== null;
  return (
    <Panel
      title="Maintenance"
      aside={
        <StatusChip tone={isPaused ? "warn" : "neutral"}>{isPaused ? "on" : "off"}</StatusChip>
      }
    >
      <div className="stack">
        <p className="dim">
          During maintenance no webhook is called, and no operation starts automatically. It ends at
          the time you set.
        </p>
        <div className="row end">
          <ChangeDialog
            label={isPaused ? "Change end" : "Begin maintenance"}
            title={`Maintenance of ${link.name}`}
            disabledReason={useRefusal("run")}
          >
            {(close) => <MaintenanceForm link={link} close={close} />}
          </ChangeDialog>
        </div>
      </div>
    </Panel>
  );
}
