import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countJsonValues, parseBoundedJson } from '../../../src/core/base/json.ts';
import { MAX_HELD_BYTES } from '../../../src/core/base/limits.ts';
import { list } from '../../support/repeat.ts';

/** The bound that a text breaks; null where it breaks none. */
function problem(json: string, bounds = { maxValues: 1_000, maxListItems: 10 }): string | null {
  const counted = countJsonValues(json, bounds);
  return counted.ok ? null : counted.error;
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Counts in the parsed value instead of the text: all values but the outermost one, and the longest list. */
function measure(value: unknown): { values: number; longest: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, longest: 0 };
  const parts = Object.values(value).map(measure);
  const own = parts.reduce((sum, part) => sum + part.values, parts.length);
  return {
    values: own,
    longest: Math.max(Array.isArray(value) ? value.length : 0, ...parts.map((part) => part.longest)),
  };
}

describe('the bounds of a JSON text', () => {
  it('admit every text within them', () => {
    for (const json of ['', '1', '"x"', '{}', '[[], {"a": [1, 2]}]', '[1,2,3,4,5,6,7,8,9,10]', nested(256)]) {
      expect(problem(json)).toBeNull();
    }
  });

  it('reject a text that nests too deep before its end is scanned', () => {
    expect(problem(nested(257))).toContain('256 deep');
    expect(problem('{"a":'.repeat(20_000))).toContain('256 deep');
    expect(problem('['.repeat(5_000_000))).toContain('256 deep');
  });

  it('reject a list that is too long at any depth', () => {
    const list = JSON.stringify(Array.from({ length: 11 }, (_, index) => index));
    expect(problem(list)).toContain('more than 10 items');
    expect(problem(`{"variables": {"input": {"ids": [[1, 2], ${list}]}}}`)).toContain('more than 10 items');
  });

  it('reject too many values in lists and objects', () => {
    const members = Array.from({ length: 1_002 }, (_, index) => `"k${index}":0`);
    expect(problem(`{${members.join()}}`)).toContain('1000 values');
    expect(problem(`[${nested(2)}${`,${nested(2)}`.repeat(9)}]`, { maxValues: 29, maxListItems: 10 })).toContain('29');
  });

  it('reject an object with thousands of members, and commas that separate nothing', () => {
    const object = (size: number) => `{${Array.from({ length: size }, (_, index) => `"k${index}":0`).join()}}`;
    const bounds = { maxValues: 1e6, maxListItems: 10 };
    expect(problem(object(5_000), bounds)).toBeNull();
    expect(problem(`[1, ${object(5_001)}]`, bounds)).toContain('5000 members');
    expect(problem(','.repeat(100), bounds)).not.toBeNull();
  });

  it('admit lists of any length when there is no bound for lists', () => {
    expect(problem('[[1,2,3],[4,5]]', { maxValues: 100, maxListItems: Number.POSITIVE_INFINITY })).toBeNull();
  });

  it('ignore everything inside a string', () => {
    expect(problem(JSON.stringify(`${'['.repeat(100)}\\"${','.repeat(2_000)}"{`))).toBeNull();
    expect(problem('["\\\\",[[1]],"\\"[[["]')).toBeNull();
  });

  it('admit a text that ends inside a string or has too many closing brackets', () => {
    for (const json of ['"', '"\\', '["a\\"', ']]]]', '}}}}[']) expect(problem(json)).toBeNull();
  });

  it('find the end of every string, with any length and any escapes', () => {
    const part = fc.constantFrom('a', '\\', '"', '[', ',', '語', 'a'.repeat(31));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.array(part, { maxLength: 60 }), (one, other) => {
        const json = JSON.stringify([one.join(''), other.join(''), 1]);
        expect(problem(json, { maxValues: 3, maxListItems: 3 })).toBeNull();
        expect(problem(json, { maxValues: 3, maxListItems: 2 })).not.toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('count every value but the outermost one', () => {
    const part = fc.constantFrom('a', '\\', '"', '[', ',', 'a'.repeat(5));
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 9 })), (texts) => {
        const json = JSON.stringify(texts.map((parts) => ({ [parts.join('')]: parts.join('') })));
        const counted = countJsonValues(json, { maxValues: 1_000, maxListItems: 100 });
        expect(counted).toEqual({ ok: true, value: Math.max(1, 2 * texts.length) });
      }),
      { numRuns: 2_000 },
    );
  });

  it('find names with any escapes', () => {
    const names = ['\\', '"', 'a"b\\', '\\"'].map((name) => JSON.stringify({ [name]: [] }));
    expect(problem(`[${names.join()}]`, { maxValues: 12, maxListItems: 4 })).toBeNull();
    expect(problem(`[${names.join()}]`, { maxValues: 11, maxListItems: 4 })).not.toBeNull();
  });

  it('hold for every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { values, longest } = measure(value);
        const json = JSON.stringify(value);
        expect(problem(json, { maxValues: values * 2 + 1, maxListItems: Math.max(1, longest) })).toBeNull();
        if (longest > 1) expect(problem(json, { maxValues: 1e9, maxListItems: longest - 1 })).not.toBeNull();
        if (values > 2)
          expect(problem(json, { maxValues: Math.floor(values / 2) - 1, maxListItems: 1e9 })).not.toBeNull();
      }),
    );
  });
});

const BOUNDS = { maxValues: 300_000, maxListItems: 50_000 };

/** A budget of at most so many bytes, which counts its ticks. */
function createBudget(maxBytes = Number.POSITIVE_INFINITY) {
  let ticks = 0;
  return {
    ticks: () => ticks,
    nextTick: async () => {
      ticks++;
    },
    charge: (bytes: number) => bytes <= maxBytes,
  };
}

const sourceOf = (text: string) => Buffer.from(text);

const objects = (count: number, nameOf: (index: number) => string) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ [nameOf(index)]: 'x'.repeat(10) })));

describe('parseBoundedJson', () => {
  it('parses a large text in a tick of its own, and what uses its values has another', async () => {
    const budget = createBudget();
    const parsed = parseBoundedJson(sourceOf(`"${'1'.repeat(3_000_000)}"`), { bounds: BOUNDS, budget });
    expect(budget.ticks()).toBe(1);
    expect(await parsed).toMatchObject({ ok: true });
    expect(budget.ticks()).toBe(2);
  });

  it('goes on at once with the values of a text of some 100 kB', async () => {
    const budget = createBudget();
    await parseBoundedJson(sourceOf(`"${'1'.repeat(100_000)}"`), { bounds: BOUNDS, budget });
    expect(budget.ticks()).toBe(1);
  });

  it('parses a small text without a pause', async () => {
    expect(await parseBoundedJson(sourceOf('[1]'), { bounds: BOUNDS, budget: createBudget() })).toEqual({
      ok: true,
      value: [1],
    });
  });

  const parseObjects = (count: number, nameOf: (index: number) => string) =>
    parseBoundedJson(sourceOf(objects(count, nameOf)), { bounds: BOUNDS, budget: createBudget() });

  it('rejects a large text with too many shapes of objects, whose parsing would take long', async () => {
    const limit = { error: { kind: 'limit', problem: expect.stringContaining('20000 kinds') } };
    expect(await parseObjects(30_001, (index) => `name${index}`)).toMatchObject(limit);
    expect(await parseObjects(20_000, (index) => `name${index}`)).toMatchObject({ ok: true });
    expect(await parseObjects(30_001, () => 'name')).toMatchObject({ ok: true });
  });

  it.each([400, 40_000])('finds the limits of a large text with %i values', async (values) => {
    const text = objects(values / 2, () => 'a name of forty characters, for a length');
    const maxValues = values - 1;
    const bounds = { ...BOUNDS, maxValues };
    const parse = () => parseBoundedJson(sourceOf(`${text}${' '.repeat(70_000)}`), { bounds, budget: createBudget() });
    expect(await parse()).toMatchObject({
      error: { kind: 'limit', problem: `must not hold more than ${maxValues} values` },
    });
  });

  it.each([
    ['no UTF-8', [0x22, 0xff, 0x22], { kind: 'encoding' }],
    ['no UTF-8, and too many values', [...Buffer.from('[1,2,3,4]'), 0xc3], { kind: 'encoding' }],
    ['a string without an end', [...Buffer.from('[1,"a')], { kind: 'syntax' }],
    ['a comma before a bracket', [...Buffer.from('[1,]')], { kind: 'syntax' }],
  ])('refuses %s, in small texts and large ones', async (_what, start, error) => {
    const bounds = { maxValues: 3, maxListItems: 3 };
    for (const blanks of [0, 100_000]) {
      const bytes = Buffer.concat([Buffer.alloc(blanks, ' '), Buffer.from(start)]);
      const parsed = await parseBoundedJson(bytes, { bounds, budget: createBudget() });
      expect(parsed).toMatchObject({ ok: false, error });
    }
  });

  it('charges memory before it uses any', async () => {
    const text = objects(10_000, () => 'name');
    for (const maxBytes of [0, 3 * text.length])
      expect(await parseBoundedJson(sourceOf(text), { bounds: BOUNDS, budget: createBudget(maxBytes) })).toEqual({
        ok: false,
        error: { kind: 'out-of-memory' },
      });
  });

  it('leaves room for a hundred updates of 1,000 articles at once', async () => {
    const update = { articleId: 'a'.repeat(36), languageCode: 'en', title: 't'.repeat(50), content: 'c'.repeat(150) };
    const articles = list(1_000, () => ({ ...update, hidden: false, order: 1, translationStatus: 'TRANSLATED' }));
    const body = sourceOf(JSON.stringify({ variables: { input: { articles } } }));
    const parsed = await parseBoundedJson(body, { bounds: BOUNDS, budget: createBudget(MAX_HELD_BYTES / 100) });
    expect(parsed.ok).toBe(true);
  });
});
