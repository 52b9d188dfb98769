import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readAnswerBody } from '../../../../src/backend/rest/http/response-body.ts';
import { mapInSteps } from '../../../../src/backend/rest/reads/read-response.ts';

/** What an array held at the end of each turn of the event loop, as long as the work went on. */
async function lengthsByTurn(found: readonly unknown[], work: Promise<unknown>): Promise<readonly number[]> {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  const lengths = new Set<number>();
  while (!isDone) {
    await turnOfEventLoop();
    lengths.add(found.length);
  }
  return [...lengths].filter((length) => length > 0);
}

it('reads large answers that come together in turns of the event loop of their own', async () => {
  const list = Buffer.from(JSON.stringify(Array.from({ length: 30_000 }, (_, index) => `id-${index}`)));
  const read: unknown[] = [];
  const work = [1, 2, 3].map(async () => read.push(await readAnswerBody(list, undefined)));
  expect(await lengthsByTurn(read, Promise.all(work))).toEqual([1, 2, 3]);
});

it('decodes a long list in several turns of the event loop, in its order', async () => {
  const decoded: unknown[] = [];
  const entries = Array.from({ length: 600 }, (_, index) => index);
  const work = mapInSteps(entries, (entry) => decoded.push(entry));
  expect(await lengthsByTurn(decoded, work)).toEqual([250, 500, 600]);
  expect(decoded).toEqual(entries);
});

it('decodes many short lists of one answer in several turns of the event loop', async () => {
  const decoded: unknown[] = [];
  const pace = { entries: 0 };
  const decodeAll = async () => {
    for (let list = 0; list < 4; list += 1)
      await mapInSteps(Array.from({ length: 100 }), () => decoded.push(list), pace);
  };
  expect(await lengthsByTurn(decoded, decodeAll())).toEqual([250, 400]);
});

it('reads no answer with objects of more kinds than a parser takes quickly', async () => {
  const withKinds = (kinds: number) =>
    Buffer.from(JSON.stringify(Array.from({ length: kinds }, (_, index) => ({ [`name${index}`]: index }))));
  expect(await readAnswerBody(withKinds(20_001), undefined)).toBeUndefined();
  expect(await readAnswerBody(withKinds(10_000), undefined)).toHaveLength(10_000);
});
