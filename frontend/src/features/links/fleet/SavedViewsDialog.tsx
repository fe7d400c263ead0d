import { Button, Modal, TextInput } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { usePreferences } from "@/components/PreferencesProvider";

/** The server keeps no more. */
const MOST_VIEWS = 20;
const MOST_CHARACTERS = 500;

function SaveForm({ close }: { close: () => void }) {
  const { preferences, change } = usePreferences();
  const search = useLocation({ select: ({ searchStr }) => searchStr.replace(/^\?/, "") });
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const others = preferences.link_views.filter((view) => view.name !== name);
  const isReplaced = others.length < preferences.link_views.length;
  const refusal =
    search.length > MOST_CHARACTERS
      ? "The filter is too long to be saved."
      : others.length >= MOST_VIEWS
        ? `At most ${MOST_VIEWS} views are kept. Remove one first.`
        : name === ""
          ? "Enter a name."
          : null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (refusal !== null) return;
    change({ link_views: [...others, { name, search }] });
    close();
  };
  return (
    <form onSubmit={save} className="stack">
      <TextInput
        label="Name"
        description={
          isReplaced
            ? "A view of this name exists. It is replaced."
            : "Filter, order and groups as they are now"
        }
        maxLength={60}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="row end">
        <DisabledReasonButton type="submit" size="xs" disabledReason={refusal}>
          Save view
        </DisabledReasonButton>
      </div>
    </form>
  );
}

/** Saves the view as it is now under a name, and removes saved ones. */
export function SavedViewsDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { preferences, change } = usePreferences();
  const remove = (name: string) =>
    change({ link_views: preferences.link_views.filter((view) => view.name !== name) });
  return (
    <Modal opened={isOpen} onClose={close} title="Saved views" centered>
      <div className="stack">
        <SaveForm close={close} />
        {preferences.link_views.map(({ name }) => (
          <div key={name} className="row between">
            <span className="grow">{name}</span>
            <Button size="xs" variant="default" onClick={() => remove(name)}>
              Remove<span className="sr-only"> {name}</span>
            </Button>
          </div>
        ))}
      </div>
    </Modal>
  );
}
