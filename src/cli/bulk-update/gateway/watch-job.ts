import { err, ok, type Result } from '../../../base/result.ts';
import { type GatewayClient, mutationPayload } from './gateway-client.ts';
import type { GatewayFailure } from './gateway-failures.ts';
import {
  READ_JOB,
  READ_OUTCOMES,
  RESUME_JOB,
  type ShownJob,
  type ShownOutcome,
  type ShownRateLimit,
} from './job-operations.ts';
import { GrowingPause, type Patience, repeatCall } from './patience.ts';

export interface WatchOptions {
  readonly patience: Patience;
  readonly onJob: (job: ShownJob, rateLimit: ShownRateLimit | null) => void;
  readonly onResumed: () => void;
}

/** Polls a job until it is done. A paused job is resumed, but not twice at the same item. */
export async function watchJob(
  client: GatewayClient,
  submitted: ShownJob,
  { patience, onJob, onResumed }: WatchOptions,
): Promise<Result<ShownJob, string>> {
  const id = JSON.stringify({ id: submitted.id });
  const pause = new GrowingPause(patience.signal);
  let job = submitted;
  let resumedWith: number | null = null;
  while (!job.done) {
    if (job.state === 'PAUSED') {
      if (resumedWith === job.summary.pending) return err(`the job is paused again at once. ${PAUSE_REASONS}`);
      resumedWith = job.summary.pending;
      onResumed();
      const resumed = await repeatCall(async () => mutationPayload(await client.ask(RESUME_JOB, id)), patience);
      if (!resumed.answer.ok) return err(resumed.answer.error.message);
    }
    await pause.take();
    const { answer } = await repeatCall(() => client.ask(READ_JOB, id), patience);
    if (!answer.ok) return err(answer.error.message);
    if (answer.value.job === null) return err('the gateway does not know the job any more, or not for this token.');
    job = answer.value.job;
    onJob(job, answer.value.rateLimit ?? null);
  }
  return ok(job);
}

export const PAUSE_REASONS =
  'A job pauses where the gateway has no token for it: after a restart, after a change of the token or of UPSTREAM_URL, and when the service refuses the token.';

/** Reads the items that were not updated, by their index. Throws with a message for people when a page can't be read. */
export async function* readOutcomes(
  client: GatewayClient,
  jobId: string,
  patience: Patience,
): AsyncGenerator<ShownOutcome> {
  let after: string | null = null;
  do {
    const variables: string = JSON.stringify({ id: jobId, after });
    const { answer } = await repeatCall(() => client.ask(READ_OUTCOMES, variables), patience);
    if (!answer.ok) throw new Error(unreadable(answer.error));
    const { nodes, pageInfo } = answer.value.job.results;
    yield* nodes;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}

const unreadable = ({ message }: GatewayFailure): string => `the outcomes cannot be read: ${message}`;
