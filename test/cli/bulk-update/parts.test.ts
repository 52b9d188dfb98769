import { describe, expect, it } from 'vitest';
import { checkRows, type RowsOptions } from '../../../src/cli/bulk-update/checked-rows.ts';
import { halveLimits, halvesOf, partsOf } from '../../../src/cli/bulk-update/parts.ts';
import { inputOf } from './input-text.ts';

const optionsOf = (text: string): RowsOptions => ({ file: inputOf(text), format: 'ndjson', mapping: new Map() });

const lines = (count: number) => Array.from({ length: count }, (_, index) => `{"articleId":"a${index}"}`).join('\n');

async function shapeOf(text: string, limits: Parameters<typeof halveLimits>[0], changed = text) {
  const checked = await checkRows(optionsOf(text));
  if (!checked.ok) throw new Error(checked.error);
  const shapes = [];
  for await (const part of partsOf(optionsOf(changed), checked.value, limits)) {
    shapes.push(part.ok ? [part.value.startIndex, part.value.rows.length, part.value.isLast] : part.error);
  }
  return shapes;
}

describe('the parts of a file', () => {
  it('have at most so many rows, and the last one says so', async () => {
    expect(await shapeOf(lines(7), { maxRows: 3, maxBytes: 1_000 })).toEqual([
      [0, 3, false],
      [3, 3, false],
      [6, 1, true],
    ]);
  });

  it('have at most so many bytes, and one row at least', async () => {
    const row = Buffer.byteLength('{"articleId":"a0"},');
    expect(await shapeOf(lines(4), { maxRows: 100, maxBytes: 2 * row })).toEqual([
      [0, 2, false],
      [2, 2, true],
    ]);
    expect(await shapeOf(lines(2), { maxRows: 100, maxBytes: 1 })).toEqual([
      [0, 1, false],
      [1, 1, true],
    ]);
  });

  it('end where the file has changed since it was checked, before the last one', async () => {
    const shapes = await shapeOf(lines(3), { maxRows: 2, maxBytes: 1_000 }, lines(4));
    expect(shapes).toEqual([[0, 2, false], 'the input has changed since it was checked.']);
  });

  it('can be halved, and later ones are smaller then', async () => {
    const limits = { maxRows: 4, maxBytes: 1_000 };
    const rows = [1, 2, 3].map((line) => ({ place: `line ${line}`, json: '{}' }));
    const part = { startIndex: 5, rows, isLast: true };
    halveLimits(limits, part);
    expect(halvesOf(part)).toEqual([
      { startIndex: 5, rows: rows.slice(0, 2), isLast: false },
      { startIndex: 7, rows: rows.slice(2), isLast: true },
    ]);
    expect((await shapeOf(lines(2), limits)).length).toBe(2);
  });
});
