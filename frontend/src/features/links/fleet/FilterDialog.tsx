import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { LinkView } from "@/domain/fleet/view";
import { FilterSelects } from "./FilterSelects";
import css from "./Fleet.module.css";

interface FilterDialogProps {
  view: LinkView;
  sites: readonly string[];
  environments: readonly string[];
  change: (view: LinkView) => void;
}

/** The filters on a phone: behind a button that says how many are set. */
export function FilterDialog({ view, sites, environments, change }: FilterDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const set = [view.state, view.site, view.environment, view.pair, view.attention, view.advice];
  const count = set.filter(Boolean).length;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Filters{count > 0 && ` (${count})`}…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Filter and order" centered>
        <div className={`stack ${css.sheet}`}>
          <FilterSelects
            view={view}
            sites={sites}
            environments={environments}
            change={change}
            withSorting
          />
          <Button onClick={() => setOpen(false)}>Show links</Button>
        </div>
      </Modal>
    </>
  );
}
