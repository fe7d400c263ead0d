import type { Cluster, Membership } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { useRefusal } from "@/components/use-refusal";
import { pluralize } from "@/lib/format/number";
import { AddNodeForm } from "./AddNodeForm";
import { suggestNodeName } from "./suggest-node-name";

interface UnregisteredMembersProps {
  cluster: Cluster;
  membership: Membership;
}

/** The members that the cluster names and that are not registered, each with a prefilled form. */
export function UnregisteredMembers({ cluster, membership }: UnregisteredMembersProps) {
  const refusal = useRefusal("register");
  const names = cluster.nodes.map((node) => node.name);
  return (
    <>
      {membership.unregistered.map(({ host, port }) => (
        <div className="row" key={`${host}:${port}`}>
          <span className="grow">
            <code>
              {host}:{port}
            </code>{" "}
            is a member and is not registered. A switchover would not fence it.
          </span>
          <ChangeDialog
            label="Add"
            subject={`${host}:${port}`}
            title={`Add ${host}:${port} to ${cluster.name}`}
            disabledReason={refusal}
          >
            {(close) => (
              <AddNodeForm
                cluster={cluster}
                suggested={{ name: suggestNodeName(host, names, cluster.name), host, port }}
                close={close}
              />
            )}
          </ChangeDialog>
        </div>
      ))}
      {membership.unaddressed > 0 && (
        <p>
          The cluster counts {pluralize(membership.unaddressed, "more member")} without an address.
          Find the address with wsrep_node_incoming_address on that server, then add the node.
        </p>
      )}
    </>
  );
}
