import type { ShownJob } from '../gateway/job-operations.ts';

/** How the rows of a job ended, as a table for people. */
export const summaryTable = ({ summary }: ShownJob): string =>
  ROWS.map(([name, key]) => `${name.padEnd(15)}${`${summary[key]}`.padStart(9)}\n`).join('');

const ROWS = [
  ['rows', 'total'],
  ['updated', 'updated'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['not attempted', 'notAttempted'],
] as const satisfies readonly (readonly [name: string, key: keyof ShownJob['summary']])[];
