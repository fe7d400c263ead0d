import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Link } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { useCan } from "@/components/use-session";
import { linksAtSite, lostSite } from "@/domain/incidents";

/** Where a site is lost that other links use, too: the way to one incident over all of them. */
export function TouchedBySameLoss({ link }: { link: Link }) {
  const mayPlan = useCan("plan");
  const { data } = useQuery(linksQuery());
  const site = lostSite(link);
  const count = site === null ? 0 : linksAtSite(data?.results ?? [], site);
  if (!mayPlan || site === null || count < 2) return null;
  return (
    <p>
      {count} links are touched by the loss of {site}:{" "}
      <AppLink to="/incidents" search={{ site }}>
        open an incident
      </AppLink>
    </p>
  );
}
