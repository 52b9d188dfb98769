import { describe, expect, it } from 'vitest';
import type { GatewayFailure } from '../../../src/cli/bulk-update/gateway-client.ts';
import { sendParts } from '../../../src/cli/bulk-update/parts.ts';
import { err, ok } from '../../../src/core/base/result.ts';

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    place: `line ${index + 1}`,
    members: {},
    update: { articleId: `a${index}` },
  }));

const failure = (kind: GatewayFailure['kind']): GatewayFailure => ({
  kind,
  message: kind,
  retryAfterMs: 0,
  issues: [],
});

/** The parts of so many rows, sent to a gateway that takes a part where `takes` is true. */
async function shapeOf(count: number, limits: Parameters<typeof sendParts>[1], takes = (_rows: number) => true) {
  const shapes: unknown[] = [];
  const sent = await sendParts(rowsOf(count), limits, async (part) => {
    if (!takes(part.rows.length)) return err(failure('too-large'));
    shapes.push([part.startIndex, part.rows.length, part.isLast]);
    return ok(true);
  });
  return sent.ok ? shapes : [...shapes, sent.error.reason.kind];
}

describe('the parts of a file', () => {
  it('have at most so many rows, and the last one says so', async () => {
    expect(await shapeOf(7, { maxRows: 3, maxBytes: 1_000 })).toEqual([
      [0, 3, false],
      [3, 3, false],
      [6, 1, true],
    ]);
  });

  it('have at most so many bytes, and one row at least', async () => {
    const row = Buffer.byteLength('{"articleId":"a0"},');
    expect(await shapeOf(4, { maxRows: 100, maxBytes: 2 * row })).toEqual([
      [0, 2, false],
      [2, 2, true],
    ]);
    expect(await shapeOf(2, { maxRows: 100, maxBytes: 1 })).toEqual([
      [0, 1, false],
      [1, 1, true],
    ]);
  });

  it('become smaller from one on that is too large', async () => {
    expect(await shapeOf(7, { maxRows: 6, maxBytes: 1_000 }, (rows) => rows <= 3)).toEqual([
      [0, 3, false],
      [3, 3, false],
      [6, 1, true],
    ]);
    expect(await shapeOf(3, { maxRows: 4, maxBytes: 1_000 }, () => false)).toEqual(['too-large']);
  });

  it('end where no other one is needed', async () => {
    const sent: number[] = [];
    await sendParts(rowsOf(4), { maxRows: 2, maxBytes: 1_000 }, async ({ startIndex }) => {
      sent.push(startIndex);
      return ok(false);
    });
    expect(sent).toEqual([0]);
  });
});
