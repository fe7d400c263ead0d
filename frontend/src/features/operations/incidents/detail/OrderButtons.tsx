import { ActionIcon, Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useRef } from "react";
import type { Incident, IncidentItem } from "@/api/types";
import { includedLinks, movedOrder } from "@/domain/incidents";
import css from "./Incident.module.css";

interface OrderButtonsProps {
  incident: Incident;
  item: IncidentItem;
  isPending: boolean;
  set: (links: string[]) => Promise<unknown>;
}

/** Move a link up or down, or leave it out. The button keeps the focus, so that it can be pressed again. */
export function OrderButtons({ incident, item, isPending, set }: OrderButtonsProps) {
  const group = useRef<HTMLDivElement>(null);
  const { link_id, link_name } = item;
  const order = includedLinks(incident);
  const isLeftOut = item.state === "left_out";
  const change = (links: string[], pressed: string) =>
    void set(links)
      .then(() => group.current?.querySelector<HTMLElement>(`[data-press="${pressed}"]`)?.focus())
      .catch(() => undefined);
  const move = (by: -1 | 1, label: string, Icon: typeof IconChevronUp) => {
    const moved = isLeftOut ? null : movedOrder(incident, link_id, by);
    return (
      <ActionIcon
        variant="default"
        size={30}
        data-press={label}
        aria-label={`Move ${link_name} ${label}`}
        aria-disabled={moved === null || undefined}
        data-disabled={moved === null || undefined}
        onClick={() => moved && !isPending && change(moved, label)}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    );
  };
  return (
    <div className={css.order} ref={group}>
      {move(-1, "up", IconChevronUp)}
      {move(1, "down", IconChevronDown)}
      <Button
        size="compact-xs"
        variant="subtle"
        data-press="include"
        onClick={() =>
          !isPending &&
          change(isLeftOut ? [...order, link_id] : order.filter((id) => id !== link_id), "include")
        }
      >
        {isLeftOut ? "Include" : "Leave out"}
        <span className="sr-only"> {link_name}</span>
      </Button>
    </div>
  );
}
