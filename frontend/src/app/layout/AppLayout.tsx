import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "@tanstack/react-router";
import { Suspense } from "react";
import { sessionQuery } from "@/api/resources/session";
import type { CurrentUser } from "@/api/types";
import { LiveUpdatesProvider } from "@/components/LiveUpdatesProvider";
import { SkeletonLines } from "@/ui/Skeleton";
import css from "./AppLayout.module.css";
import { ConnectionBanner } from "./ConnectionBanner";
import { Sidebar } from "./Sidebar";
import { useNavigationHotkeys } from "./use-navigation-hotkeys";

function AuthenticatedLayout({ user }: { user: CurrentUser }) {
  useNavigationHotkeys();
  return (
    <LiveUpdatesProvider>
      <a href="#main" className={css.skip}>
        Skip to content
      </a>
      <div className={css.shell}>
        <Sidebar user={user} />
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

/**
 * The frame of every page behind the sign-in. The route's guard has read the session; a session
 * that ends while the page is open leads to the sign-in, which returns to this address.
 */
export function AppLayout() {
  const { data: user } = useQuery(sessionQuery());
  const { href } = useLocation();
  if (user) return <AuthenticatedLayout user={user} />;
  return <Navigate to="/sign-in" search={{ next: href }} />;
}
