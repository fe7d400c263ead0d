import { TextInput } from "@mantine/core";
import type { ProviderIdentity, User } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { useServerForm } from "@/components/use-server-form";
import { DescriptionList } from "@/ui/DescriptionList";
import { UserFieldForm } from "./UserFieldForm";
import { useSaveUser } from "./use-save-user";

/** Declares which other user is the same person: the two then never approve each other's runs. */
function SamePersonForm({ user, current }: { user: User; current: string }) {
  const { save, isPending } = useSaveUser(user);
  const { form, submit, problem } = useServerForm({ initialValues: { same_person_as: current } });
  const name = form.values.same_person_as.trim();
  const send = submit(() =>
    save(
      { same_person_as: name || null },
      name
        ? `${user.username} and ${name} count as one person.`
        : `${user.username} and ${current} are to count as two persons.`,
    ),
  );
  return (
    <UserFieldForm
      onSubmit={send}
      submitLabel="Save same person"
      disabledReason={name === current ? "The same person is unchanged." : null}
      isPending={isPending}
      problem={problem}
      action={`save the same person as ${user.username}`}
    >
      <TextInput
        size="xs"
        w={260}
        label={`Same person as ${user.username}`}
        description="Another user of this person. The two count as one for approvals; to separate them takes a second administrator or a waiting time."
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="none"
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps("same_person_as")}
      />
    </UserFieldForm>
  );
}

/** Where the role of a user comes from. Hawser can change neither role nor password of such a user. */
export function UserProvider({ user, provider }: { user: User; provider: ProviderIdentity }) {
  const current = provider.same_person_as ?? "";
  return (
    <>
      <DescriptionList
        items={[
          ["Role from", provider.issuer],
          ["Groups", provider.groups.join(", ") || "none"],
          ["E-mail", provider.email || "not told"],
          ["Confirmed", <Timestamp key="at" at={provider.confirmed_at} />],
        ]}
      />
      <SamePersonForm key={current} user={user} current={current} />
    </>
  );
}
