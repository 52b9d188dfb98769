import { setTimeout as sleep } from 'node:timers/promises';
import type { ArticleUpdate } from '../../src/core/articles/bulk-updates.ts';
import { createJobClient, isDone, type JobClient, pollUntil } from '../../test/support/jobs/job-client.ts';
import { freePort, startProcess } from '../harness/processes.ts';
import { callMethod } from '../harness/rpc.ts';
import { COMPILED_OPEN_LOOP, COMPILED_PROBE } from '../harness/setup.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import type { Size } from '../report/size.ts';
import { OURS } from '../targets.ts';
import { BULK_TOKEN, type OpenLargeBackend } from './backends.ts';
import { besideOthers } from './others.ts';
import { largeUpdates } from './texts.ts';

const ITEMS = 10_000;
/** As many items as fit into a request of the default `MAX_BODY_BYTES`. */
const PART_SIZE = 1_000;
const MAX_RESIDENT_MB = 400;
const MAX_OTHERS_MS = 500;
const LONGEST_MS = 600_000;

/** Sends the updates, and resolves with how many were made. */
type Send = (client: JobClient, updates: readonly ArticleUpdate[]) => Promise<number>;

const WAYS: Readonly<Record<string, Send>> = {
  'requests one after another': async (client, updates) => {
    let updated = 0;
    for (let from = 0; from < updates.length; from += PART_SIZE) {
      const outcomes = await client.update(updates.slice(from, from + PART_SIZE));
      updated += outcomes.filter((name) => name === 'ArticleUpdated').length;
    }
    return updated;
  },
  'one job': async (client, articles) => {
    const { id } = await client.submit({ idempotencyKey: 'large', articles, partSize: PART_SIZE });
    const job = await pollUntil(client, id, { isAs: isDone, untilMs: performance.now() + LONGEST_MS });
    return job.summary.updated;
  },
};

/** The large update in each of the ways, each over a new gateway, while another caller goes on. */
export async function measureLarge(open: OpenLargeBackend, { isFull }: Size): Promise<readonly Figure[]> {
  const items = isFull ? ITEMS : ITEMS / 10;
  const figures: Figure[] = [];
  for (const [way, send] of Object.entries(WAYS)) figures.push(...(await measureWay(open, { way, send, items })));
  return figures;
}

interface Way {
  readonly way: string;
  readonly send: Send;
  readonly items: number;
}

async function measureWay(open: OpenLargeBackend, { way, send, items }: Way): Promise<readonly Figure[]> {
  return withResource(new AsyncDisposableStack(), async (stack) => {
    const backend = stack.use(await open(items + 1));
    const port = await freePort();
    const env = { LOG_LEVEL: 'warn', ...backend.settings, PORT: `${port}` };
    const args = ['--import', COMPILED_PROBE, ...OURS.args(port)];
    const { child } = stack.use(await startProcess({ role: 'gateway', args, env, port }));
    const load = stack.use(await startProcess({ role: 'load', args: [COMPILED_OPEN_LOOP], env: {}, port: null }));
    const client = createJobClient(() => `http://127.0.0.1:${port}/graphql`, BULK_TOKEN);
    const updates = largeUpdates(items, backend.articleIdOf);
    const articleId = backend.articleIdOf(items);
    const alone = await besideOthers({ load, port, articleId }, sleep(2_000));
    const { peakRssBytes: before } = await callMethod(child, 'usage', null);
    await callMethod(child, 'startLag', null);
    const begunAt = performance.now();
    let updated = 0;
    const work = send(client, updates).then((count) => {
      updated = count;
    });
    const others = await besideOthers({ load, port, articleId }, work);
    const seconds = (performance.now() - begunAt) / 1_000;
    const lag = await callMethod(child, 'stopLag', null);
    const { peakRssBytes } = await callMethod(child, 'usage', null);
    const { p50, p99, max } = percentilesOf(others.times);
    return [
      figure(`${way}: until all ${items} items were answered, at most`, seconds, { unit: 's' }),
      none(`${way}: not updated`, Array.from({ length: items - updated })),
      figure(`${way}: resident before, at the most`, before / 1e6, { unit: 'MB' }),
      figure(`${way}: resident meanwhile, at the most`, peakRssBytes / 1e6, { unit: 'MB', atMost: MAX_RESIDENT_MB }),
      figure(`${way}: others before, the slowest`, percentilesOf(alone.times).max, { unit: 'ms' }),
      figure(`${way}: others meanwhile, median`, p50, { unit: 'ms' }),
      figure(`${way}: others meanwhile, p99`, p99, { unit: 'ms' }),
      figure(`${way}: others meanwhile, the slowest of ${others.times.length}`, max, {
        unit: 'ms',
        atMost: MAX_OTHERS_MS,
      }),
      figure(`${way}: event loop, the longest delay`, lag.max, { unit: 'ms' }),
      none(`${way}: others not answered rightly${others.wrong[0] ? `, such as ${others.wrong[0]}` : ''}`, others.wrong),
    ];
  });
}
