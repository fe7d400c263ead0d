import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { formatClock, zoneLabel } from "@/lib/format/time";
import { clockSkewSeconds } from "@/lib/server-clock";
import css from "./PageHeader.module.css";
import { useTimeZone } from "./TimeZoneProvider";
import { useRunningTitlePrefix } from "./use-running-title";
import { useServerTime } from "./use-server-time";

/** The server's clock; a click switches between UTC and this machine's zone, always labelled. */
function ServerClock() {
  const { zone, toggle } = useTimeZone();
  const now = useServerTime();
  const skew = clockSkewSeconds();
  const skewed = Math.abs(skew) > 2;
  const other = zone === "utc" ? "local time" : "UTC";
  return (
    <Tooltip
      withArrow
      label={
        skewed
          ? `This machine's clock is ${Math.abs(skew).toFixed(0)} s off the server's. Switch to ${other}.`
          : `Server time. Switch to ${other}.`
      }
    >
      <button
        type="button"
        className={`${css.zone} no-print`}
        onClick={toggle}
        aria-label={`Server time in ${zoneLabel(zone)}; switch to ${other}`}
      >
        {formatClock(now, zone)} <b>{zoneLabel(zone)}</b>
        {skewed && <span aria-hidden="true"> ▲</span>}
      </button>
    </Tooltip>
  );
}

interface HeaderProps {
  title: string;
  children?: ReactNode;
  right?: ReactNode;
}

export function PageHeader({ title, children, right }: HeaderProps) {
  const running = useRunningTitlePrefix();
  return (
    <header className={css.header}>
      <title>{`${running}${title} · Hawser`}</title>
      <h1>{title}</h1>
      {children}
      <div className={css.right}>
        {right}
        <ServerClock />
      </div>
    </header>
  );
}
