import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { lagQuery } from "@/api/resources/lag";
import type { LagCurve, LinkDetail } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatFull } from "@/lib/format/time";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import type { Unit } from "./chart-data";
import css from "./Lag.module.css";
import { LagEvents } from "./LagEvents";
import { LagFigure } from "./LagFigure";
import { LagTable } from "./LagTable";
import { LagExport, MoveControls, RangeControl, ViewControls } from "./LagToolbar";
import { type Domain, scaled, searchOf, spanOf } from "./lag-range";
import type { Marker } from "./marker-layout";
import { durationText } from "./readout";

/** What the address says of this panel, and how it is changed. */
function useLagAddress(linkId: string) {
  const search = useSearch({ from: "/shell/links/$linkId" });
  const navigate = useNavigate();
  const go = (change: Partial<typeof search>, replace: boolean) =>
    void navigate({
      to: "/links/$linkId",
      params: { linkId },
      search: { ...search, ...change },
      replace,
      resetScroll: false,
    });
  return {
    span: spanOf(search),
    unit: search.unit ?? "transactions",
    view: search.view === "table" ? ("table" as const) : ("chart" as const),
    showMinutes: (minutes: number) => go({ minutes, from: undefined, to: undefined }, false),
    reset: () => go({ from: undefined, to: undefined }, false),
    show: (domain: Domain) => go(searchOf(domain, serverNow()), false),
    showUnit: (unit: Unit) => go({ unit }, true),
    showView: (view: "chart" | "table") => go({ view }, true),
  } as const;
}

function Notes({ curve, domain, unit }: { curve: LagCurve; domain: Domain; unit: Unit | null }) {
  const { zone } = useTimeZone();
  const begins = curve.begins_at;
  return (
    <p className={css.notes}>
      <span>
        {formatFull(domain.from, zone)} – {formatFull(domain.to, zone)}
      </span>
      <span>
        {durationText(curve.resolution_s)} a point
        {unit && `: average in ${unit}, band from minimum to maximum, worst state below`}
      </span>
      {begins === null ? (
        <span>No lag is stored yet.</span>
      ) : (
        Date.parse(begins) > domain.from && <span>Data begins at {formatFull(begins, zone)}.</span>
      )}
    </p>
  );
}

function LagView({ link, curve }: { link: LinkDetail; curve: LagCurve }) {
  const address = useLagAddress(link.id);
  const { unit, view } = address;
  const [opened, setOpened] = useState<{ of: Marker | null } | null>(null);
  const domain = useMemo(
    () => ({ from: Date.parse(curve.from), to: Date.parse(curve.to) }),
    [curve.from, curve.to],
  );
  const onKey = (key: string) => {
    if (key === "Escape") address.reset();
    else address.show(scaled(domain, key === "-" ? 2 : 0.5));
  };
  return (
    <>
      {view === "table" ? (
        <LagTable curve={curve} />
      ) : (
        <LagFigure
          curve={curve}
          domain={domain}
          unit={unit}
          onBrush={address.show}
          onKey={onKey}
          onOpenMarker={(of) => setOpened({ of })}
        />
      )}
      <Notes curve={curve} domain={domain} unit={view === "chart" ? unit : null} />
      <div className={css.tools}>
        <MoveControls
          domain={domain}
          span={address.span}
          onMove={address.show}
          onReset={address.reset}
        />
        <LagExport linkId={link.id} name={link.name} span={address.span} curve={curve} />
      </div>
      <LagEvents
        curve={curve}
        isOpen={opened !== null}
        of={opened?.of ?? null}
        onToggle={() => setOpened(opened ? null : { of: null })}
        onAll={() => setOpened({ of: null })}
      />
    </>
  );
}

/** The lag of each direction and the state of the link over time, with the events of the link. */
export function LagPanel({ link }: { link: LinkDetail }) {
  const address = useLagAddress(link.id);
  const query = useQuery(lagQuery(link.id, address.span));
  return (
    <Panel title="Lag and events">
      <div className={css.tools}>
        <RangeControl span={address.span} onChange={address.showMinutes} />
        <div className={css.moves}>
          <ViewControls
            unit={address.unit}
            view={address.view}
            onUnit={address.showUnit}
            onView={address.showView}
          />
        </div>
      </div>
      <QueryBoundary<LagCurve>
        query={query}
        label="the lag"
        fallback={<SkeletonLines lines={1} height={250} />}
      >
        {(curve) => <LagView link={link} curve={curve} />}
      </QueryBoundary>
    </Panel>
  );
}
