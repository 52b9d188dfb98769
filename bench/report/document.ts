import type { Report, Run, Section } from './report.ts';
import {
  fairnessTable,
  growthTable,
  localTable,
  memoryTable,
  overviewTable,
  profileTable,
  ratioTable,
  storeTable,
  type Table,
  toMarkdown,
  workloadTable,
} from './tables.ts';

/**
 * Replaces the measured blocks of the pages, each of which stands between `<!-- NAME -->` and `<!-- /NAME -->` on one of
 * them.
 */
export function fillIn(pages: readonly string[], report: Report): readonly string[] {
  const blocks = Object.entries(blocksOf(report));
  const missing = blocks.find(([name]) => !pages.some((page) => hasBlock(page, name)));
  if (missing !== undefined) throw new Error(`No page has the block "${missing[0]}".`);
  return pages.map((page) => blocks.reduce((text, [name, block]) => replaceBlock(text, name, block), page));
}

const marksOf = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const;

const hasBlock = (page: string, name: string): boolean => marksOf(name).every((mark) => page.includes(mark));

function replaceBlock(page: string, name: string, block: string): string {
  if (!hasBlock(page, name)) return page;
  const [opening, closing] = marksOf(name);
  const [before, after] = [page.indexOf(opening), page.indexOf(closing)];
  return `${page.slice(0, before)}${opening}\n\n${block}\n\n${page.slice(after)}`;
}

const NOT_MEASURED = 'Not measured yet.';

const blocksOf = (report: Report): Record<string, string> => ({
  'ratios of writes': block(report.workloads, ratioTable),
  'ratios of reads': block(report.reads, ratioTable),
  overview: block(report.workloads, overviewTable),
  workloads: workloadBlocks(report.workloads),
  reads: readBlocks(report.reads),
  growth: block(report.growth, growthTable),
  memory: block(report.memory, memoryTable),
  fairness: block(report.fairness, fairnessTable),
  local: block(report.local, localTable),
  store: block(report.store, storeTable),
  profiles: block(report.profiles, profileTable),
});

const block = <Rows>(section: Section<Rows> | undefined, table: (rows: Rows) => Table): string =>
  section ? `${toMarkdown(table(section.rows))}\n\n${provenance(section.run)}` : NOT_MEASURED;

function workloadBlocks(section: Report['workloads']): string {
  if (!section) return NOT_MEASURED;
  return section.rows
    .map((workload) => {
      const { name, title, harnessRequestsPerSecond } = workload;
      const harness =
        harnessRequestsPerSecond === null
          ? ''
          : ` The harness alone: ${Math.round(harnessRequestsPerSecond).toLocaleString('en-US')} requests/s.`;
      return `**${name}**: ${title}.${harness}\n\n${toMarkdown(workloadTable(workload))}`;
    })
    .join('\n\n');
}

/** The overview of the reads, and below it a table for each workload. */
const readBlocks = (section: Report['reads']): string =>
  section ? `${block(section, overviewTable)}\n\n${workloadBlocks(section)}` : NOT_MEASURED;

const provenance = ({ at, command, machine, versions, loadAverage }: Run): string =>
  `\`${command}\`, ${at.slice(0, 10)}; ${machine}; load average before the run ${loadAverage.before.toFixed(1)}, at the end ${loadAverage.atEnd.toFixed(1)}; ${versions}.`;
