import { timeText } from '../articles/columns.ts';
import type { ArticleUpdateJobState, JobFieldsFragment, JobWait } from '../generated/graphql.ts';

/** The records are total: a new value of the schema does not compile without a text. An older page shows its name. */
const STATES: Readonly<Record<ArticleUpdateJobState, string>> = {
  OPEN: 'Not sent yet: parts of it are still to come.',
  RUNNING: 'Running.',
  PAUSED: 'Paused: the gateway has no token for it that the service accepts. Resume it to go on with yours.',
  COMPLETED: 'Done.',
  CANCELLED: 'Cancelled: the rest is not sent.',
  EXPIRED: 'Expired: parts of it did not come in time. Nothing was sent.',
};

const READING_BACK = 'All is sent. What had no answer is read now.';

const WAITS: Readonly<Record<JobWait, string>> = {
  RATE_LIMIT: 'Waiting: the service accepts no more calls for now. It goes on by itself.',
  SERVICE: 'Waiting: the service cannot be reached. It goes on by itself.',
};

/** The state of a job as text. The counts are included only at the end, since a screen reader reads every change of it. */
export function stateText({
  state,
  done,
  waitingFor,
  summary: { total, updated, pending, unknown },
}: JobFieldsFragment) {
  if (waitingFor !== null) return WAITS[waitingFor] ?? 'Waiting.';
  if (done && state !== 'EXPIRED')
    return `${state === 'CANCELLED' ? 'Cancelled' : 'Done'}: ${updated} of ${total} updated.`;
  return state === 'RUNNING' && pending === 0 && unknown > 0 ? READING_BACK : (STATES[state] ?? state);
}

/** When it ends; null while that can't be estimated. */
export const endText = ({ estimatedEndAt }: JobFieldsFragment): string | null =>
  estimatedEndAt && `Done at about ${timeText(estimatedEndAt)}.`;
