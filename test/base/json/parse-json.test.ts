import { describe, expect, it } from 'vitest';
import { parseBoundedJson } from '../../../src/base/json/parse-json.ts';

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

const sourceOf = (text: string) => ({ bytes: Buffer.from(text), decoder: new TextDecoder() });

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

  it('parses a small text without a pause', () => {
    expect(parseBoundedJson(sourceOf('[1]'), { bounds: BOUNDS, budget: createBudget() })).toEqual({
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
      const decoder = new TextDecoder('utf-8', { fatal: true });
      const parsed = await parseBoundedJson({ bytes, decoder }, { bounds, budget: createBudget() });
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
});
