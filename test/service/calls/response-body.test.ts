import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { TickQueue } from '../../../src/core/base/tick-queue.ts';
import { mapInSteps } from '../../../src/service/calls/read-response.ts';
import {
  createResponseMemory,
  readResponseBody,
  withoutQuotedToken,
} from '../../../src/service/calls/response-body.ts';

const openReader = () => {
  const memory = createResponseMemory(3, new TickQueue());
  return (bytes: Uint8Array) => readResponseBody(bytes, undefined, { memory, timeoutMs: 10_000 });
};

/** The lengths of an array now, and at the end of each tick of the event loop until the work is done. */
async function lengthsByTick(found: readonly unknown[], work: Promise<unknown>): Promise<readonly number[]> {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  const lengths = new Set([found.length]);
  while (!isDone) {
    await nextTick();
    lengths.add(found.length);
  }
  return [...lengths].filter((length) => length > 0);
}

it('parses concurrent large responses in separate ticks of the event loop', async () => {
  const list = Buffer.from(JSON.stringify(Array.from({ length: 30_000 }, (_, index) => `id-${index}`)));
  const readBody = openReader();
  const read: unknown[] = [];
  const work = [1, 2, 3].map(async () => read.push(await readBody(list)));
  expect(await lengthsByTick(read, Promise.all(work))).toEqual([1, 2, 3]);
});

it('decodes a long list in several ticks of the event loop, in order', async () => {
  const decoded: unknown[] = [];
  const entries = Array.from({ length: 600 }, (_, index) => index);
  const work = mapInSteps(entries, (entry) => decoded.push(entry), { ticks: new TickQueue(), entries: 0 });
  expect(await lengthsByTick(decoded, work)).toEqual([250, 500, 600]);
  expect(decoded).toEqual(entries);
});

it('decodes many short lists of one response in several ticks of the event loop', async () => {
  const decoded: unknown[] = [];
  const counter = { ticks: new TickQueue(), entries: 0 };
  const decodeAll = async () => {
    for (let list = 0; list < 4; list += 1)
      await mapInSteps(Array.from({ length: 100 }), () => decoded.push(list), counter);
  };
  expect(await lengthsByTick(decoded, decodeAll())).toEqual([100, 250, 400]);
});

it('does not parse objects of more kinds than a parser takes quickly', async () => {
  const withKinds = (kinds: number) =>
    Buffer.from(JSON.stringify(Array.from({ length: kinds }, (_, index) => ({ [`name${index}`]: index }))));
  expect(await openReader()(withKinds(30_001))).toBeUndefined();
  expect(await openReader()(withKinds(20_000))).toHaveLength(20_000);
});

// Of the 10 MB that a response may have, that took half a second of the event loop.
it('leaves messages that do not quote the token as they were parsed', () => {
  const warnings = [{ description: 'Some articles are locked.' }];
  const response = ok({ httpStatus: 200, headers: {}, body: { data: [], warnings } });
  const read = withoutQuotedToken(response, 'a-token-of-the-service');
  expect(read.ok && read.value.body).toHaveProperty(
    'warnings',
    expect.toSatisfy((value) => value === warnings),
  );
});
