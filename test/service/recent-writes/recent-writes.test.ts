import { describe, expect, it } from 'vitest';
import { NOTED_CALLS_BYTES, RECENT_WRITES_BYTES } from '../../../src/core/base/limits.ts';
import { READ_LAGS_MS, RecentWrites } from '../../../src/service/recent-writes/recent-writes.ts';
import { callerWith } from '../../support/rest-scene.ts';

/** Every write takes more than this. */
const BYTES_OF_WRITE = 512;
const CALL_ITEMS = 100;
/** A title that is short enough to be kept as it is. */
const TITLE = 'Öl 日本 😀 '.repeat(25);

const open = () => new RecentWrites(({ apiToken }) => apiToken, READ_LAGS_MS, 30_000);

function note(writes: RecentWrites, articleIds: readonly string[], hidden: boolean): void {
  writes.note(callerWith(), {
    items: articleIds.map((articleId) => ({ articleId, hidden, title: TITLE })),
    outcomes: articleIds.map(() => ({ kind: 'updated' as const })),
    period: null,
  });
}

/** Writes other articles, more than there is room for. */
function fill(writes: RecentWrites): void {
  const items = Math.max(RECENT_WRITES_BYTES / BYTES_OF_WRITE, NOTED_CALLS_BYTES / TITLE.length);
  for (let first = 0; first < items; first += CALL_ITEMS) {
    const ids = Array.from({ length: CALL_ITEMS }, (_, item) => `other-${first + item}`);
    note(writes, ids, false);
  }
}

describe('the memory of recent writes', () => {
  it('knows the last write of an article, whether or not it was asked before', () => {
    const writes = open();
    const lastHidden = writes.lastHiddenOf(callerWith());
    note(writes, ['a1'], true);
    note(writes, ['A1'], false);
    expect(lastHidden('a1')).toBe(false);
    note(writes, ['a1'], true);
    expect(lastHidden('a1')).toBe(true);
  });

  it('forgets the earliest writes, asked for before or not', () => {
    const writes = open();
    const lastHidden = writes.lastHiddenOf(callerWith());
    note(writes, ['asked'], true);
    expect(lastHidden('asked')).toBe(true);
    note(writes, ['unasked'], true);
    fill(writes);
    note(writes, ['last'], true);
    expect(['asked', 'unasked', 'last'].map(lastHidden)).toEqual([undefined, undefined, true]);
  });

  it('never forgets a later write of an article before an earlier one', () => {
    const writes = open();
    const lastHidden = writes.lastHiddenOf(callerWith());
    note(writes, ['a1'], true);
    expect(lastHidden('a1')).toBe(true);
    note(writes, ['a1'], false);
    fill(writes);
    expect(lastHidden('a1')).toBeUndefined();
  });

  it('knows the items of a call that is larger than all that is kept unsorted, and those before it', () => {
    const writes = open();
    const lastHidden = writes.lastHiddenOf(callerWith());
    note(writes, ['before'], true);
    const ids = Array.from({ length: NOTED_CALLS_BYTES / TITLE.length }, (_, item) => `large-${item}`);
    note(writes, [...ids, 'before', 'last'], false);
    expect(['before', 'last'].map(lastHidden)).toEqual([false, false]);
  });

  it('knows what was set in any letters', () => {
    const writes = open();
    note(writes, ['ä', '日本', '😀'], true);
    note(writes, ['b'], true);
    expect(['Ä', '日本', '😀', 'b'].map(writes.lastHiddenOf(callerWith()))).toEqual([true, true, true, true]);
  });

  it('keeps nothing of writes that have failed', () => {
    const writes = open();
    writes.note(callerWith(), {
      items: [{ articleId: 'a1', hidden: true }],
      outcomes: [{ kind: 'failed' }],
      period: null,
    });
    expect(writes.lastHiddenOf(callerWith())('a1')).toBeUndefined();
  });
});
