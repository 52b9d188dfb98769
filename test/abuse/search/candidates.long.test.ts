import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/graphql/schema/schema.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { type AbuseRequest, createSender, faultOf } from '../measure/request.ts';
import { createRandom } from '../mutants.ts';
import { SERVICE_IDS } from '../targets/service-answers.ts';
import type { SchemaContext } from './fields.ts';
import { createGenome, type Genome, mutateGenome, requestOf } from './genomes.ts';

const schema = createSchema();

/** Requests as the search makes them: one in three is new, the others are mutations of the one before. */
function requestsOf(seed: number, count: number): readonly (readonly [Genome, AbuseRequest])[] {
  const context: SchemaContext = { random: createRandom(seed), schema, ids: SERVICE_IDS };
  let genome = createGenome(context, 'store');
  return Array.from({ length: count }, (_, index) => {
    genome = index % 3 === 0 ? createGenome(context, 'store') : mutateGenome(context, genome);
    return [genome, requestOf(genome, `S${index}`)] as const;
  });
}

describe('the requests of the search', () => {
  it('are the same for the same seed', () => {
    expect(requestsOf(3, 10)).toEqual(requestsOf(3, 10));
    expect(requestsOf(3, 10)).not.toEqual(requestsOf(4, 10));
  });

  it('fit into a body, and are mostly valid operations', () => {
    const operations = requestsOf(1, 90).flatMap(([{ kind }, { method, body }]) => {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(12_000_000);
      return kind === 'operation' && method === 'POST' ? [body] : [];
    });
    // Validating that fields can be merged takes long for large documents.
    const queries = operations.map((body): string => JSON.parse(body).query).filter(({ length }) => length < 5_000);
    const valid = queries.filter((query) => validate(schema, parse(query)).length === 0);
    expect(queries.length).toBeGreaterThan(20);
    expect(valid.length / queries.length).toBeGreaterThan(0.8);
  });

  describe('that are small', () => {
    let gateway: Gateway;
    beforeAll(async () => {
      gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    });
    afterAll(() => gateway.close());

    it('get responses without an internal error', async () => {
      const sender = createSender(gateway.url);
      for (const [, request] of requestsOf(2, 90)) {
        if (request.body.length > 20_000) continue;
        const answer = await sender.send({ ...request, headers: { ...request.headers, api_token: TOKEN } });
        expect([faultOf(answer), request]).toEqual([null, request]);
      }
      sender.close();
    });
  });
});
