import { useWithdrawAcceptance } from "@/api/resources/clusters";
import type { AcceptedServer, Cluster } from "@/api/types";
import { ChangeForm } from "@/components/ChangeForm";
import { showSuccess } from "@/components/toast";
import { useChangeForm } from "@/components/use-change-form";

interface WithdrawAcceptanceFormProps {
  cluster: Cluster;
  accepted: AcceptedServer;
  close: () => void;
}

/** Ends an acceptance: plans with these servers are refused again. */
export function WithdrawAcceptanceForm(props: WithdrawAcceptanceFormProps) {
  const { cluster, accepted, close } = props;
  const withdraw = useWithdrawAcceptance(cluster.id);
  const change = useChangeForm({
    initialValues: { reason: "" },
    version: cluster.version,
    save: async (values) => {
      await withdraw.mutateAsync(values);
      showSuccess(`The acceptance of ${accepted.name} for ${cluster.name} is withdrawn.`);
      close();
    },
  });
  return (
    <ChangeForm change={change} action="withdraw the acceptance" submitLabel="Withdraw acceptance">
      <p className="dim">
        Plans with {accepted.name} are refused again, also those that were created before. The text
        of the acceptance stays in the record.
      </p>
    </ChangeForm>
  );
}
