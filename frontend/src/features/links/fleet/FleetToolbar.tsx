import { SegmentedControl, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { memo, useEffect, useRef } from "react";
import type { LinkView } from "@/domain/fleet/view";
import { LAYOUTS, type Layout } from "@/domain/fleet/view-options";
import { FilterDialog } from "./FilterDialog";
import { FilterSelects } from "./FilterSelects";
import css from "./Fleet.module.css";
import { SavedViews } from "./SavedViews";

const LABELS: Record<Layout, string> = { cards: "Cards", table: "Table", map: "Map", wall: "Wall" };

/** `/` goes to the filter, unless a text is being typed. */
function useSlash(ref: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      ref.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [ref]);
}

interface LayoutSwitchProps {
  layout: Layout;
  change: (view: LinkView & { view?: Layout }) => void;
}

/** Cards, table, map or wall. */
export const LayoutSwitch = ({ layout, change }: LayoutSwitchProps) => (
  <SegmentedControl
    size="xs"
    className={css.layout ?? ""}
    aria-label="View"
    data={LAYOUTS.map((value) => ({ value, label: LABELS[value] }))}
    value={layout}
    onChange={(value) => {
      const chosen = LAYOUTS.find((each) => each === value);
      if (chosen) change({ view: chosen });
    }}
  />
);

interface FleetToolbarProps extends LayoutSwitchProps {
  view: LinkView;
  text: string;
  sites: readonly string[];
  environments: readonly string[];
  changeText: (text: string) => void;
}

/** What is shown of the links, and how. */
export const FleetToolbar = memo(function FleetToolbar(props: FleetToolbarProps) {
  const { layout, view, text, sites, environments, changeText, change } = props;
  const ref = useRef<HTMLInputElement>(null);
  useSlash(ref);
  const isPhone = useMediaQuery("(max-width: 600px)", false, { getInitialValueInEffect: false });
  const filters = { view, sites, environments, change };
  return (
    <search className={css.toolbar}>
      <TextInput
        ref={ref}
        size="xs"
        className={css.filter}
        aria-label="Filter"
        aria-keyshortcuts="/"
        placeholder="Filter by link, cluster, site or node"
        value={text}
        onChange={(event) => changeText(event.currentTarget.value)}
      />
      {isPhone ? <FilterDialog {...filters} /> : <FilterSelects {...filters} />}
      <SavedViews />
      <LayoutSwitch layout={layout} change={change} />
    </search>
  );
});
