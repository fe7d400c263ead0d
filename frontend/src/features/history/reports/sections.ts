import type { ReportDocument } from "@/api/types";

type Section = ReportDocument["sections"][number];

export interface SectionWithParts {
  section: Section;
  parts: Section[];
}

/** The sections of a document, each with those within it. */
export function sectionsOf(document: Pick<ReportDocument, "sections">): SectionWithParts[] {
  const found: SectionWithParts[] = [];
  for (const section of document.sections) {
    const parent = found.at(-1);
    if (section.depth > 1 && parent) parent.parts.push(section);
    else found.push({ section, parts: [] });
  }
  return found;
}
