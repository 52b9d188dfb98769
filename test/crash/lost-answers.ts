import { randomInt } from 'node:crypto';
import { auditJob, type JobAudit } from '../support/jobs/job-audit.ts';
import { createJobClient, isDone, pollUntil } from '../support/jobs/job-client.ts';
import { ownTokenOf, startJobGateway } from '../support/jobs/job-gateway.ts';
import { mixedItems } from '../support/jobs/job-items.ts';
import { type Fate, openRecordingService } from '../support/jobs/recording-service.ts';
import { inFolder } from './gateways.ts';

export interface LostAnswersPlan {
  readonly items: number;
  /** The most milliseconds that the job may take. */
  readonly longestMs: number;
}

export interface LostAnswersReport {
  readonly audit: JobAudit;
  readonly puts: number;
  readonly reads: number;
  /** The PUTs by how they ended. */
  readonly fates: ReadonlyMap<Fate, number>;
  readonly surprises: readonly string[];
}

const BULK_SIZE = 20;

/** Most answers are lost, after the service has applied all, a part or nothing of the update. */
const FATES: readonly Fate[] = [
  'answer',
  'cut-after',
  'cut-before',
  'answer',
  'cut-partly',
  'cut-after',
  'hang-after',
  'hang-before',
  'error-after',
  'refuse',
];

/** Runs a job over a service that loses its answers, and compares what the job says with the service's ledger. */
export const loseAnswers = ({ items, longestMs }: LostAnswersPlan): Promise<LostAnswersReport> =>
  inFolder(async (cwd) => {
    const fates = new Map<Fate, number>();
    const fateOf = () => {
      const fate = FATES[randomInt(FATES.length)] ?? 'answer';
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      return fate;
    };
    const service = await openRecordingService({ articles: items, fateOf });
    const settings = { UPSTREAM_BULK_SIZE: `${BULK_SIZE}`, UPSTREAM_TIMEOUT_MS: '1000' };
    const gateway = await startJobGateway({ cwd, service, stateUrl: 'sqlite:state.db', settings });
    try {
      const client = createJobClient(() => gateway.url, ownTokenOf(0));
      const articles = mixedItems({ name: 'lost answers', count: items, contentLength: 500 });
      const { id } = await client.submit({ idempotencyKey: 'lost-answers', articles, partSize: 10_000 });
      const job = await pollUntil(client, id, { isAs: isDone, untilMs: performance.now() + longestMs });
      const audit = auditJob(service, { job, articles, results: await client.results(id) });
      return { audit, puts: service.puts(), reads: service.reads(), fates, surprises: service.surprises };
    } finally {
      await gateway.stop('SIGKILL');
      await service.close();
    }
  });
