import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { defaultParseSearch, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { SavedView } from "@/api/types";
import { usePreferences } from "@/components/PreferencesProvider";
import { SavedViewsDialog } from "./SavedViewsDialog";
import type { LinksSearch } from "./use-link-view";

/** The route validates the search again: a view that an older version saved opens all the same. */
const searchOf = (view: SavedView) => defaultParseSearch(`?${view.search}`) as LinksSearch;

/** The user's own views of the list, each an address with a name. */
export function SavedViews() {
  const { preferences } = usePreferences();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={230}>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Saved views</Menu.Label>
          {preferences.link_views.length === 0 && <Menu.Item disabled>None yet</Menu.Item>}
          {preferences.link_views.map((view) => (
            <Menu.Item
              key={view.name}
              onClick={() => void navigate({ to: "/links", search: searchOf(view) })}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setOpen(true)}>Save or remove views…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SavedViewsDialog isOpen={isOpen} close={() => setOpen(false)} />
    </>
  );
}
