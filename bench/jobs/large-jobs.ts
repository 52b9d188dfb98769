import { auditJob } from '../../test/support/jobs/job-audit.ts';
import { isDone, pollUntil } from '../../test/support/jobs/job-client.ts';
import { plainItems } from '../../test/support/jobs/job-items.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import { CALLS_A_WINDOW, type Size } from '../report/size.ts';
import { inJobScene, type JobScene, startMeter } from './scene.ts';

const CONTENT_LENGTH = 7_000;
/** As many items as fit into a request of `MAX_BODY_BYTES`. */
const PART_SIZE = 1_000;
/** The default of `UPSTREAM_BULK_SIZE`. */
const BULK_SIZE = 100;
const MAX_MEMORY_MB = 128;
const MAX_REFUSED = 1;
/** The time that a job may take beside its waits for the rate limit. */
const SPARE_SECONDS = 35;

/** A large job and one of a tenth of its items, each over a gateway of its own. */
export async function measureLargeJobs(size: Size): Promise<readonly Figure[]> {
  const items = size.isFull ? 20_000 : 2_000;
  return [...(await measureJob(items / 10, size)), ...(await measureJob(items, size))];
}

const measureJob = (items: number, { isFull, windowMs }: Size): Promise<readonly Figure[]> =>
  inJobScene({ articles: items, limit: { calls: CALLS_A_WINDOW, windowMs } }, async (scene) => {
    const { service } = scene;
    const leastPuts = Math.ceil(items / BULK_SIZE);
    const fullWindows = Math.floor((leastPuts - 1) / CALLS_A_WINDOW);
    const mostSeconds = (fullWindows * windowMs) / 1_000 + SPARE_SECONDS;
    const { seconds, megabytes, faults } = await runJob(scene, items, 3_000 * mostSeconds);
    const of = `${items} items of 7 kB`;
    return [
      figure(`${of}: until COMPLETED`, seconds, { unit: 's', atMost: isFull ? mostSeconds : null }),
      figure(`${of}: PUTs`, service.puts(), { atMost: leastPuts }),
      figure(`${of}: answered with 429`, service.refused(), { atMost: MAX_REFUSED }),
      figure(`${of}: reads of the service`, service.reads()),
      figure(`${of}: memory above idle`, megabytes, { unit: 'MB', atMost: isFull ? MAX_MEMORY_MB : null }),
      none(`${of}: not updated, sent twice, out of order`, faults),
    ];
  });

async function runJob({ service, gateway, client }: JobScene, items: number, longestMs: number) {
  const articles = plainItems({ name: 'large', count: items, contentLength: CONTENT_LENGTH });
  await client.ask('{ __typename }');
  const meter = await startMeter(gateway);
  const begun = performance.now();
  const { id } = await client.submit({ idempotencyKey: 'large', articles, partSize: PART_SIZE });
  const job = await pollUntil(client, id, { isAs: isDone, untilMs: begun + longestMs });
  const seconds = (performance.now() - begun) / 1_000;
  const megabytes = await meter.peakAboveIdleMb();
  const { sentTwice, contradicted, outOfOrder, miscounted } = auditJob(service, {
    job,
    articles,
    results: await client.results(id),
  });
  const notUpdated = job.summary.updated === items ? [] : [job.summary];
  const faults = [sentTwice, contradicted, outOfOrder, miscounted, notUpdated, service.surprises].flat();
  return { seconds, megabytes, faults };
}
