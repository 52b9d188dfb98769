import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/schema/schema.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { placesOf } from './positions.ts';
import { withLiterals, withVariables } from './queries.ts';
import { tryValue } from './try-graphql.ts';
import { tryV2Value } from './try-v2.ts';
import { V2_PLACES } from './v2.ts';
import { BAD_VALUES, type BadValue, badValue } from './values.ts';

/** The quick part of `npm run test:fuzz`: the same values on every run. */
const RUNS = { seed: 20_260_131, numRuns: 300, endOnFailure: true } as const;
const TIMEOUT = 120_000;

const schema = createSchema();
const places = placesOf(schema);
let gateways: Gateways;

beforeAll(async () => {
  gateways = await startGateways();
});

afterAll(() => gateways.close());

const goesWell = { kind: expect.stringMatching(/^(?:accepted|refused)$/u) };

const known = (name: string): BadValue => {
  const found = BAD_VALUES.find((bad) => bad.name === name);
  if (!found) throw new Error(`No value is called ${name}.`);
  return found;
};

describe('the places that values are tried at', () => {
  it('are every argument and input field, and with the values more than 2,000', () => {
    const names = places.map(({ field, path }) => [field, ...path].join('.'));
    expect(names).toContain('bulkUpdateArticles.input.articles.0.htmlContent');
    expect(names).toContain('updateReaderGroup.input.accessScope.categories.0.languageCode');
    expect(names).toContain('readers.emailContains');
    expect(places.length * BAD_VALUES.length).toBeGreaterThan(2_000);
    expect(V2_PLACES.length * BAD_VALUES.length).toBeGreaterThan(2_000);
  });
});

describe.each([
  ['local', 'a variable', withVariables],
  ['local', 'the document', withLiterals],
  ['rest', 'a variable', withVariables],
] as const)('a bad value in GraphQL, the backend being %s, in %s', (backend, _, write) => {
  const attempt = (place: (typeof places)[number], bad: BadValue) =>
    tryValue({ schema, gateway: gateways[backend], write }, place, bad);

  it('is refused by the name of its place or comes back unchanged', { timeout: TIMEOUT }, async () => {
    const property = fc.asyncProperty(fc.constantFrom(...places), badValue, async (place, bad) => {
      expect(await attempt(place, bad)).toMatchObject(goesWell);
    });
    await fc.assert(property, RUNS);
  });

  // Found by the fuzz: one made an address that no server takes, the other a message that was cut before the place.
  it.each(['a line of 20,000', '1 MB'])('names its place where it is %s', { timeout: TIMEOUT }, async (name) => {
    for (const place of places) expect(await attempt(place, known(name))).toMatchObject(goesWell);
  });
});

describe('a bad value in /v2', () => {
  it('is refused by the name of its place or comes back unchanged', { timeout: TIMEOUT }, async () => {
    const property = fc.asyncProperty(fc.constantFrom(...V2_PLACES), badValue, async (place, bad) => {
      const verdict = await tryV2Value(gateways.local, place, bad);
      if (verdict !== null) expect(verdict).toMatchObject(goesWell);
    });
    await fc.assert(property, RUNS);
  });
});

describe('after bad values', () => {
  it('nothing but what was written to has changed, prototypes included', async () => {
    const query = '{ article(articleId: "a3") { title content } }';
    const { body } = await gateways.local.send(query);
    expect(body.data).toEqual({ article: { title: 'a3 en 1', content: 'Text of a3 in en, version 1.' } });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
