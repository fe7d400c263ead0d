import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { queries } from "@/api/queries";
import type { Me } from "@/api/types";
import { useAge, useServerNow } from "@/components/clock";
import { Go, useGo } from "@/components/Go";
import { LiveProvider, useLive } from "@/components/live";
import { ProblemNotice } from "@/components/ProblemNotice";
import { waitingCount } from "@/components/waiting";
import { may } from "@/lib/abilities";
import { formatAge } from "@/lib/time";
import { Bones } from "@/ui/Bones";
import { Brand } from "@/ui/Brand";
import { Mark } from "@/ui/Mark";
import { NAVIGATION } from "./navigation";
import { PersonMenu } from "./PersonMenu";
import css from "./Shell.module.css";
import { useJumpKeys } from "./useJumpKeys";

const Palette = lazy(() => import("./Palette"));

/** Says at once that what is on screen may be old; polling goes on beneath it. */
function StreamLost() {
  const live = useLive();
  const now = useServerNow();
  if (live.state !== "lost") return null;
  return (
    <div className={css.lost} role="alert">
      <Mark tone="warn" />
      Live stream lost {formatAge((now - live.since) / 1000)} ago: reconnecting; values are asked
      for meanwhile, and say how old they are.
    </div>
  );
}

/** The parts are asked for every 15 s; an answer that is late leaves nothing to claim. */
const PARTS_LIMIT_S = 20;

function PartsLine() {
  const { data, isError, dataUpdatedAt } = useQuery(queries.parts());
  const age = useAge(0, dataUpdatedAt) ?? 0;
  if (isError) return <small className={css.parts}>parts: unknown</small>;
  if (!data) return <small className={css.parts}>parts: reading</small>;
  if (age > PARTS_LIMIT_S)
    return <small className={css.parts}>parts: unknown, read {formatAge(age)} ago</small>;
  const down = Object.entries(data.parts).filter(([, part]) => !part.ok);
  if (down.length === 0) return <small className={css.parts}>all parts up</small>;
  return (
    <small
      className={css.parts}
      title={down.map(([name, part]) => `${name}: ${part.detail}`).join("\n")}
    >
      <b>down: {down.map(([name]) => name).join(", ")}</b>
    </small>
  );
}

/** How much waits for a second person; nothing where nothing does. */
function WaitingCount() {
  const { data } = useQuery(queries.waiting());
  const count = data ? waitingCount(data) : 0;
  if (count === 0) return null;
  return (
    <span className={css.waiting}>
      {count}
      <span className="sr-only"> for a second person</span>
    </span>
  );
}

function Sidebar({ me }: { me: Me }) {
  const { pathname } = useLocation();
  const { data } = useQuery(queries.links());
  const items = NAVIGATION.filter(
    (item) => (!item.needs || may(me.role, item.needs)) && (!item.demoOnly || me.demo),
  );
  const isHere = (to: string) =>
    pathname.startsWith(to) || (to === "/links" && pathname.startsWith("/plans"));
  return (
    <nav className={css.nav} aria-label="Console">
      <Go to="/links" className={css.brand}>
        <Brand />
        Hawser
      </Go>
      <Suspense fallback={null}>
        <Palette items={items} className={css.find ?? ""} />
      </Suspense>
      {items.map((item) => (
        <Go
          key={item.to}
          to={item.to}
          className={css.item}
          aria-current={isHere(item.to) ? "page" : undefined}
        >
          {item.label}
          {item.to === "/links" && data && <span>{data.results.length}</span>}
          {item.to === "/waiting" && <WaitingCount />}
        </Go>
      ))}
      <span className={css.space} />
      <PersonMenu me={me} className={css.person ?? ""} />
      <PartsLine />
    </nav>
  );
}

function Signed({ me }: { me: Me }) {
  useJumpKeys();
  return (
    <LiveProvider>
      <a href="#main" className={css.skip}>
        Skip to the page
      </a>
      <div className={css.shell}>
        <Sidebar me={me} />
        <div>
          <StreamLost />
          <main className={css.main} id="main" tabIndex={-1}>
            <Suspense fallback={<Bones lines={6} height={40} />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
    </LiveProvider>
  );
}

/** Goes to the sign-in once, keeping the address that was asked for. */
function ToSignIn() {
  const go = useGo();
  useEffect(() => {
    const { pathname, search } = window.location;
    go(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }, [go]);
  return null;
}

/** Everything behind the sign-in. */
export function Shell() {
  const session = useQuery(queries.session());
  if (session.data) return <Signed me={session.data} />;
  if (session.data === null) return <ToSignIn />;
  if (session.isError)
    return (
      <main className={css.main}>
        <ProblemNotice
          error={session.error}
          doing="Reaching Hawser"
          retry={() => void session.refetch()}
        />
      </main>
    );
  return (
    <main className={css.main}>
      <Bones lines={6} height={40} />
    </main>
  );
}
