import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubgraph } from '../../src/graphql/schema/schema.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { positionsOf } from './positions.ts';
import { withLiterals, withVariables } from './queries.ts';
import { tryValue } from './try-graphql.ts';
import { tryV2Value } from './try-v2.ts';
import { V2_POSITIONS } from './v2.ts';
import { BAD_VALUES, type BadValue, badValue } from './values.ts';

/** The quick part of `npm run test:fuzz`: the same values on every run. */
const RUNS = { seed: 20_260_131, numRuns: 300, endOnFailure: true } as const;

const schema = createSubgraph();
const positions = positionsOf(schema);
let gateways: Gateways;

beforeAll(async () => {
  gateways = await startGateways();
});

afterAll(() => gateways.close());

const isCorrect = { kind: expect.stringMatching(/^(?:accepted|refused)$/u) };

const known = (name: string): BadValue => {
  const found = BAD_VALUES.find((bad) => bad.name === name);
  if (!found) throw new Error(`No value is called ${name}.`);
  return found;
};

describe('the positions of values', () => {
  it('are all arguments and input fields, and more than 2,000 with the values', () => {
    const names = positions.map(({ field, path }) => [field, ...path].join('.'));
    expect(names).toContain('bulkUpdateArticles.input.articles.0.htmlContent');
    expect(names).toContain('updateReaderGroup.input.accessScope.categories.0.languageCode');
    expect(names).toContain('readers.emailContains');
    expect(positions.length * BAD_VALUES.length).toBeGreaterThan(2_000);
    expect(V2_POSITIONS.length * BAD_VALUES.length).toBeGreaterThan(2_000);
  });
});

describe.each([
  ['local', 'a variable', withVariables],
  ['local', 'the document', withLiterals],
  ['rest', 'a variable', withVariables],
] as const)('a bad value in GraphQL, the backend being %s, in %s', (backend, _, write) => {
  const attempt = (position: (typeof positions)[number], bad: BadValue) =>
    tryValue({ schema, gateway: gateways[backend], write }, position, bad);

  it('is rejected with the name of its position or read back unchanged', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...positions), badValue, async (position, bad) => {
      expect(await attempt(position, bad)).toMatchObject(isCorrect);
    });
    await fc.assert(property, RUNS);
  });

  // Both were found by the fuzz test: one became an address that no server accepts, the other cut the message before
  // the position.
  it.each(['a line of 20,000', '1 MB'])('has its position named when it is %s', async (name) => {
    for (const position of positions) expect(await attempt(position, known(name))).toMatchObject(isCorrect);
  });
});

describe('a bad value in /v2', () => {
  it('is rejected with the name of its position or read back unchanged', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...V2_POSITIONS), badValue, async (position, bad) => {
      const verdict = await tryV2Value(gateways.local, position, bad);
      if (verdict !== null) expect(verdict).toMatchObject(isCorrect);
    });
    await fc.assert(property, RUNS);
  });
});

describe('after bad values', () => {
  it('nothing else has changed, including prototypes', async () => {
    const query = '{ article(articleId: "a3") { title content } }';
    const { body } = await gateways.local.send(query);
    expect(body.data).toEqual({ article: { title: 'a3 en 1', content: 'Text of a3 in en, version 1.' } });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
