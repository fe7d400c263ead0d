import type { ReportBlock, ReportDocument } from "@/api/types";
import { type Column, DataTable } from "@/ui/DataTable";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./Reports.module.css";
import { sectionsOf } from "./sections";

type Row = readonly string[];

function BlockTable({ block, caption }: { block: ReportBlock; caption: string }) {
  const columns: Column<Row>[] = block.header.map((header, index) => ({
    key: header,
    header,
    cell: (row) => row[index] ?? "",
    isRowHeader: index === 0,
  }));
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={block.rows}
      rowKey={(row) => row.join("|")}
      empty="None."
    />
  );
}

function Block({ block, heading }: { block: ReportBlock; heading: string }) {
  switch (block.type) {
    case "paragraph":
      return <p>{block.text}</p>;
    case "facts":
      return <DescriptionList items={block.facts.map(({ name, value }) => [name, value])} />;
    case "list":
      return (
        <ul className={css.list}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    case "table":
      return <BlockTable block={block} caption={heading} />;
    case "code":
      return <SqlBlock statements={[block.text]} label={`the statement of ${heading}`} />;
  }
}

/** A report as a page: the same sections as in its Markdown. */
export function DocumentView({ document }: { document: ReportDocument }) {
  return (
    <div className="stack">
      <Panel>
        {document.lead.map((text) => (
          <p key={text} className={css.lead}>
            {text}
          </p>
        ))}
      </Panel>
      {sectionsOf(document).map(({ section, parts }) => (
        <Panel key={section.heading} title={section.heading}>
          {[section, ...parts].map((part, place) => (
            <div key={part.heading} className={css.part}>
              {place > 0 && <h3 className={css.subheading}>{part.heading}</h3>}
              {part.blocks.map((block, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document never move
                <Block key={index} block={block} heading={part.heading} />
              ))}
            </div>
          ))}
        </Panel>
      ))}
    </div>
  );
}
