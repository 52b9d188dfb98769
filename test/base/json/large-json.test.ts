import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLargeJson } from '../../../src/base/json/parse-json.ts';

const BOUNDS = { maxValues: 1e6, maxListItems: 1e6 };
const KEEPS_MARK = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const IGNORES_MARK = new TextDecoder('utf-8', { fatal: true });

const budget = { nextTick: async () => {}, charge: () => true };

/** Parses with a step of so few bytes that a short text has many sections and pieces. */
function parse(bytes: Uint8Array, stepBytes: number, decoder = KEEPS_MARK) {
  return parseLargeJson({ bytes, decoder }, { bounds: BOUNDS, budget }, stepBytes);
}

function parseAtOnce(bytes: Uint8Array, decoder = KEEPS_MARK) {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { ok: false, error: { kind: 'encoding' } };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const position = / at position (\d+)/u.exec(String(error))?.[1];
    return { ok: false, error: { kind: 'syntax', position: position === undefined ? null : Number(position) } };
  }
}

/** The comparison of texts is for the order of members, and for members named `__proto__`. */
async function expectSameAsAtOnce(bytes: Uint8Array, stepBytes: number, decoder = KEEPS_MARK) {
  const expected = parseAtOnce(bytes, decoder);
  const parsed = await parse(bytes, stepBytes, decoder);
  expect(parsed).toEqual(expected);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(expected));
  return parsed;
}

const MARK = '\ufeff';

const VALID: readonly (readonly [string, string])[] = [
  ['commas, brackets and escaped quotes in strings', String.raw`["],[","a\",\"b","\\","\\\",[","{\"a\":[1,2,3]}",1]`],
  ['arrays in cut arrays', '[[1111,2222,3333],[4444,5555],6666,[[7777,[8888]],9999],[]]'],
  ['objects in cut arrays', '{"b":[{"c":[1111,2222]},{"d":"eeee"},{}],"a":1,"10":[3333,4444,5555],"9":2}'],
  ['members of one name', '{"a":[1111,2222,3333],"a":[4444,5555],"b":{"a":[6,7,8],"a":9}}'],
  ['members named __proto__', '{"__proto__":[1111,2222,{"__proto__":[3333,4444,5555]}],"b":[{"__proto__":6},7777]}'],
  ['characters of several bytes', '["é","語語","😀😀😀",{"é":["語","😀","é"]},"\\ud83d"]'],
  ['byte order marks in strings', `["${MARK}",["${MARK}a","b"],"${MARK}"]`],
  ['unusual numbers', '[-0,1e999,-1E-400,0.10,123456789012345678901234567890]'],
  ['white space', ' \n[\t1111 ,\r\n 2222 , [ ] , { } ]\n '],
  ['brackets to the greatest depth', `${'[1111,2222,'.repeat(64)}3${']'.repeat(64)}`],
];

const INVALID: readonly (readonly [string, string])[] = [
  ['a comma after the last element', '[1111,2222,3333,]'],
  ['a comma before the first element', '[      ,1111]'],
  ['a blank between commas', '[1111,       ,2222]'],
  ['a brace that closes an array', '[[1111,2222,3333},4444]'],
  ['a bracket that closes an object', '{"a":[1111,2222,{"b":1],3333]}'],
  ['a comma for an object in an array', '{"a":[{"b":1111],2222,3333}'],
  ['brackets too many', '[1111,2222]],3333,4444]'],
  ['brackets too few', '[1111,2222,[3333,4444]'],
  ['several arrays', '[1111],[2222],[3333]'],
  ['commas outside of arrays', '1111,2222,3333'],
  ['an array of members', '["a":1111,"b":2222,"c":3333]'],
  ['an object of elements', '{"aaaa","bbbb","cccc"}'],
  ['a string without an end', '["aaaa","bbbb","cccc]'],
  ['an escape outside of strings', String.raw`["aaaa",\"bbbb","cccc"]`],
  ['a byte order mark before an element', `[${MARK}1111,2222]`],
  ['a byte order mark after a comma', `[1111,${MARK}2222,3333]`],
  ['a byte order mark after a piece', `[1111,2222${MARK},3333]${MARK}`],
  ['no text', ''],
  ['nothing but white space', '        '],
];

describe('a large text is parsed as by JSON.parse', () => {
  it.each(VALID)('with %s', async (_what, text) => {
    for (let stepBytes = 1; stepBytes < 20; stepBytes++)
      expect(await expectSameAsAtOnce(Buffer.from(text), stepBytes)).toMatchObject({ ok: true });
  });

  it.each(INVALID)('with %s', async (_what, text) => {
    for (let stepBytes = 1; stepBytes < 20; stepBytes++)
      expect(await expectSameAsAtOnce(Buffer.from(text), stepBytes)).toMatchObject({ error: { kind: 'syntax' } });
  });

  it('with a byte order mark at its start, which the decoder takes or keeps', async () => {
    const bytes = Buffer.from(`${MARK}[1111,2222,3333]`);
    expect(await expectSameAsAtOnce(bytes, 4, IGNORES_MARK)).toMatchObject({ ok: true });
    expect(await expectSameAsAtOnce(bytes, 4, KEEPS_MARK)).toMatchObject({ ok: false });
    const twice = Buffer.from(`${MARK}${MARK}[1111,2222,3333]`);
    expect(await expectSameAsAtOnce(twice, 4, IGNORES_MARK)).toMatchObject({ ok: false });
  });

  it('with bytes that are not UTF-8, anywhere', async () => {
    const text = '{"a":["bbbb","cccc",["dddd","eeee"]],"f":"gggg"}';
    for (const invalid of [[0xff], [0xc3], [0xe8, 0xaa], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x80]])
      for (let at = 0; at <= text.length; at++) {
        const bytes = Buffer.concat([
          Buffer.from(text.slice(0, at)),
          Buffer.from(invalid),
          Buffer.from(text.slice(at)),
        ]);
        expect(await expectSameAsAtOnce(bytes, 4)).toMatchObject({ error: { kind: 'encoding' } });
      }
  });

  it('with bytes that are not UTF-8 after too many values', async () => {
    const bytes = Buffer.from([...Buffer.from('[1111,2222,3333,4444]'), 0xff]);
    const options = { bounds: { maxValues: 2, maxListItems: 9 }, budget };
    expect(await parseLargeJson({ bytes, decoder: KEEPS_MARK }, options, 4)).toMatchObject({
      error: { kind: 'encoding' },
    });
  });

  it('from a part of a buffer', async () => {
    const bytes = Buffer.from('],,,[1111,2222,3333],"');
    expect(await parse(bytes.subarray(4, 20), 4)).toEqual({ ok: true, value: [1111, 2222, 3333] });
  });
});

const syntaxByte = fc.constantFrom(...Buffer.from('"\\,:[]{} 1atn'));
interface Damage {
  readonly at: number;
  readonly kind: 'delete' | 'insert' | 'swap';
  readonly byte: number;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('delete', 'insert', 'swap'),
  byte: fc.oneof(syntaxByte, fc.nat({ max: 255 })),
});

function applyDamage(bytes: readonly number[], { at, kind, byte }: Damage) {
  const position = at % (bytes.length + 1);
  const [start, end] = [bytes.slice(0, position), bytes.slice(position)];
  if (kind === 'delete') return [...start, ...end.slice(1)];
  if (kind === 'insert') return [...start, byte, ...end];
  return [...start, ...end.slice(1, 2), ...end.slice(0, 1), ...end.slice(2)];
}

describe('parseLargeJson', () => {
  const string = fc.oneof(
    fc.constantFrom('a', '__proto__', '1', '\\', '"', '],[', '",[', MARK),
    fc.string({ unit: 'binary' }),
  );
  // No name has an escape: after many texts, JSON.parse of Node 26.10 may take one for a name that holds a backslash.
  const name = string.filter((characters) => JSON.stringify(characters) === `"${characters}"`);
  const leaf = fc.oneof(fc.constantFrom(null, true, -0.5, 1_000), string).map((value) => JSON.stringify(value));
  const { text } = fc.letrec<{ text: string; array: string; object: string }>((tie) => ({
    text: fc.oneof({ depthSize: 'small', maxDepth: 5 }, leaf, tie('array'), tie('object')),
    array: fc.array(tie('text')).map((elements) => `[${elements.join()}]`),
    object: fc
      .array(fc.tuple(name, tie('text')))
      .map((members) => `{${members.map(([key, value]) => `"${key}": ${value}`).join(' , ')}}`),
  }));
  const stepBytes = fc.integer({ min: 1, max: 40 });

  it('is the same as JSON.parse for every value, also with members of one name', async () => {
    await fc.assert(
      fc.asyncProperty(text, stepBytes, async (json, step) => {
        expect(await expectSameAsAtOnce(Buffer.from(json), step)).toMatchObject({ ok: true });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same as JSON.parse for every damaged text', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        stepBytes,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        async (json, step, damages) => {
          const bytes = damages.reduce(applyDamage, [...Buffer.from(json)]);
          for (const decoder of [KEEPS_MARK, IGNORES_MARK]) await expectSameAsAtOnce(Buffer.from(bytes), step, decoder);
        },
      ),
      { numRuns: 4_000 },
    );
  });

  it('pauses between the pieces of an array, and decodes the whole text only when it is not JSON', async () => {
    class RecordingDecoder extends TextDecoder {
      readonly lengths: (number | undefined)[] = [];

      override decode(bytes?: AllowSharedBufferSource): string {
        this.lengths.push(bytes?.byteLength);
        return super.decode(bytes);
      }
    }
    // Every twentieth item has an array and an object of more than a piece.
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    const items = JSON.stringify(
      Array.from({ length: 100 }, (_, id) => ({
        id,
        text: 'x'.repeat(80),
        ...(id % 20 === 19 && { numbers, all: { ...numbers } }),
      })),
    );
    const parseItems = async (text: string) => {
      let ticks = 0;
      const counting = { ...budget, nextTick: async () => void ticks++ };
      const decoder = new RecordingDecoder();
      const parsed = await parseLargeJson(
        { bytes: Buffer.from(text), decoder },
        { bounds: BOUNDS, budget: counting },
        1_000,
      );
      return { ok: parsed.ok, ticks, lengths: decoder.lengths };
    };
    const valid = await parseItems(`{"items":${items}}`);
    expect(valid).toMatchObject({ ok: true, lengths: [10] });
    expect(valid.ticks).toBeGreaterThan(2 * Math.floor(items.length / 3_000));
    const invalid = await parseItems(`{"items":${items}`);
    expect(invalid).toMatchObject({ ok: false, lengths: [10, items.length + 9] });
  });
});
