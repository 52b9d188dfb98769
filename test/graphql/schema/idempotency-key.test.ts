import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { ALL_WRITES, mutationOf, TESTED_WRITES } from '../../support/writes.ts';

let gateway: Gateway;
let writes: string[];

/** Records which methods of the backend write. */
const recordWrites = (backend: Backend): Backend =>
  new Proxy(backend, {
    get(target, name) {
      if (Object.hasOwn(TESTED_WRITES, name)) writes.push(`${String(name)}`);
      return Reflect.get(target, name);
    },
  });

beforeEach(async () => {
  writes = [];
  gateway = await startGateway({ backend: recordWrites(await openFixtureStore()), local: true, token: TOKEN });
});
afterEach(() => gateway.close());

describe.each(ALL_WRITES)('$name with an idempotency key', (write) => {
  const { name, inputs, replayedAfterSecond } = write;
  const [input, other] = inputs;
  const send = async (variables: object) => {
    const { body } = await gateway.send(mutationOf(write), variables);
    expect(body.errors).toBeUndefined();
    return Object(body.data?.['result']);
  };

  it('is made once, and gives its answer again', async () => {
    const first = await send({ input, key: 'k' });
    expect(first).toMatchObject({ replayed: false });
    expect(await send({ input, key: 'k' })).toEqual({ ...first, replayed: true });
    expect(writes).toEqual([name]);
    expect(await send({ input: other, key: 'another' })).toMatchObject({ replayed: false });
    expect(await send({ input, key: 'k' })).toMatchObject({ replayed: true, ...replayedAfterSecond });
    expect(writes).toEqual([name, name]);
  });

  it('is made once for many requests at one time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ input, key: 'k' })));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(writes).toEqual([name]);
  });

  it('refuses another input, and a key that is none', async () => {
    await send({ input, key: 'k' });
    expect(await send({ input: other, key: 'k' })).toMatchObject({
      __typename: 'IdempotencyError',
      code: 'IDEMPOTENCY_CONFLICT',
      retryable: false,
      mayHaveApplied: false,
      indexes: [],
    });
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'line\n']) {
      expect(await send({ input, key })).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: ['idempotencyKey'] }],
      });
    }
    expect(await send({ input: other, key: 'x'.repeat(255) })).toMatchObject({ replayed: false });
    expect(writes).toEqual([name, name]);
  });

  it('is made at each request without a key, or with null', async () => {
    expect(await send({ input })).toMatchObject({ replayed: false });
    expect(await send({ input, key: null })).toMatchObject({ replayed: false });
    expect(writes).toEqual([name, name]);
  });
});

describe('a key of a write that failed', () => {
  it('is free again where nothing was written', async () => {
    const document = mutationOf({ name: 'updateReaderGroup', ...TESTED_WRITES.updateReaderGroup });
    const send = async (input: object) => (await gateway.send(document, { input, key: 'k' })).body.data?.['result'];
    expect(await send({ groupId: 'gone', title: 'One' })).toMatchObject({ __typename: 'ReaderGroupNotFoundError' });
    expect(await send({ groupId: 'g1', title: 'One' })).toMatchObject({ replayed: false });
  });
});
