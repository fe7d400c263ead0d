import { useSearch } from "@tanstack/react-router";
import { usersQuery } from "@/api/resources/users";
import type { CurrentUser } from "@/api/types";
import { SearchedList } from "@/components/SearchedList";
import { Panel } from "@/ui/Panel";
import { CreateUserForm } from "./CreateUserForm";
import { UserEntry } from "./UserEntry";

/** Persons or service accounts; a link to one of them begins with the search for its name. */
function UserList({ me, isService }: { me: CurrentUser; isService: boolean }) {
  const { person } = useSearch({ from: "/shell/settings/users" });
  return (
    <SearchedList
      query={(search) => usersQuery({ is_service: isService, search })}
      label={isService ? "the service accounts" : "the users"}
      searchLabel={isService ? "Search service accounts" : "Search users"}
      initialSearch={isService ? "" : (person ?? "")}
      empty={isService ? "There is no service account." : "There is no user."}
    >
      {(user) => (
        <UserEntry key={user.username} user={user} me={me} isOpen={user.username === person} />
      )}
    </SearchedList>
  );
}

/** Users of the console, for administrators. */
export function UsersPanel({ me }: { me: CurrentUser }) {
  return (
    <>
      <Panel title="All users">
        <CreateUserForm />
        <div className="note">
          <UserList me={me} isService={false} />
        </div>
      </Panel>
      <Panel title="Service accounts" aside="without password and sessions; they use API tokens">
        <UserList me={me} isService />
      </Panel>
    </>
  );
}
