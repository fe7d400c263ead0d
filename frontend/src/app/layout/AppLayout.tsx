import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { queries } from "@/api/queries";
import type { CurrentUser } from "@/api/types";
import { ConnectionBanner } from "@/app/layout/ConnectionBanner";
import { Sidebar } from "@/app/layout/Sidebar";
import { useGoTo } from "@/components/AppLink";
import { LiveUpdatesProvider } from "@/components/LiveUpdatesProvider";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SkeletonLines } from "@/ui/Skeleton";
import css from "./AppLayout.module.css";
import { useNavigationHotkeys } from "./use-navigation-hotkeys";

function AuthenticatedLayout({ me }: { me: CurrentUser }) {
  useNavigationHotkeys();
  return (
    <LiveUpdatesProvider>
      <a href="#main" className={css.skip}>
        Skip to the page
      </a>
      <div className={css.shell}>
        <Sidebar me={me} />
        <div>
          <ConnectionBanner />
          <main className={css.main} id="main" tabIndex={-1}>
            <Suspense fallback={<SkeletonLines lines={6} height={40} />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
    </LiveUpdatesProvider>
  );
}

/** Goes to the sign-in once, keeping the address that was asked for. */
function RedirectToSignIn() {
  const go = useGoTo();
  useEffect(() => {
    const { pathname, search } = window.location;
    go(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }, [go]);
  return null;
}

/** Everything behind the sign-in. */
export function AppLayout() {
  const session = useQuery(queries.session());
  if (session.data) return <AuthenticatedLayout me={session.data} />;
  if (session.data === null) return <RedirectToSignIn />;
  if (session.isError)
    return (
      <main className={css.main}>
        <ProblemAlert
          error={session.error}
          action="Reaching Hawser"
          retry={() => void session.refetch()}
        />
      </main>
    );
  return (
    <main className={css.main}>
      <SkeletonLines lines={6} height={40} />
    </main>
  );
}
