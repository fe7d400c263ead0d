import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { LiveUpdatesProvider, useLiveUpdates } from "@/components/LiveUpdatesProvider";
import { PreferencesProvider } from "@/components/PreferencesProvider";
import { TimeZoneProvider } from "@/components/TimeZoneProvider";
import { useServerTime } from "@/components/use-server-time";
import { can } from "@/domain/permissions";
import { formatAge } from "@/lib/format/time";
import { Deferred } from "@/ui/Deferred";
import { SkeletonLines } from "@/ui/Skeleton";
import { StatusIcon } from "@/ui/StatusIcon";
import css from "./AppLayout.module.css";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";
import { useNavigationHotkeys } from "./use-navigation-hotkeys";

function OutageAge({ since }: { since: number }) {
  return formatAge((useServerTime() - since) / 1000);
}

/** Warns while the event stream is interrupted; polling continues. */
function ConnectionBanner() {
  const live = useLiveUpdates();
  if (live.state !== "lost") return null;
  return (
    <div className={css.lost} role="alert" data-connection-lost>
      <StatusIcon tone="warn" />
      <span>
        Live updates interrupted <OutageAge since={live.since} /> ago. Reconnecting; data still
        refreshes every few seconds.
      </span>
    </div>
  );
}

const Tour = lazy(() => import("../tour/Tour").then(({ Tour: tour }) => ({ default: tour })));

const AccountNotifications = lazy(() =>
  import("./AccountNotifications").then(({ AccountNotifications: notifications }) => ({
    default: notifications,
  })),
);

/** Where there is a lab to lose a node in, and until the user is through with it. */
const hasTour = ({ demo, permissions, preferences }: CurrentUser) =>
  demo && can(permissions, "lab") && preferences.tour !== "ended";

/** As in AppLayout.module.css. */
const NARROW = "(max-width: 900px)";

function AuthenticatedLayout({ user }: { user: CurrentUser }) {
  useNavigationHotkeys();
  const isWall = useSearch({ strict: false }).view === "wall";
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return (
    <LiveUpdatesProvider>
      <a href="#main" className={css.skip}>
        Skip to content
      </a>
      <div className={isWall ? css.wall : css.shell}>
        {isWall ? null : isNarrow ? <TopBar user={user} /> : <Sidebar user={user} />}
        <div className={css.page}>
          <ConnectionBanner />
          {user.notifications.length > 0 && (
            <Deferred>
              <AccountNotifications notifications={user.notifications} />
            </Deferred>
          )}
          <main className={css.main} id="main" tabIndex={-1}>
            <Suspense fallback={<SkeletonLines lines={6} height={40} />}>
              <Outlet />
            </Suspense>
          </main>
          {hasTour(user) && (
            <Deferred>
              <Tour />
            </Deferred>
          )}
        </div>
      </div>
    </LiveUpdatesProvider>
  );
}

/** Navigates once: the layout stays mounted, and may render again, until the sign-in page is loaded. */
function RedirectToSignIn() {
  const router = useRouter();
  useEffect(() => {
    const { pathname, href } = router.latestLocation;
    if (pathname !== "/sign-in") void router.navigate({ to: "/sign-in", search: { next: href } });
  }, [router]);
  return null;
}

/**
 * The layout of every page that needs a session. The route's guard has read the session; if it ends
 * while the page is open, the user signs in again and returns to this address.
 */
export function AppLayout() {
  const { data: user } = useQuery(sessionQuery());
  if (!user) return <RedirectToSignIn />;
  return (
    <PreferencesProvider>
      <TimeZoneProvider>
        <AuthenticatedLayout user={user} />
      </TimeZoneProvider>
    </PreferencesProvider>
  );
}
