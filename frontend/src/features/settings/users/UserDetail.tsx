import type { CurrentUser, User } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { HostAccountsForm } from "./HostAccountsForm";
import { RemoveFactorsButton } from "./RemoveFactorsButton";
import { UnlockButton } from "./UnlockButton";
import { UserAccess } from "./UserAccess";
import { UserPasswordForm } from "./UserPasswordForm";
import { UserProvider } from "./UserProvider";
import { UserRoleForm } from "./UserRoleForm";
import { UserRoles } from "./UserRoles";
import { UserStateButton } from "./UserStateButton";
import css from "./Users.module.css";

/** What an administrator can change of a user. Administrators change their own access on the pages of their account, sessions and tokens. */
export function UserDetail({ user, me }: { user: User; me: CurrentUser }) {
  const isSelf = user.username === me.username;
  return (
    <div className={`stack ${css.detail}`}>
      <p className="dim">
        Added <Timestamp at={user.created_at} />, last sign-in{" "}
        {user.last_login ? <Timestamp at={user.last_login} /> : "never"}
      </p>
      {user.provider ? (
        <UserProvider user={user} provider={user.provider} />
      ) : (
        <>
          <UserRoleForm key={user.role} user={user} />
          {!isSelf && !user.is_service && <UserPasswordForm user={user} />}
        </>
      )}
      <UserRoles username={user.username} />
      <HostAccountsForm key={user.os_users.join()} user={user} />
      <div className="row">
        {!isSelf && <UserStateButton user={user} />}
        <UnlockButton username={user.username} />
        {!isSelf && <RemoveFactorsButton username={user.username} />}
      </div>
      {!isSelf && <UserAccess username={user.username} />}
    </div>
  );
}
