import type { Report, Run, Section } from './report.ts';
import {
  fairnessTable,
  growthTable,
  localTable,
  memoryTable,
  ratioTable,
  storeTable,
  type Table,
  toMarkdown,
  workloadTable,
} from './tables.ts';
import { burstsTable, latencyTable } from './waiting-tables.ts';

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

function blocksOf(report: Report): Record<string, string> {
  const usual = report.workloads?.run;
  const block = <Rows>(section: Section<Rows> | undefined, table: (rows: Rows) => Table): string =>
    section ? `${toMarkdown(table(section.rows))}\n\n${provenance(section.run, usual)}` : NOT_MEASURED;
  return {
    latency: block(report.latency, latencyTable),
    bursts: block(report.bursts, burstsTable),
    machine: usual ? `${usual.machine}; ${usual.versions}.` : NOT_MEASURED,
    'ratios of writes': block(report.workloads, ratioTable),
    'ratios of reads': block(report.reads, ratioTable),
    workloads: workloadBlocks(report.workloads, usual),
    reads: workloadBlocks(report.reads, usual),
    growth: block(report.growth, growthTable),
    memory: block(report.memory, memoryTable),
    fairness: block(report.fairness, fairnessTable),
    local: block(report.local, localTable),
    store: block(report.store, storeTable),
  };
}

/** A table for each workload. */
function workloadBlocks(section: Report['workloads'], usual: Run | undefined): string {
  if (!section) return NOT_MEASURED;
  const tables = section.rows
    .map((workload) => {
      const { name, title, harnessRequestsPerSecond } = workload;
      const harness =
        harnessRequestsPerSecond === null
          ? ''
          : ` The harness alone: ${Math.round(harnessRequestsPerSecond).toLocaleString('en-US')} requests/s.`;
      return `**${name}**: ${title}.${harness}\n\n${toMarkdown(workloadTable(workload))}`;
    })
    .join('\n\n');
  return `${tables}\n\n${provenance(section.run, usual)}`;
}

const partsOf = (run: Run): readonly string[] => [run.machine, ...run.versions.split(', ')];

/** Names the machine and versions only where they are not those of the block `machine`. */
function provenance(run: Run, usual: Run | undefined): string {
  const others = partsOf(run).filter((part) => !usual || !partsOf(usual).includes(part));
  const { before, atEnd } = run.loadAverage;
  const load = `load average before the run ${before.toFixed(1)}, at the end ${atEnd.toFixed(1)}`;
  return `${[`\`${run.command}\`, ${run.at.slice(0, 10)}`, ...others, load].join('; ')}.`;
}
