import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { apiPath } from "@/api/client";
import type { Report } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { formatFull } from "@/lib/format/time";
import { DocumentView } from "./DocumentView";

interface LayoutProps {
  query: { data: Report | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  /** The heading until the report is there, and what is read in messages. */
  heading: string;
  /** The address of the report below the API. */
  path: string;
  period?: { since?: string | undefined; until?: string | undefined };
  children?: ReactNode;
}

function Downloads({ path, period = {} }: Pick<LayoutProps, "path" | "period">) {
  const href = (format: string) => apiPath(path, { ...period, format });
  return (
    <>
      <CurlButton method="GET" path={apiPath(path, { ...period }).replace("/api/v1", "")} />
      <Button
        size="xs"
        variant="default"
        className="no-print"
        component="a"
        href={href("md")}
        download
      >
        Download Markdown
      </Button>
      <Button
        size="xs"
        variant="default"
        className="no-print"
        component="a"
        href={href("json")}
        download
      >
        Download JSON
      </Button>
      <Button size="xs" variant="default" className="no-print" onClick={() => window.print()}>
        Print
      </Button>
    </>
  );
}

/** A report with its downloads; what stands above the report is not printed. */
export function ReportLayout({ query, heading, path, period, children }: LayoutProps) {
  const { zone } = useTimeZone();
  return (
    <>
      <PageHeader
        title={query.data?.document.title ?? heading}
        isLoading={!query.data && !query.isError}
        right={<Downloads path={path} {...(period && { period })} />}
      />
      <div className="stack">
        {children && <div className="no-print">{children}</div>}
        <QueryBoundary<Report> query={query} label={`the ${heading.toLowerCase()}`}>
          {(report) => (
            <>
              <DocumentView document={report.document} />
              <p className="faint">
                Created {formatFull(report.generated_at, zone)} from the stored records of Hawser.
              </p>
            </>
          )}
        </QueryBoundary>
      </div>
    </>
  );
}
