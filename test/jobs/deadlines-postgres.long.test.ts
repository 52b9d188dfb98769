import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock, withinTime } from '../../src/core/base/clock.ts';
import { err, ok } from '../../src/core/base/result.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { outcomeUnknown } from '../../src/core/errors.ts';
import type { KeyedWrite } from '../../src/core/writes/idempotency-keys.ts';
import { openLedger } from '../../src/jobs/state/open-ledger.ts';
import { openStateLink } from '../gateways/state-link.ts';
import { databaseToDrop } from '../store/store.ts';
import { openJobScene, submit, unwrap } from './harness.ts';

/** Two gateways over one state in PostgreSQL, the first through a link that the test can cut or silence. */
async function openTwo() {
  const { url } = await databaseToDrop();
  const link = await openStateLink(url);
  onTestFinished(() => link.close());
  const open = (stateUrl: string) => () => openLedger({ url: stateUrl, setting: 'STATE_URL' });
  const scene = await openJobScene(['a0'], { clock: systemClock, openLedger: open(link.url) });
  const other = scene.openOther({ openLedger: open(url) });
  return { ...scene, link, other };
}

/** A caller whose time is over soon. */
const hasty = (caller: Caller, ms = 1_500): Caller => ({ ...caller, deadline: performance.now() + ms });

const keyedWrite = (idempotencyKey: string, send: KeyedWrite<string>['send']): KeyedWrite<string> => ({
  ...{ operation: 'write', idempotencyKey, input: 1, send },
  answer: { encode: JSON.stringify, decode: (kept) => ok(JSON.parse(kept)) },
  outcomeUnknown: () => err(outcomeUnknown('the gateway ended.')),
});

/** Less than a connection attempt and a statement of the state may take, and much more than a busy machine adds. */
const LONGEST_MS = 25_000;

const UNAVAILABLE = { ok: false, error: { kind: 'unavailable' } };

describe.each(['silence', 'cut'] as const)('while PostgreSQL does not answer (%s)', (trouble) => {
  it('what uses the ledger answers by the deadline of its request, and works again afterwards', async () => {
    const { jobs, caller, link } = await openTwo();
    const { jobId } = await submit({ jobs, caller }, [{ articleId: 'a0', title: 'New' }]);
    link[trouble]();
    const { articleUpdateJobs, idempotencyKeys } = jobs;
    const send = vi.fn(async () => ok('done'));
    const part = { idempotencyKey: 'other', startIndex: 0, moreToCome: true, updates: [{ articleId: 'a0' }] };
    const page = { page: { limit: 1 }, outcomes: null };
    const answering = Promise.all([
      articleUpdateJobs.submit(hasty(caller), part),
      articleUpdateJobs.find(hasty(caller), jobId),
      articleUpdateJobs.list(hasty(caller), { limit: 1 }),
      articleUpdateJobs.results(hasty(caller), jobId, page),
      articleUpdateJobs.cancel(hasty(caller), jobId),
      articleUpdateJobs.resume(hasty(caller), jobId),
      idempotencyKeys.run(hasty(caller), keyedWrite('key', send)),
    ]);
    const answers = await withinTime(answering, LONGEST_MS);
    if (answers === null) throw new Error('Not all have an answer.');
    for (const answer of answers) expect(answer).toMatchObject(UNAVAILABLE);
    expect(send).not.toHaveBeenCalled();
    link.heal();
    const find = () => articleUpdateJobs.find({ ...caller, deadline: performance.now() + 5_000 }, jobId);
    await expect.poll(async () => (await find()).ok).toBe(true);
  });

  it('a write that has begun is told to be under way, and is replayed once it is recorded', async () => {
    const { jobs, caller, link, other } = await openTwo();
    const send = vi.fn(async () => {
      link[trouble]();
      return ok('done');
    });
    expect(await jobs.idempotencyKeys.run(hasty(caller, 8_000), keyedWrite('key', send))).toMatchObject({
      error: { kind: 'idempotency-in-progress' },
    });
    link.heal();
    const again = () =>
      other.idempotencyKeys.run({ ...caller, deadline: performance.now() + 5_000 }, keyedWrite('key', send));
    await expect.poll(async () => unwrap(await again())).toEqual({ value: 'done', replayed: true });
    expect(send).toHaveBeenCalledTimes(1);
  });
});
