import { Select } from "@mantine/core";
import { useState } from "react";
import type { User } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { asRole, ROLES } from "@/domain/permissions";
import { useSaveUser } from "./use-save-user";

/** Changes the role of a user, after a confirmation. */
export function UserRoleForm({ user }: { user: User }) {
  const [role, setRole] = useState(user.role);
  const { save } = useSaveUser(user);
  return (
    <div className="row top">
      <Select
        size="xs"
        label={`Role of ${user.username}`}
        data={[...ROLES]}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(asRole(value))}
      />
      <ConfirmAction
        className="beside"
        label="Change role"
        subject={`of ${user.username}`}
        title={`Change role of ${user.username} to ${role}`}
        confirmLabel={`Change role to ${role}`}
        action={`change the role of ${user.username}`}
        disabledReason={
          role === user.role ? `The role of ${user.username} is ${role} already.` : null
        }
        onConfirm={() => save({ role }, `Role of ${user.username} changed to ${role}.`)}
      >
        The role changes from {user.role} to {role}. All sessions and tokens of {user.username} end.
      </ConfirmAction>
    </div>
  );
}
