import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArrayPieces } from '../../../src/base/json/array-pieces.ts';
import { JsonScanner } from '../../../src/base/json/json-scanner.ts';
import { ObjectShapes } from '../../../src/base/json/object-shapes.ts';
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
  it.each([
    ['digits', '1'.repeat(3_000_000)],
    ['a string of quotes', `"${'\\"'.repeat(1_500_000)}"`],
  ])('pauses while it scans %s', async (_what, text) => {
    const budget = createBudget();
    expect(await parseBoundedJson(sourceOf(text), { bounds: BOUNDS, budget })).toMatchObject({ ok: true });
    expect(budget.ticks()).toBeGreaterThan(6);
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

  it.each([400, 40_000])('finds the limits of a large text, of one step or several, with %i values', async (values) => {
    const text = objects(values / 2, () => 'a name of forty characters, for a length');
    const maxValues = values - 1;
    const bounds = { ...BOUNDS, maxValues };
    const parse = () => parseBoundedJson(sourceOf(`${text}${' '.repeat(70_000)}`), { bounds, budget: createBudget() });
    expect(await parse()).toMatchObject({
      error: { kind: 'limit', problem: `must not hold more than ${maxValues} values` },
    });
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

class RecordingShapes extends ObjectShapes {
  readonly names: string[] = [];

  override withMember(shape: number, name: string): number {
    this.names.push(name);
    return super.withMember(shape, name);
  }
}

/** Everything that a scan finds out. */
function scanSections(sections: readonly string[], freeNames: number) {
  const shapes = new RecordingShapes();
  const pieces = new ArrayPieces(4);
  const scanner = new JsonScanner({ maxValues: 12, maxListItems: 5 }, { shapes, pieces }, freeNames);
  let problem: string | null = null;
  for (const section of sections) problem ??= scanner.scan(section);
  return { problem, values: scanner.values, names: shapes.names, pieces: pieces.found };
}

describe('JsonScanner', () => {
  it('finds the same in sections of any length', () => {
    const arbitraryText = fc.oneof(fc.json(), fc.array(fc.constantFrom('"', '\\', 'a', ',', '[', ']', '{', '}')));
    fc.assert(
      fc.property(arbitraryText, fc.integer({ min: 1, max: 5 }), fc.nat(3), (parts, length, freeNames) => {
        const text = [parts].flat().join('');
        const sections = [];
        for (let start = 0; start < text.length; start += length) sections.push(text.slice(start, start + length));
        expect(scanSections(sections, freeNames)).toEqual(scanSections([text], freeNames));
      }),
      { numRuns: 2_000 },
    );
  });
});
