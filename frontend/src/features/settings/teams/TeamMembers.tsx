import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { teamMembersQuery, useUpdateTeam } from "@/api/resources/teams";
import { personsQuery } from "@/api/resources/users";
import type { Team, TeamMember } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { SearchedList } from "@/components/SearchedList";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import css from "./Teams.module.css";

const SEARCH_DELAY_MS = 250;
/** From so many members on there is a search. */
const MANY = 10;

/** Adds one of the persons whose name has the typed text in it. */
function AddMember({ team }: { team: Team }) {
  const update = useUpdateTeam(team.id);
  const refusal = useRefusal("manage_users");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const found = useQuery(personsQuery(search)).data?.results ?? [];
  const { form, submit, problem } = useServerForm({ initialValues: { name: "" } });
  const { name } = form.values;
  const names = found.map(({ username }) => username);
  const send = submit(async (values) => {
    await update.mutateAsync({ members: [...team.members, values.name] });
    form.reset();
    showSuccess(`${values.name} is a member of ${team.name}.`);
  });
  return (
    <>
      <form onSubmit={send} className="row top">
        <Select
          size="xs"
          label={`New member of ${team.name}`}
          placeholder="Type a part of the name"
          data={[...new Set([...names, ...(name ? [name] : [])])].filter(
            (one) => !team.members.includes(one),
          )}
          searchable
          clearable
          miw={240}
          nothingFoundMessage="No other user has this in the name"
          onSearchChange={setTyped}
          {...form.getInputProps("name")}
        />
        <DisabledReasonButton
          type="submit"
          size="xs"
          variant="default"
          className="beside"
          loading={update.isPending}
          disabledReason={refusal ?? (name ? null : "Choose a user.")}
        >
          Add member
        </DisabledReasonButton>
      </form>
      {problem !== null && <ProblemAlert error={problem} action={`add a member of ${team.name}`} />}
    </>
  );
}

function Member({ team, member }: { team: Team; member: TeamMember }) {
  const update = useUpdateTeam(team.id);
  const { username, role, is_active } = member;
  return (
    <li className={css.entry}>
      <div className={css.grow}>
        <span className="strong">{username}</span>{" "}
        <span className="dim">
          {role}
          {!is_active && ", disabled"}
        </span>
      </div>
      <ConfirmAction
        label="Remove member"
        subject={username}
        title={`Remove ${username} from ${team.name}`}
        confirmLabel="Remove member"
        action={`remove ${username}`}
        success={`${username} is no member of ${team.name} any more.`}
        disabledReason={useRefusal("manage_users")}
        onConfirm={() =>
          update.mutateAsync({ members: team.members.filter((one) => one !== username) })
        }
      >
        {username} loses the roles that are assigned to the team.
      </ConfirmAction>
    </li>
  );
}

/** The members of a team by page, and what an administrator can change of them. */
export function TeamMembers({ team }: { team: Team }) {
  return (
    <>
      <SearchedList
        query={(search) => teamMembersQuery(team.id, search)}
        label={`the members of ${team.name}`}
        searchLabel={`Search members of ${team.name}`}
        isSearchable={team.members.length > MANY}
        empty="The team has no members."
      >
        {(member) => <Member key={member.username} team={team} member={member} />}
      </SearchedList>
      <AddMember team={team} />
    </>
  );
}
