import type { JobFieldsFragment } from '../generated/graphql.ts';

/** The counts in the order of the bar. */
const COUNTS = [
  { name: 'updated', label: 'updated', tone: 'good' },
  { name: 'failed', label: 'failed', tone: 'bad' },
  { name: 'unknown', label: 'unknown', tone: 'doubt' },
  { name: 'notAttempted', label: 'not sent', tone: 'hint' },
  { name: 'pending', label: 'to go', tone: undefined },
] as const;

/** A bar of all items by how they ended. The numbers stand below it, since colours say nothing to some. */
export function JobProgress({ summary }: Pick<JobFieldsFragment, 'summary'>) {
  const { total, pending } = summary;
  const counts = COUNTS.filter(({ name }) => summary[name] > 0);
  return (
    <>
      <div
        className="progress"
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, total)}
        aria-valuenow={total - pending}
        aria-valuetext={`${total - pending} of ${total}`}
      >
        {counts.map(({ name, tone }) => (
          <span key={name} className={tone} style={{ flexGrow: summary[name] }} />
        ))}
      </div>
      <ul className="inline" aria-label="Counts">
        {counts.map(({ name, label }) => (
          <li key={name}>
            {summary[name]} {label}
          </li>
        ))}
      </ul>
    </>
  );
}
