import type { Validation } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { pathIdProblem, textProblem } from '../text.ts';
import { type AccessScope, type AccessScopeDraft, validateAccessScope } from './access-scopes.ts';
import { validateIds } from './reader-group-members.ts';
import type { ReaderGroup } from './reader-groups.ts';

/** A new state of a group. The gateway keeps absent members; the service's PUT can't keep any. */
export interface ReaderGroupUpdate {
  readonly groupId: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | undefined;
  readonly invitedSsoUserIds?: readonly string[] | undefined;
  readonly accessScope: AccessScope;
}

/** An update without absent members, as the service's PUT takes it. */
export interface ReaderGroupReplacement extends ReaderGroupUpdate {
  readonly description: string | null;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
}

/** An update as the caller sent it, before validation. */
export interface ReaderGroupUpdateDraft {
  readonly groupId: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | null | undefined;
  readonly invitedSsoUserIds?: readonly string[] | null | undefined;
  readonly accessScope: AccessScopeDraft;
}

/** A confirmed update of a reader group. */
export interface CompletedReaderGroupUpdate extends Notices {
  /** The envelope's `result`, which does not tell success: see docs/service.md, "Reader group update". */
  readonly serviceResult: boolean | null;
}

/** The characters that no title of a group may contain: see docs/service.md, "Reader group update". */
const FORBIDDEN_IN_TITLE = [..."~`!@#$%^&*)(+=|][{};:?/>'.,"];

export function readerGroupTitleProblem(title: string): string | null {
  if (title === '') return 'must have 1 character or more';
  const forbidden = FORBIDDEN_IN_TITLE.filter((character) => title.includes(character)).toSorted(
    (one, other) => title.indexOf(one) - title.indexOf(other),
  );
  return forbidden.length > 0 ? `must not contain ${forbidden.join(' ')}` : textProblem(title);
}

export const isReplacement = (update: ReaderGroupUpdate): update is ReaderGroupReplacement =>
  update.description !== undefined && update.readerIds !== undefined && update.invitedSsoUserIds !== undefined;

/** Fills the absent members of an update from the current group. */
export const replacementOf = (update: ReaderGroupUpdate, current: ReaderGroup): ReaderGroupReplacement => ({
  groupId: update.groupId,
  title: update.title,
  description: update.description === undefined ? current.description : update.description,
  readerIds: update.readerIds ?? current.readerIds,
  invitedSsoUserIds: update.invitedSsoUserIds ?? current.invitedSsoUserIds,
  accessScope: update.accessScope,
});

/** Returns null when the draft is no update. */
export function* validateReaderGroupUpdate(draft: ReaderGroupUpdateDraft): Validation<ReaderGroupUpdate | null> {
  const { readerIds, invitedSsoUserIds, accessScope, ...rest } = draft;
  yield* validateField(['groupId'], pathIdProblem(draft.groupId));
  yield* validateField(['title'], readerGroupTitleProblem(draft.title));
  yield* validateField(['description'], draft.description == null ? null : textProblem(draft.description));
  yield* validateMemberIds('readerIds', readerIds);
  yield* validateMemberIds('invitedSsoUserIds', invitedSsoUserIds);
  const scope = yield* validateAccessScope(accessScope);
  if (scope === null || readerIds === null || invitedSsoUserIds === null) return null;
  return { ...rest, readerIds, invitedSsoUserIds, accessScope: scope };
}

function* validateMemberIds(field: string, ids: readonly string[] | null | undefined): Validation<void> {
  if (ids === undefined) return;
  if (ids === null) {
    const message = `${field} must be a list: [] removes everyone, and leaving it out keeps the members.`;
    yield { path: [field], message };
  } else yield* validateIds(field, ids);
}

function* validateField(path: readonly string[], problem: string | null): Validation<void> {
  if (problem !== null) yield { path, message: `${path.join('.')} ${problem}.` };
}
