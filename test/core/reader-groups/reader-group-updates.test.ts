import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMembersUpdate, validateMembersUpdate } from '../../../src/core/reader-groups/reader-group-updates.ts';
import type { ReaderGroup } from '../../../src/core/reader-groups/reader-groups.ts';

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));

const group = (readerIds: readonly string[], invitedSsoUserIds: readonly string[]): ReaderGroup => ({
  groupId: 'g',
  title: 'G',
  description: null,
  readerIds,
  invitedSsoUserIds,
  accessScope: { level: 'NONE' },
});

describe('applyMembersUpdate', () => {
  it('adds and removes exactly the named people, keeps all others in order, and reports every name', () => {
    fc.assert(
      fc.property(ids, ids, ids, (members, adds, candidates) => {
        const removes = candidates.filter((id) => !adds.includes(id));
        const change = {
          groupId: 'g',
          addReaderIds: adds,
          removeReaderIds: removes,
          addInvitedSsoUserIds: [],
          removeInvitedSsoUserIds: [],
        };
        const { members: next, changes } = applyMembersUpdate(group(members, []), change);
        const report = changes.readers;
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

describe('validateMembersUpdate', () => {
  it('takes lists that are null or absent as empty', () => {
    const validation = validateMembersUpdate({ groupId: 'g', addReaderIds: ['r'], removeReaderIds: null });
    expect(validation.next()).toEqual({
      done: true,
      value: {
        groupId: 'g',
        addReaderIds: ['r'],
        removeReaderIds: [],
        addInvitedSsoUserIds: [],
        removeInvitedSsoUserIds: [],
      },
    });
  });

  it('yields an issue with a path for every problem', () => {
    const validation = validateMembersUpdate({ groupId: '', addReaderIds: ['r', ''], removeReaderIds: ['r'] });
    expect([...validation].map(({ path }) => path.join('.'))).toEqual([
      'groupId',
      'addReaderIds.1',
      'removeReaderIds.0',
    ]);
  });
});
