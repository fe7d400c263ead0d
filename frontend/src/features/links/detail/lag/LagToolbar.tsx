import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { apiPath } from "@/api/client";
import type { LagCurve, LagSpan } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import type { Unit } from "./chart-data";
import css from "./Lag.module.css";
import { type Domain, moved, PRESETS, scaled } from "./lag-range";

/** The ranges up to now; none is chosen while another time is shown. */
export function RangeControl(props: { span: LagSpan; onChange: (minutes: number) => void }) {
  const { span, onChange } = props;
  return (
    <SegmentedControl
      size="xs"
      data={PRESETS.map(({ minutes, label }) => ({ value: String(minutes), label }))}
      value={"minutes" in span ? String(span.minutes) : ""}
      onChange={(value) => onChange(Number(value))}
      aria-label="Time range"
    />
  );
}

interface ViewProps {
  unit: Unit;
  view: "chart" | "table";
  onUnit: (unit: Unit) => void;
  onView: (view: "chart" | "table") => void;
}

/** What is shown, and how. */
export function ViewControls({ unit, view, onUnit, onView }: ViewProps) {
  return (
    <>
      {view === "chart" && (
        <SegmentedControl
          size="xs"
          data={[
            { value: "transactions", label: "Transactions" },
            { value: "seconds", label: "Seconds" },
          ]}
          value={unit}
          onChange={(value) => onUnit(value)}
          aria-label="Unit"
        />
      )}
      <SegmentedControl
        size="xs"
        data={[
          { value: "chart", label: "Chart" },
          { value: "table", label: "Table" },
        ]}
        value={view}
        onChange={(value) => onView(value)}
        aria-label="View"
      />
    </>
  );
}

function Move(props: { label: string; icon: ReactNode; disabled?: boolean; onClick: () => void }) {
  return (
    <ActionIcon
      size={26}
      variant="default"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      {props.icon}
    </ActionIcon>
  );
}

interface MoveProps {
  domain: Domain;
  span: LagSpan;
  onMove: (domain: Domain) => void;
  onReset: () => void;
}

/** By button what the mouse does by brushing. */
export function MoveControls({ domain, span, onMove, onReset }: MoveProps) {
  const isLive = "minutes" in span;
  const move = (to: Domain) => () => onMove(to);
  return (
    <div className={css.moves}>
      <Move
        label="Earlier"
        icon={<IconChevronLeft size={15} aria-hidden="true" />}
        onClick={move(moved(domain, -0.5))}
      />
      <Move
        label="Later"
        icon={<IconChevronRight size={15} aria-hidden="true" />}
        disabled={isLive}
        onClick={move(moved(domain, 0.5))}
      />
      <Move
        label="Zoom in"
        icon={<IconZoomIn size={15} aria-hidden="true" />}
        onClick={move(scaled(domain, 0.5))}
      />
      <Move
        label="Zoom out"
        icon={<IconZoomOut size={15} aria-hidden="true" />}
        onClick={move(scaled(domain, 2))}
      />
      {!isLive && (
        <Button size="compact-sm" variant="default" onClick={onReset}>
          Reset zoom
        </Button>
      )}
    </div>
  );
}

/** The points that are shown, as a file and as a command. */
export function LagExport(props: { linkId: string; name: string; span: LagSpan; curve: LagCurve }) {
  const path = `/links/${props.linkId}/lag`;
  const query = { ...props.span, resolution: props.curve.resolution_s };
  return (
    <div className={css.moves}>
      <CurlButton method="GET" path={apiPath(path, query).replace("/api/v1", "")} />
      <Button
        size="compact-sm"
        variant="default"
        component="a"
        href={apiPath(`${path}/export`, query)}
        download={`hawser-lag-${props.name}.csv`}
      >
        Export CSV
      </Button>
    </div>
  );
}
