import { useState } from "react";
import { useCheckCluster } from "@/api/resources/clusters";
import type { Cluster } from "@/api/types";
import { GuideCallout } from "@/components/GuideCallout";
import { PageHeader } from "@/components/PageHeader";
import { RequirePermission } from "@/components/RequirePermission";
import { CreateClusterForm } from "./CreateClusterForm";
import { RegisteredCluster } from "./RegisteredCluster";

/** Registers a cluster in one form; the check that follows names what is missing and its remedy. */
export function CreateClusterPage() {
  const [cluster, setCluster] = useState<Cluster | null>(null);
  const check = useCheckCluster();
  const onCreated = (created: Cluster) => {
    setCluster(created);
    check.mutate(created.id);
  };
  return (
    <>
      <PageHeader title="New cluster" />
      <RequirePermission permission="register" action="register clusters">
        {cluster ? (
          <RegisteredCluster cluster={cluster} check={check} />
        ) : (
          <div className="stack">
            <GuideCallout />
            <CreateClusterForm onCreated={onCreated} />
          </div>
        )}
      </RequirePermission>
    </>
  );
}
