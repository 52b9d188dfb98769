import { setTimeout as sleep } from 'node:timers/promises';
import type { JobClient } from '../../test/support/jobs/job-client.ts';
import { SERVICE_TOKEN } from '../../test/support/jobs/job-gateway.ts';
import { plainItems } from '../../test/support/jobs/job-items.ts';
import { articleIdOf } from '../../test/support/jobs/service-articles.ts';
import { median, percentile } from '../harness/statistics.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import { CALLS_A_WINDOW, type Size } from '../report/size.ts';
import { inJobScene, type JobScene, timed } from './scene.ts';

const BULK_SIZE = 10;
const LATENCY_MS = 100;
const MAX_ADDED_SECONDS = 2;
const MAX_REFUSED = 1;

/** Single updates of a caller, alone and beside a job of the same token. */
export function measureInteractive({ isFull, windowMs }: Size): Promise<readonly Figure[]> {
  const updates = isFull ? 120 : 40;
  // Twenty in a window, so that a third of the rate limit is the caller's.
  const pauseMs = windowMs / 20;
  const items = Math.ceil((updates / 20) * CALLS_A_WINDOW) * BULK_SIZE;
  const limit = { calls: CALLS_A_WINDOW, windowMs };
  const settings = { UPSTREAM_BULK_SIZE: `${BULK_SIZE}` };
  const serviceOptions = { articles: items + 1, limit, latencyMs: () => LATENCY_MS };
  return inJobScene({ ...serviceOptions, settings }, async (scene) => {
    const alone = await updateOften(scene, { name: 'alone', updates: updates / 4, pauseMs });
    const articles = plainItems({ name: 'beside', count: items });
    const { id } = await scene.client.submit({ idempotencyKey: 'beside', articles, partSize: 10_000 });
    const beside = await updateOften(scene, { name: 'interactive', updates, pauseMs });
    const { state, summary } = await scene.client.poll(id);
    await scene.client.cancel(id);
    return figuresOf({ alone, beside, refused: scene.service.refused(), sent: summary.updated, state });
  });
}

interface Update {
  readonly ms: number;
  /** True where the token had a call left when the update was sent. */
  readonly hadBudget: boolean;
  readonly outcome: string;
}

async function updateOften(
  { client, service }: JobScene,
  { name, updates, pauseMs }: { readonly name: string; readonly updates: number; readonly pauseMs: number },
): Promise<readonly Update[]> {
  const results: Update[] = [];
  for (let index = 0; index < updates; index += 1) {
    const hadBudget = service.remaining(SERVICE_TOKEN) > 0;
    let outcome = '';
    const ms = await timed(async () => {
      outcome = await updateOne(client, `${name} ${index}`);
    });
    results.push({ ms, hadBudget, outcome });
    await sleep(pauseMs);
  }
  return results;
}

async function updateOne(client: JobClient, title: string): Promise<string> {
  const outcomes = await client.update([{ articleId: articleIdOf(0), title }]);
  return outcomes.join();
}

interface Measured {
  readonly alone: readonly Update[];
  readonly beside: readonly Update[];
  readonly refused: number;
  readonly sent: number;
  readonly state: string;
}

function figuresOf({ alone, beside, refused, sent, state }: Measured): readonly Figure[] {
  const usual = median(alone.map(({ ms }) => ms));
  const added = (of: readonly Update[]) =>
    of.map(({ ms }) => Math.max(0, ms - usual) / 1_000).toSorted((one, other) => one - other);
  const withBudget = added(beside.filter(({ hadBudget }) => hadBudget));
  return [
    figure('single update alone, median', usual, { unit: 'ms' }),
    figure('updates beside a job', beside.length),
    figure('of these, sent while budget was left', withBudget.length),
    figure('added wait, median', percentile(withBudget, 0.5), { unit: 's' }),
    figure('added wait, p99', percentile(withBudget, 0.99), { unit: 's', atMost: MAX_ADDED_SECONDS }),
    figure('added wait without budget, at most', added(beside).at(-1) ?? 0, { unit: 's' }),
    none(
      'not updated',
      beside.filter(({ outcome }) => outcome !== 'ArticleUpdated'),
    ),
    figure('answered with 429', refused, { atMost: MAX_REFUSED }),
    figure(`items of the job (${state}) updated meanwhile`, sent),
  ];
}
