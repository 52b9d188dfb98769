import { type FieldChange, isSameValue } from '../field-changes.ts';
import { isSameAccessScope, type ReadAccessScope } from './access-scopes.ts';
import { type ReaderGroupUpdate, replacementOf } from './reader-group-updates.ts';
import type { ReaderGroup } from './reader-groups.ts';

/** The effect that an update would have on a reader group. */
export interface ReaderGroupPreview {
  readonly group: ReaderGroup;
  readonly accessScope: ReadAccessScope;
  readonly changesAccessScope: boolean;
  readonly changes: readonly FieldChange[];
  readonly addedReaderIds: readonly string[];
  readonly removedReaderIds: readonly string[];
  readonly addedInvitedSsoUserIds: readonly string[];
  readonly removedInvitedSsoUserIds: readonly string[];
}

/** The members whose effect a preview shows in members of its own. */
type ShownApart = 'groupId' | 'accessScope' | 'readerIds' | 'invitedSsoUserIds';

export function previewReaderGroupUpdate(update: ReaderGroupUpdate, group: ReaderGroup): ReaderGroupPreview {
  const next = replacementOf(update, group);
  const properties: readonly FieldChange[] = Object.values({
    title: { field: 'title', from: group.title, to: next.title },
    description: { field: 'description', from: group.description, to: next.description },
  } satisfies Record<Exclude<keyof ReaderGroupUpdate, ShownApart>, FieldChange>);
  return {
    group,
    accessScope: next.accessScope,
    changesAccessScope: !isSameAccessScope(group.accessScope, next.accessScope),
    changes: properties.filter(({ from, to }) => !isSameValue(from, to)),
    addedReaderIds: idsNotIn(next.readerIds, group.readerIds),
    removedReaderIds: idsNotIn(group.readerIds, next.readerIds),
    addedInvitedSsoUserIds: idsNotIn(next.invitedSsoUserIds, group.invitedSsoUserIds),
    removedInvitedSsoUserIds: idsNotIn(group.invitedSsoUserIds, next.invitedSsoUserIds),
  };
}

/** Returns each ID once. */
function idsNotIn(ids: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set(ids).difference(new Set(others))];
}
