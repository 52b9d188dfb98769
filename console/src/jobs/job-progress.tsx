import type { JobFieldsFragment } from '../generated/graphql.ts';

const COUNTS = {
  updated: 'updated',
  failed: 'failed',
  unknown: 'unknown',
  notAttempted: 'not sent',
  pending: 'to go',
} as const;

/** The numbers of ended items by their outcomes. */
export function JobProgress({ summary }: Pick<JobFieldsFragment, 'summary'>) {
  const counts = Object.entries(COUNTS).map(([name, label]) => [summary[name as keyof typeof COUNTS], label] as const);
  return (
    <>
      <progress aria-label="Progress" max={Math.max(1, summary.total)} value={summary.total - summary.pending} />
      <ul className="inline" aria-label="Counts">
        {counts.map(([count, label]) => count > 0 && <li key={label}>{`${count} ${label}`}</li>)}
      </ul>
    </>
  );
}
