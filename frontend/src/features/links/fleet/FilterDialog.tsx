import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { LinkView } from "@/domain/fleet/view";
import { FilterSelects } from "./FilterSelects";
import css from "./Fleet.module.css";

interface FilterDialogProps {
  view: LinkView;
  sites: readonly string[];
  change: (view: LinkView) => void;
}

/** The filters on a phone: behind a button that says how many are set. */
export function FilterDialog({ view, sites, change }: FilterDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const count = [view.state, view.site, view.pair, view.attention, view.advice].filter(
    Boolean,
  ).length;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Filters{count > 0 && ` (${count})`}…
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Filter and order" centered>
        <div className={`stack ${css.sheet}`}>
          <FilterSelects view={view} sites={sites} change={change} withSorting />
          <Button onClick={() => setOpen(false)}>Show links</Button>
        </div>
      </Modal>
    </>
  );
}
