import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonProblem } from '../../../src/domain/json/json-scanner.ts';

const problem = (json: string, bounds = { maxValues: 1_000, maxListItems: 10 }) => jsonProblem(json, bounds);

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Counted once more, from what the parser made of the text: every value but the outermost, and no list below it. */
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
  it('let through whatever keeps them', () => {
    for (const json of ['', '1', '"x"', '{}', '[[], {"a": [1, 2]}]', '[1,2,3,4,5,6,7,8,9,10]', nested(64)]) {
      expect(problem(json)).toBeNull();
    }
  });

  it('refuse what nests too deep, before its end is looked for', () => {
    expect(problem(nested(65))).toContain('64 deep');
    expect(problem('{"a":'.repeat(20_000))).toContain('64 deep');
    expect(problem('['.repeat(5_000_000))).toContain('64 deep');
  });

  it('refuse a list that is too long, wherever it stands', () => {
    const list = JSON.stringify(Array.from({ length: 11 }, (_, index) => index));
    expect(problem(list)).toContain('more than 10 items');
    expect(problem(`{"variables": {"input": {"ids": [[1, 2], ${list}]}}}`)).toContain('more than 10 items');
  });

  it('refuse too many values, whatever holds them', () => {
    const members = Array.from({ length: 1_002 }, (_, index) => `"k${index}":0`);
    expect(problem(`{${members.join()}}`)).toContain('1000 values');
    expect(problem(`[${nested(2)}${`,${nested(2)}`.repeat(9)}]`, { maxValues: 29, maxListItems: 10 })).toContain('29');
  });

  it('refuse an object of thousands of members, and commas that separate nothing', () => {
    const object = (size: number) => `{${Array.from({ length: size }, (_, index) => `"k${index}":0`).join()}}`;
    const bounds = { maxValues: 1e6, maxListItems: 10 };
    expect(problem(object(5_000), bounds)).toBeNull();
    expect(problem(`[1, ${object(5_001)}]`, bounds)).toContain('5000 members');
    expect(problem(','.repeat(100), bounds)).not.toBeNull();
  });

  it('let lists of any length pass where none is named', () => {
    expect(problem('[[1,2,3],[4,5]]', { maxValues: 100, maxListItems: Number.POSITIVE_INFINITY })).toBeNull();
  });

  it('do not count what stands in a text', () => {
    expect(problem(JSON.stringify(`${'['.repeat(100)}\\"${','.repeat(2_000)}"{`))).toBeNull();
    expect(problem('["\\\\",[[1]],"\\"[[["]')).toBeNull();
  });

  it('never read past the end of a text that does not end', () => {
    for (const json of ['"', '"\\', '["a\\"', ']]]]', '}}}}[']) expect(problem(json)).toBeNull();
  });

  it('find the end of every text, however long and whatever it escapes', () => {
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
