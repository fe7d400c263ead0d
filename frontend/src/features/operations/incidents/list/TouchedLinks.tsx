import type { TouchedLink } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { formatNumber } from "@/lib/format/number";
import { type Column, DataTable } from "@/ui/DataTable";

const COLUMNS: readonly Column<TouchedLink>[] = [
  {
    key: "link",
    header: "Link",
    isRowHeader: true,
    cell: (link) => (
      <AppLink to="/links/$linkId" params={{ linkId: link.link_id }}>
        {link.link_name}
      </AppLink>
    ),
  },
  { key: "why", header: "Touched because", cell: (link) => link.why },
  {
    key: "risk",
    header: "Not yet replicated",
    align: "right",
    cell: (link) => formatNumber(link.at_risk),
  },
  { key: "operation", header: "Recommended operation", cell: (link) => link.sentence },
];

/** The touched links, in the order that is proposed. */
export const TouchedLinks = ({ links }: { links: readonly TouchedLink[] }) => (
  <DataTable
    caption="Touched links"
    columns={COLUMNS}
    rows={links}
    rowKey={(link) => link.link_id}
    empty="No link is touched."
  />
);
