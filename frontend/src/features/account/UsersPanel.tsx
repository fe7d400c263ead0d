import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { queries } from "@/api/queries";
import type { Me, Page, User } from "@/api/types";
import { Moment, useServerNow } from "@/components/clock";
import { Go } from "@/components/Go";
import { HeldBack } from "@/components/HeldBack";
import { Loaded } from "@/components/Loaded";
import { Until } from "@/components/Until";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { NewUser } from "./NewUser";
import css from "./People.module.css";
import { PersonDetail } from "./PersonDetail";
import { countsLater, mayApprove } from "./people";

function SecondPerson({ user }: { user: User }) {
  const later = countsLater(user, useServerNow());
  if (later)
    return (
      <p className="dim">
        Waits for a second administrator until <Until at={later} />
      </p>
    );
  return mayApprove(user) && user.is_active ? (
    <p className="dim">
      Counts as a second person since <Moment at={user.second_person_from} />
    </p>
  ) : null;
}

function Person({ user, me, isOpen }: { user: User; me: Me; isOpen: boolean }) {
  return (
    <li className={css.person}>
      <div className="row between">
        <h3 className={css.name}>{user.username}</h3>
        <span className={css.state}>
          <Chip tone={user.is_active ? "ok" : "neutral"}>
            {user.is_active ? `${user.role}, may sign in` : `${user.role}, disabled`}
          </Chip>
        </span>
        <Go
          to={isOpen ? "/account" : `/account?person=${encodeURIComponent(user.username)}`}
          className={css.change}
          aria-expanded={isOpen}
        >
          {isOpen ? "Close" : "Change"}
          <span className="sr-only"> {user.username}</span>
        </Go>
      </div>
      <SecondPerson user={user} />
      <HeldBack target={user.username} />
      {isOpen && <PersonDetail user={user} me={me} />}
    </li>
  );
}

/** Users of the console, for administrators. */
export function UsersPanel({ me }: { me: Me }) {
  const { person } = useSearch({ from: "/shell/account" });
  const query = useQuery(queries.users());
  return (
    <Panel title="People">
      <NewUser />
      <Loaded<Page<User>> query={query} what="the people">
        {(page) => (
          <ul className="note">
            {page.results.map((user) => (
              <Person key={user.username} user={user} me={me} isOpen={user.username === person} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
