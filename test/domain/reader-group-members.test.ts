import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMembersChange, parseMembersChange } from '../../src/domain/reader-group-members.ts';
import type { ReaderGroup } from '../../src/domain/reader-groups.ts';

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));

const group = (readerIds: readonly string[], invitedSsoUserIds: readonly string[]): ReaderGroup => ({
  groupId: 'g',
  title: 'G',
  description: null,
  readerIds,
  invitedSsoUserIds,
  accessScope: { level: 'NONE' },
});

describe('applyMembersChange', () => {
  it('adds and removes exactly who was named, keeps everybody else in order, and accounts for every name', () => {
    fc.assert(
      fc.property(ids, ids, ids, (members, adds, wantedOut) => {
        const removes = wantedOut.filter((id) => !adds.includes(id));
        const change = {
          groupId: 'g',
          addReaderIds: adds,
          removeReaderIds: removes,
          addInvitedSsoUserIds: [],
          removeInvitedSsoUserIds: [],
        };
        const { members: next, report } = applyMembersChange(group(members, []), change);
        expect(new Set(next.readerIds)).toEqual(new Set([...members, ...adds].filter((id) => !removes.includes(id))));
        expect(next.readerIds.length).toBe(new Set(next.readerIds).size);
        expect(next.readerIds.slice(0, next.readerIds.length - report.added.length)).toEqual(
          members.filter((id) => !removes.includes(id)),
        );
        expect([...report.added, ...report.alreadyMembers].sort()).toEqual([...adds].sort());
        expect([...report.removed, ...report.notMembers].sort()).toEqual([...removes].sort());
      }),
    );
  });
});

const paused = () => Promise.resolve();

describe('parseMembersChange', () => {
  it('takes lists that are null or left out as empty', async () => {
    const change = { groupId: 'g', addReaderIds: ['r'], removeReaderIds: null };
    expect(await parseMembersChange(change, paused)).toEqual({
      ok: true,
      value: {
        groupId: 'g',
        addReaderIds: ['r'],
        removeReaderIds: [],
        addInvitedSsoUserIds: [],
        removeInvitedSsoUserIds: [],
      },
    });
  });

  it('names every place that is wrong', async () => {
    const change = { groupId: '', addReaderIds: ['r', ''], removeReaderIds: ['r'] };
    const parsed = await parseMembersChange(change, paused);
    expect(parsed.ok ? [] : parsed.error.map(({ path }) => path.join('.'))).toEqual([
      'groupId',
      'addReaderIds.1',
      'removeReaderIds.0',
    ]);
  });

  it('pauses while it finds much', async () => {
    let pauses = 0;
    const parsed = await parseMembersChange({ groupId: 'g', addReaderIds: Array(50_000).fill('') }, async () => {
      pauses += 1;
    });
    expect([parsed.ok ? 0 : parsed.error.length, pauses]).toEqual([50_000, 10]);
  });
});
