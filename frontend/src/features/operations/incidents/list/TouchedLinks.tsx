import type { TouchedLink } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { formatNumber } from "@/lib/format/number";
import { type Column, column, DataTable, nameColumn, numberColumn } from "@/ui/DataTable";

const COLUMNS: readonly Column<TouchedLink>[] = [
  nameColumn("Link", (link) => (
    <AppLink to="/links/$linkId" params={{ linkId: link.link_id }}>
      {link.link_name}
    </AppLink>
  )),
  column("Touched because", (link) => link.why),
  numberColumn("Not yet replicated", (link) => formatNumber(link.at_risk)),
  column("Recommended operation", (link) => link.sentence),
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
