import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/graphql/schema/schema.ts';
import type { AbuseRequest, Answer } from '../measure/request.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './table.ts';

const schema = createSchema();

const ANSWER: Answer = { status: 200, bytes: 0, text: '"projectVersionId":"v1"' };

/** The requests of an attack that sends few of them. */
async function requestsOf(attack: Attack): Promise<readonly AbuseRequest[]> {
  const requests: AbuseRequest[] = [];
  const send = async (request: AbuseRequest): Promise<Answer> => {
    requests.push(request);
    return ANSWER;
  };
  await attack.run({ origin: 'http://127.0.0.1:1', signal: new AbortController().signal, send });
  return requests;
}

// Without this, an attack whose document fails validation would seem to be withstood.
describe('the attacks', () => {
  const all = Object.entries(ATTACKS).flatMap(([kind, attacks]) => attacks.map((attack) => ({ kind, attack })));
  const alone = all.filter(({ kind, attack }) => kind !== 'bodies' && !attack.isCrowd);

  it.each(alone)('by $attack.name are valid operations within the size of a body', async ({ attack }) => {
    for (const { body } of await requestsOf(attack)) {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(10 * 1024 ** 2);
      const { query }: { query: string } = JSON.parse(body);
      expect(validate(schema, parse(query))).toEqual([]);
    }
  });

  it('have unique names', () => {
    const names = all.map(({ attack }) => attack.name);
    expect(names).toEqual([...new Set(names)]);
  });
});
