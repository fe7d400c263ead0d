import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import { webhooksQuery } from "@/api/resources/webhooks";
import type { Hook, Link, Page } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { WebhooksPanel } from "./WebhooksPanel";

function LinkWebhooks({ link }: { link: Link }) {
  const query = useQuery(webhooksQuery(link.id));
  return (
    <QueryBoundary<Page<Hook>> query={query} label={`the webhooks of ${link.name}`}>
      {(page) => (
        <WebhooksPanel
          link={link}
          hooks={page.results}
          current={undefined}
          title={`Webhooks of ${link.name}`}
        />
      )}
    </QueryBoundary>
  );
}

/** The webhooks of all links. One is changed on the settings page of its link. */
export function WebhooksPage() {
  const query = useQuery(linksQuery());
  return (
    <SettingsLayout title="Webhooks">
      {() => (
        <QueryBoundary<Page<Link>> query={query} label="the links">
          {(page) =>
            page.results.length === 0 ? (
              <Panel>No links. A webhook belongs to a link.</Panel>
            ) : (
              page.results.map((link) => <LinkWebhooks key={link.id} link={link} />)
            )
          }
        </QueryBoundary>
      )}
    </SettingsLayout>
  );
}
