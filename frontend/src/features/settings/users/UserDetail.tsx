import { useRemoveFactorsOf } from "@/api/resources/second-factors";
import type { CurrentUser, User } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { HostAccountsForm } from "./HostAccountsForm";
import { UnlockButton } from "./UnlockButton";
import { UserAccess } from "./UserAccess";
import { UserPasswordForm } from "./UserPasswordForm";
import { UserProvider } from "./UserProvider";
import { UserRoleForm } from "./UserRoleForm";
import { UserRoles } from "./UserRoles";
import { UserStateButton } from "./UserStateButton";
import css from "./Users.module.css";

/** Helps a user who lost the device: removes all second factors of that user. */
function RemoveFactorsButton({ username }: { username: string }) {
  const remove = useRemoveFactorsOf(username);
  return (
    <ConfirmAction
      label="Remove second factors"
      subject={`of ${username}`}
      title={`Remove the second factors of ${username}`}
      confirmLabel="Remove second factors"
      action={`remove the second factors of ${username}`}
      success={`Second factors of ${username} removed.`}
      onConfirm={() => remove.mutateAsync()}
    >
      The password is then enough to sign in. All sessions and tokens of {username} end. Until a
      second administrator confirms the change, or its waiting time is over, {username} does not
      count as a second person.
    </ConfirmAction>
  );
}

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
