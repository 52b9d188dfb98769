import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScan } from '../../../src/domain/json/json-scanner.ts';
import { parseJson } from '../../../src/domain/json/parse-json.ts';

const BOUNDS = { maxValues: 300_000, maxListItems: 50_000 };

/** A room that counts what it is asked for. */
function roomOf(most = Number.POSITIVE_INFINITY) {
  let turns = 0;
  return {
    turns: () => turns,
    turn: async () => {
      turns++;
    },
    charge: (bytes: number) => bytes <= most,
  };
}

const sourceOf = (text: string) => ({ bytes: Buffer.from(text), decode: () => text });

const objects = (count: number, nameOf: (index: number) => string) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ [nameOf(index)]: 'x'.repeat(10) })));

describe('parseJson', () => {
  it.each([
    ['digits', '1'.repeat(3_000_000)],
    ['a text of quotes', `"${'\\"'.repeat(1_500_000)}"`],
  ])('lets others go on while it counts %s', async (_what, text) => {
    const room = roomOf();
    expect(await parseJson(sourceOf(text), BOUNDS, room)).toMatchObject({ ok: true });
    expect(room.turns()).toBeGreaterThan(6);
  });

  it('parses a small text at once', () => {
    expect(parseJson(sourceOf('[1]'), BOUNDS, roomOf())).toEqual({ ok: true, value: [1] });
  });

  it('refuses a large text of too many kinds of objects, whose parsing would take long', async () => {
    const refused = await parseJson(sourceOf(objects(20_001, (index) => `name${index}`)), BOUNDS, roomOf());
    expect(refused).toMatchObject({ error: { kind: 'limit', problem: expect.stringContaining('20000 kinds') } });
    expect(await parseJson(sourceOf(objects(20_001, () => 'name')), BOUNDS, roomOf())).toMatchObject({ ok: true });
  });

  it('asks for memory before it takes any', async () => {
    const text = objects(10_000, () => 'name');
    for (const most of [0, 3 * text.length])
      expect(await parseJson(sourceOf(text), BOUNDS, roomOf(most))).toEqual({ ok: false, error: { kind: 'no-room' } });
  });
});

describe('JsonScan', () => {
  it('finds the same however many characters it is given at a time', () => {
    const bounds = { maxValues: 12, maxListItems: 5 };
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 5 }), (text, characters) => {
        const whole = new JsonScan(text, bounds);
        const inPieces = new JsonScan(text, bounds);
        let problem: string | null = null;
        while (!inPieces.isDone && problem === null) problem = inPieces.advance(characters);
        expect([problem, inPieces.values]).toEqual([whole.advance(), whole.values]);
      }),
    );
  });
});
