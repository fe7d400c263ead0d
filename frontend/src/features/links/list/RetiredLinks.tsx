import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { retiredLinksQuery } from "@/api/resources/links";
import type { Link, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";

/** The retired links, shown when a user asks for them: their history stays readable. */
export function RetiredLinks() {
  const [isShown, setIsShown] = useState(false);
  const query = useQuery(retiredLinksQuery(isShown));
  if (!isShown)
    return (
      <div className="row end">
        <Button variant="subtle" onClick={() => setIsShown(true)}>
          Show retired links
        </Button>
      </div>
    );
  return (
    <Panel title="Retired links" aside="their history stays readable">
      <QueryBoundary<Page<Link>> query={query} label="the retired links">
        {(page) =>
          page.results.length === 0 ? (
            <p className="dim">No link was retired.</p>
          ) : (
            <ul>
              {page.results.map((link) => (
                <li key={link.id}>
                  <AppLink to="/links/$linkId" params={{ linkId: link.id }}>
                    {link.name}
                  </AppLink>
                  . {link.sentence}
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}
