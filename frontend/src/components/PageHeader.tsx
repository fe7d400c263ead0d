import { Tooltip, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { formatClock, formatFull, zoneLabel } from "@/lib/format/time";
import { LOCAL } from "@/lib/format/zone";
import { clockSkewSeconds, serverNow } from "@/lib/server-clock";
import { useIsPrinting } from "@/ui/use-is-printing";
import css from "./PageHeader.module.css";
import { useTimeZone } from "./TimeZoneProvider";
import { useRunningTitlePrefix } from "./use-running-title";
import { useServerTime } from "./use-server-time";

/** The server's clock. A click switches between UTC and this computer's time zone. */
function ServerClock() {
  const { zone, other: otherZone, toggle } = useTimeZone();
  const now = useServerTime();
  const skew = clockSkewSeconds();
  const skewed = Math.abs(skew) > 2;
  const other = otherZone === LOCAL ? "local time" : otherZone;
  return (
    <Tooltip
      withArrow
      label={
        skewed
          ? `This computer's clock differs from the server's by ${Math.abs(skew).toFixed(0)} s. Switch to ${other}.`
          : `Server time. Switch to ${other}.`
      }
    >
      <UnstyledButton
        className={`${css.zone} no-print`}
        onClick={toggle}
        aria-label={`Server time in ${zoneLabel(zone)}; switch to ${other}`}
      >
        {formatClock(now, zone)} <b>{zoneLabel(zone)}</b>
        {skewed && <span aria-hidden="true"> ▲</span>}
      </UnstyledButton>
    </Tooltip>
  );
}

/** On paper: which page this is, and as of when. Addresses below are relative to it. */
function PrintedFrom() {
  const { zone } = useTimeZone();
  return (
    <p className={css.printed}>
      {window.location.href} · {formatFull(serverNow(), zone)}
    </p>
  );
}

interface HeaderProps {
  title: string;
  children?: ReactNode;
  right?: ReactNode;
  /** The heading stands in for one that needs the page's data: a navigation does not focus it. */
  isLoading?: boolean;
}

/** The heading of a page, which is also the title of its tab. */
export function PageHeader({ title, children, right, isLoading = false }: HeaderProps) {
  const isPrinting = useIsPrinting();
  const running = useRunningTitlePrefix();
  return (
    <header className={css.header}>
      <title>{`${running}${title} · Hawser`}</title>
      <h1 data-loading={isLoading || undefined}>{title}</h1>
      {children}
      {isPrinting && <PrintedFrom />}
      <div className={css.right}>
        {right}
        <ServerClock />
      </div>
    </header>
  );
}
