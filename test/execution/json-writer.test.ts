import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { CooperativeScheduler } from '../../src/execution/cooperative-scheduler.ts';
import { writeJsonInSteps } from '../../src/execution/json-writer.ts';

const written = async (value: unknown): Promise<string> =>
  (await writeJsonInSteps(value, new CooperativeScheduler().forOperation())).toString();

describe('writeJsonInSteps', () => {
  it('writes what JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), async (value) => {
        expect(await written(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['long texts', 'ab"c'.repeat(50_000)],
    ['long texts of escapes', '\0'.repeat(200_000)],
    ['surrogate pairs at any cut', `x${'😀'.repeat(100_000)}`],
    ['lone surrogates', `${'\ud83d'.repeat(100_000)}${'\ude00'.repeat(100_000)}`],
    ['a text of exactly one buffer', 'x'.repeat(64 * 1024)],
    ['many values', Array.from({ length: 50_000 }, (_, index) => ({ index, list: [null, true, 'x'] }))],
    ['members and items without a value', { a: undefined, b: [undefined, Number.NaN], toJSON: 'x' }],
    ['errors, which have a toJSON method', { errors: [new GraphQLError('no', { extensions: { code: 'X' } })] }],
    [
      'many members without a value',
      Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`m${at}`, undefined])),
    ],
    ['a number alone', 3],
  ])('writes %s', async (_what, value) => {
    expect((await written(value)) === JSON.stringify(value)).toBe(true);
  });
});
