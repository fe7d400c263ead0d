import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { labQuery, labVerificationQuery } from "@/api/resources/lab";
import type { Lab, LabVerdict } from "@/api/types";
import { PageHeader } from "@/components/PageHeader";
import { usePreferences } from "@/components/PreferencesProvider";
import { QueryBoundary } from "@/components/QueryBoundary";
import { RequirePermission } from "@/components/RequirePermission";
import { LoadPanel } from "./LoadPanel";
import { NodesPanel } from "./NodesPanel";
import { RebuildPanel } from "./RebuildPanel";
import { VerificationPanel } from "./VerificationPanel";

/** Starts the tour again for a user who is through with it. */
function TourButton() {
  const { preferences, change } = usePreferences();
  if (preferences.tour !== "ended") return null;
  return (
    <Button size="xs" variant="default" onClick={() => change({ tour: "picture" })}>
      Take the tour
    </Button>
  );
}

/** Demo only: causes failures in the two real clusters, then verifies that no write was lost. */
export function LabPage() {
  const lab = useQuery(labQuery());
  const verdict = useQuery(labVerificationQuery());
  return (
    <>
      <PageHeader title="Lab" right={<TourButton />}>
        {lab.data && <span className="dim">variant {lab.data.variant}</span>}
      </PageHeader>
      <RequirePermission permission="lab" action="use the lab">
        <div className="stack">
          <QueryBoundary<LabVerdict> query={verdict} label="the verification">
            {(answer) => <VerificationPanel verdict={answer} />}
          </QueryBoundary>
          <QueryBoundary<Lab> query={lab} label="the lab">
            {(data) => (
              <div className="split">
                <NodesPanel nodes={data.nodes} />
                <div className="stack">
                  <LoadPanel lab={data} />
                  <RebuildPanel lab={data} />
                </div>
              </div>
            )}
          </QueryBoundary>
        </div>
      </RequirePermission>
    </>
  );
}
