import type { Report, Run, Section } from './report.ts';
import {
  fairnessTable,
  growthTable,
  localTable,
  memoryTable,
  overviewTable,
  profileTable,
  storeTable,
  type Table,
  toMarkdown,
  workloadTable,
} from './tables.ts';

/** Replaces the measured blocks of a page, each of which stands between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function fillIn(page: string, report: Report): string {
  return Object.entries(blocksOf(report)).reduce((text, [name, block]) => {
    const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before, rest] = text.split(opening);
    const [, after] = rest?.split(closing) ?? [];
    if (before === undefined || after === undefined) throw new Error(`The page has no block "${name}".`);
    return `${before}${opening}\n\n${block}\n\n${closing}${after}`;
  }, page);
}

const NOT_MEASURED = 'Not measured yet.';

const blocksOf = (report: Report): Record<string, string> => ({
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
