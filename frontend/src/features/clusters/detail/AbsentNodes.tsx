import type { Cluster, Membership } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { RemoveNodeForm } from "./RemoveNodeForm";

interface AbsentNodesProps {
  cluster: Cluster;
  absent: NonNullable<Membership["absent"]>;
}

/** Registered nodes that are no members of their cluster, offered for removal. */
export function AbsentNodes({ cluster, absent }: AbsentNodesProps) {
  const refusal = useRefusal("register");
  return absent.map((node) => (
    <div className="row" key={node.id}>
      <span className="grow">
        <b>{node.name}</b> is registered and is not a member. Remove it if it was decommissioned.
      </span>
      <ChangeDialog
        label="Remove"
        subject={`absent node ${node.name}`}
        title={`Remove node ${node.name}`}
        disabledReason={refusal}
      >
        {(close) => <RemoveNodeForm node={node} version={cluster.version} close={close} />}
      </ChangeDialog>
    </div>
  ));
}
