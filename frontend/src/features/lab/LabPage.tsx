import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Lab, LabVerdict } from "@/api/types";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { LoadPanel } from "./LoadPanel";
import { NodesPanel } from "./NodesPanel";
import { RebuildPanel } from "./RebuildPanel";
import { Verdict } from "./Verdict";

/** Demo only: break the two real clusters on purpose, then ask what was lost. */
export function LabPage() {
  const lab = useQuery(queries.lab());
  const verdict = useQuery(queries.labVerdict());
  return (
    <>
      <PageHeader title="Lab">
        {lab.data && <span className="dim">variant {lab.data.variant}</span>}
      </PageHeader>
      <div className="stack">
        <Loaded<LabVerdict> query={verdict} what="the verdict">
          {(answer) => <Verdict verdict={answer} />}
        </Loaded>
        <Loaded<Lab> query={lab} what="the lab">
          {(data) => (
            <div className="split">
              <NodesPanel nodes={data.nodes} />
              <div className="stack">
                <LoadPanel lab={data} />
                <RebuildPanel lab={data} />
              </div>
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}
