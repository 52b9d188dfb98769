import { createJobClient, isDone, pollUntil } from '../../test/support/jobs/job-client.ts';
import { ownTokenOf } from '../../test/support/jobs/job-gateway.ts';
import { plainItems } from '../../test/support/jobs/job-items.ts';
import { list } from '../../test/support/repeat.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import { inJobScene, timed } from './scene.ts';

const SUBMITS = 1_000;
const ITEMS = 10;
const LONGEST_MS = 60_000;

/** One job, submitted a thousand times at once with one key. */
export const measureOneKey = (): Promise<readonly Figure[]> =>
  inJobScene({ articles: ITEMS }, async ({ service, gateway, client }) => {
    const articles = plainItems({ name: 'one key', count: ITEMS });
    const submission = { idempotencyKey: 'one-key', articles, partSize: ITEMS };
    const clients = list(SUBMITS, () => createJobClient(() => gateway.url, ownTokenOf(0)));
    const answers: { readonly id: string; readonly replayed: boolean }[] = [];
    const failures: unknown[] = [];
    const submitOnce = (one: typeof client) =>
      one.submit(submission).then(
        (answer) => answers.push(answer),
        (error: unknown) => failures.push(error),
      );
    const milliseconds = await timed(() => Promise.all(clients.map(submitOnce)));
    const ids = new Set(answers.map(({ id }) => id));
    for (const id of ids) {
      await pollUntil(client, id, { isAs: isDone, untilMs: performance.now() + LONGEST_MS });
    }
    const replayed = answers.filter((answer) => answer.replayed).length;
    const twice = [...service.ledger.values()].filter(({ length }) => length > 1);
    return [
      figure('submits at once', SUBMITS),
      figure('jobs', ids.size, { atMost: 1 }),
      figure('not replayed', answers.length - replayed, { atMost: 1 }),
      figure('replayed', replayed),
      none(`errors${failures.length > 0 ? `, the first ${failures[0]}` : ''}`, failures),
      none('items sent twice', twice),
      figure('until all were answered', milliseconds / 1_000, { unit: 's' }),
    ];
  });
