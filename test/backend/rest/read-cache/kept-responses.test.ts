import { describe, expect, it } from 'vitest';
import { KeptResponses } from '../../../../src/backend/rest/read-cache/kept-responses.ts';

/** With the bytes that an entry takes besides its text. */
const responseOf = (bytes: number) => ({ generation: '0', sentAt: 0, json: new Uint8Array(bytes - 512) });

const found = (kept: KeptResponses, ...keys: readonly string[]) => keys.filter((key) => kept.find(key) !== null);

describe('kept responses', () => {
  it('make room for others in the order of their last use, within the part of their token', () => {
    const kept = new KeptResponses(16_000);
    for (const key of ['a1', 'a2', 'a3', 'a4']) kept.tryAdd(key, 'a', responseOf(2_000));
    for (const key of ['b1', 'b2']) kept.tryAdd(key, 'b', responseOf(2_000));
    expect(kept.bytes).toBe(12_000);
    kept.find('a1');
    kept.tryAdd('a5', 'a', responseOf(2_000));
    expect(found(kept, 'a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2')).toEqual(['a1', 'a3', 'a4', 'a5', 'b1', 'b2']);
    for (const key of ['c1', 'c2', 'c3']) kept.tryAdd(key, 'c', responseOf(2_000));
    expect(kept.bytes).toBe(16_000);
    expect(found(kept, 'a1', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'c2', 'c3')).toHaveLength(8);
    expect(found(kept, 'a1')).toEqual([]);
  });

  it('take an eighth of all bytes at most', () => {
    const kept = new KeptResponses(16_000);
    expect(kept.tryAdd('key', 'a', responseOf(2_000))).toBe(true);
    expect(kept.tryAdd('key', 'a', responseOf(2_001))).toBe(false);
    expect([kept.find('key'), kept.bytes]).toEqual([null, 0]);
  });

  it('count a response that replaces another once, and hold no more than its own bytes', () => {
    const kept = new KeptResponses(16_000);
    const json = Buffer.alloc(64 * 1024).subarray(0, 100);
    for (let time = 0; time < 5; time += 1) kept.tryAdd('key', 'a', { generation: '0', sentAt: 0, json });
    expect([kept.bytes, kept.find('key')?.json.buffer.byteLength]).toEqual([612, 100]);
  });
});
