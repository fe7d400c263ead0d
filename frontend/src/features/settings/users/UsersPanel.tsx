import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { usersQuery } from "@/api/resources/users";
import type { CurrentUser, Page, User } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { CreateUserForm } from "./CreateUserForm";
import { UserEntry } from "./UserEntry";

/** Users of the console, for administrators. */
export function UsersPanel({ me }: { me: CurrentUser }) {
  const { person } = useSearch({ from: "/shell/settings/users" });
  const query = useQuery(usersQuery());
  return (
    <Panel title="All users">
      <CreateUserForm />
      <QueryBoundary<Page<User>> query={query} label="the users">
        {(page) => (
          <ul className="note">
            {page.results.map((user) => (
              <UserEntry
                key={user.username}
                user={user}
                me={me}
                isOpen={user.username === person}
              />
            ))}
          </ul>
        )}
      </QueryBoundary>
    </Panel>
  );
}
