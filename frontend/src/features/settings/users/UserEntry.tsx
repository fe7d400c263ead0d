import type { CurrentUser, User } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { PendingChanges } from "@/components/PendingChanges";
import { Timestamp } from "@/components/Timestamp";
import { TimeUntil } from "@/components/TimeUntil";
import { useServerTime } from "@/components/use-server-time";
import { StatusChip } from "@/ui/StatusChip";
import { UserDetail } from "./UserDetail";
import css from "./Users.module.css";
import { countsFrom, mayApprove } from "./user-rules";

/** From when the user's approvals count. */
function ApprovalRight({ user }: { user: User }) {
  const from = countsFrom(user, useServerTime());
  if (from)
    return (
      <p className="dim">
        Can approve from <TimeUntil at={from} />, or earlier if a second administrator confirms the
        change
      </p>
    );
  return mayApprove(user) && user.is_active ? (
    <p className="dim">
      Can approve since <Timestamp at={user.second_person_from} />
    </p>
  ) : null;
}

/** One user of the console, with the settings below where it is open. */
export function UserEntry(props: { user: User; me: CurrentUser; isOpen: boolean }) {
  const { user, me, isOpen } = props;
  return (
    <li className={css.user}>
      <div className="row between">
        <h3 className={css.name}>{user.username}</h3>
        <span className={css.state}>
          <StatusChip tone={user.is_active ? "ok" : "neutral"}>
            {`${user.role}, ${user.is_active ? "active" : "disabled"}`}
          </StatusChip>
        </span>
        <AppLink
          to="/settings/users"
          search={{ person: isOpen ? undefined : user.username }}
          className={css.change}
          aria-expanded={isOpen}
        >
          {isOpen ? "Close" : "Change"}
          <span className="sr-only"> {user.username}</span>
        </AppLink>
      </div>
      {user.provider && (
        <p className="dim">
          From {user.provider.kind === "oidc" ? "the provider" : "the directory"}
          {user.provider.groups.length > 0 && `, groups ${user.provider.groups.join(", ")}`}
        </p>
      )}
      {user.is_service && (
        <p className="dim">Service account of {user.owner ?? `team ${user.owner_team}`}</p>
      )}
      {user.password_set_by && (
        <p className="dim">
          {user.password_set_by} set its password: counts as the same person while a change of this
          user waits
        </p>
      )}
      <ApprovalRight user={user} />
      <PendingChanges target={user.username} />
      {isOpen && <UserDetail user={user} me={me} />}
    </li>
  );
}
