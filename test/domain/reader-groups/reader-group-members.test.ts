import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMembersChange, membersChangeRules } from '../../../src/domain/reader-groups/reader-group-members.ts';
import type { ReaderGroup } from '../../../src/domain/reader-groups/reader-group-updates.ts';

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

describe('the rules for a change of members', () => {
  it('take lists that are null or left out as empty', () => {
    const rules = membersChangeRules({ groupId: 'g', addReaderIds: ['r'], removeReaderIds: null });
    expect(rules.next()).toEqual({
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

  it('name every place that is wrong', () => {
    const rules = membersChangeRules({ groupId: '', addReaderIds: ['r', ''], removeReaderIds: ['r'] });
    expect([...rules].map(({ path }) => path.join('.'))).toEqual(['groupId', 'addReaderIds.1', 'removeReaderIds.0']);
  });
});
