import type { JobFieldsFragment } from '../generated/graphql.ts';

const COUNTS = [
  ['updated', 'updated', 'good'],
  ['failed', 'failed', 'bad'],
  ['unknown', 'unknown', 'doubt'],
  ['notAttempted', 'not sent', 'hint'],
  ['pending', 'to go', 'hint'],
] as const;

/** The numbers of items by their outcomes, and how many of a running job have ended. */
export function JobProgress({ job: { summary, done } }: { job: JobFieldsFragment }) {
  const counts = COUNTS.filter(([name]) => summary[name] > 0);
  return (
    <>
      {!done && (
        <progress aria-label="Progress" max={Math.max(1, summary.total)} value={summary.total - summary.pending} />
      )}
      <ul className="inline" aria-label="Counts">
        {counts.map(([name, label, tone]) => (
          <li key={name} className={`chip ${tone}`}>{`${summary[name]} ${label}`}</li>
        ))}
      </ul>
    </>
  );
}
