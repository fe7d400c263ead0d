import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { usersQuery } from "@/api/resources/users";
import type { CurrentUser, Page, User } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PendingChanges } from "@/components/PendingChanges";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { useServerTime } from "@/components/use-server-time";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { CreateUserForm } from "./CreateUserForm";
import { UserDetail } from "./UserDetail";
import css from "./Users.module.css";
import { countsFrom, mayApprove } from "./user-rules";

function SecondPerson({ user }: { user: User }) {
  const later = countsFrom(user, useServerTime());
  if (later)
    return (
      <p className="dim">
        Waits for a second administrator until <TimeUntil at={later} />
      </p>
    );
  return mayApprove(user) && user.is_active ? (
    <p className="dim">
      Counts as a second person since <Timestamp at={user.second_person_from} />
    </p>
  ) : null;
}

function Person({ user, me, isOpen }: { user: User; me: CurrentUser; isOpen: boolean }) {
  return (
    <li className={css.person}>
      <div className="row between">
        <h3 className={css.name}>{user.username}</h3>
        <span className={css.state}>
          <StatusChip tone={user.is_active ? "ok" : "neutral"}>
            {user.is_active ? `${user.role}, may sign in` : `${user.role}, disabled`}
          </StatusChip>
        </span>
        <AppLink
          to="/account"
          search={{ person: isOpen ? undefined : user.username }}
          className={css.change}
          aria-expanded={isOpen}
        >
          {isOpen ? "Close" : "Change"}
          <span className="sr-only"> {user.username}</span>
        </AppLink>
      </div>
      <SecondPerson user={user} />
      <PendingChanges target={user.username} />
      {isOpen && <UserDetail user={user} me={me} />}
    </li>
  );
}

/** Users of the console, for administrators. */
export function UsersPanel({ me }: { me: CurrentUser }) {
  const { person } = useSearch({ from: "/shell/account" });
  const query = useQuery(usersQuery());
  return (
    <Panel title="People">
      <CreateUserForm />
      <QueryBoundary<Page<User>> query={query} label="the people">
        {(page) => (
          <ul className="note">
            {page.results.map((user) => (
              <Person key={user.username} user={user} me={me} isOpen={user.username === person} />
            ))}
          </ul>
        )}
      </QueryBoundary>
    </Panel>
  );
}
