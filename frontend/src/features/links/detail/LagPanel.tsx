import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { lagQuery } from "@/api/resources/links";
import type { LagCurve } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { LagTable } from "./LagTable";

const LagChart = lazy(() => import("./LagChart"));

const SPANS = [
  { value: "5", label: "5 min" },
  { value: "15", label: "15 min" },
  { value: "60", label: "1 h" },
  { value: "1440", label: "24 h" },
];

/** How far behind each direction was, with what happened marked on it. */
export function LagPanel({ linkId, minutes }: { linkId: string; minutes: number }) {
  const [asTable, setAsTable] = useState(false);
  const query = useQuery(lagQuery(linkId, minutes));
  const navigate = useNavigate();
  const choose = (value: string) =>
    void navigate({
      to: "/links/$linkId",
      params: { linkId },
      search: { minutes: Number(value) },
      replace: true,
    });
  return (
    <Panel
      title="Lag and events"
      aside={
        <>
          <SegmentedControl
            size="xs"
            data={SPANS}
            value={String(minutes)}
            onChange={choose}
            aria-label="Time range"
          />
          <SegmentedControl
            size="xs"
            data={["Curve", "Table"]}
            value={asTable ? "Table" : "Curve"}
            onChange={(value) => setAsTable(value === "Table")}
            aria-label="Form"
          />
        </>
      }
    >
      <QueryBoundary<LagCurve>
        query={query}
        label="the lag curve"
        fallback={<SkeletonLines lines={1} height={170} />}
      >
        {(curve) =>
          asTable ? (
            <LagTable curve={curve} />
          ) : (
            <Suspense fallback={<SkeletonLines lines={1} height={170} />}>
              <LagChart curve={curve} minutes={minutes} />
            </Suspense>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
