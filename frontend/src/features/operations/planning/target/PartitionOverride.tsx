import { Checkbox } from "@mantine/core";
import type { LinkDetail } from "@/api/types";
import { Panel } from "@/ui/Panel";

interface PartitionOverrideProps {
  link: LinkDetail;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Shown where nodes of the lost side still respond. Where none does, the checks may require the override. */
export function PartitionOverride({ link, isChecked, onChange }: PartitionOverrideProps) {
  const reachable = link.clusters.active.nodes.filter((node) => node.reach === "up");
  if (reachable.length === 0) return null;
  const name = link.active_cluster.name;
  return (
    <Panel tone="bad" title={`${name} is up`} aside={reachable.map((node) => node.name).join(", ")}>
      <p>
        {reachable.length === 1
          ? `One node of ${name} still responds`
          : `${reachable.length} nodes of ${name} still respond`}
        , so this is a network partition or a healthy site, not a site loss. A switchover loses no
        data. If both sites accept writes, their data diverges permanently.
      </p>
      <Checkbox
        mt={10}
        color="red.8"
        label={`Override: fail over although ${name} is up`}
        description={`The reachable nodes of ${name} are fenced first. The run stops if one of them cannot be fenced. The override is recorded under your name.`}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}
