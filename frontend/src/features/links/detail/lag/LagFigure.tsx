import { useElementSize } from "@mantine/hooks";
import { lazy, Suspense, useMemo, useState } from "react";
import type { LagCurve } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { SkeletonLines } from "@/ui/Skeleton";
import { columnsOf, type Unit } from "./chart-data";
import css from "./Lag.module.css";
import { LagReadout } from "./LagReadout";
import type { Domain } from "./lag-range";
import { MarkerLane } from "./MarkerLane";
import { layoutMarkers, type Marker } from "./marker-layout";
import { chartLabel, pointText } from "./readout";

const LagChart = lazy(() => import("./LagChart"));

interface FigureProps {
  curve: LagCurve;
  domain: Domain;
  unit: Unit;
  onBrush: (domain: Domain) => void;
  onKey: (key: string) => void;
  onOpenMarker: (marker: Marker) => void;
}

/** Events, chart and values. The cursor changes only this part of the page. */
export function LagFigure({ curve, domain, unit, onBrush, onKey, onOpenMarker }: FigureProps) {
  const { zone } = useTimeZone();
  const { ref, width } = useElementSize();
  const [index, setIndex] = useState<number | null>(null);
  const [marker, setMarker] = useState<Marker | null>(null);
  const columns = useMemo(() => columnsOf(curve, unit), [curve, unit]);
  const markers = useMemo(
    () => layoutMarkers(curve.events, domain, width),
    [curve.events, domain, width],
  );
  const drawn = useMemo(
    () => ({ domain, markers, resolutionS: curve.resolution_s }),
    [domain, markers, curve.resolution_s],
  );
  const point = index === null ? columns.points.at(-1) : columns.points[index];
  return (
    <figure>
      <div className={css.laneSpace}>
        <div ref={ref}>
          <MarkerLane markers={markers} onShow={setMarker} onOpen={onOpenMarker} />
        </div>
      </div>
      <Suspense fallback={<SkeletonLines lines={1} height={190} />}>
        <LagChart
          columns={columns}
          drawn={drawn}
          label={chartLabel(curve, unit, zone)}
          valueText={pointText(point, unit, zone)}
          index={index}
          onPoint={setIndex}
          onBrush={onBrush}
          onKey={onKey}
        />
      </Suspense>
      <LagReadout point={point ?? null} marker={marker} unit={unit} />
    </figure>
  );
}
