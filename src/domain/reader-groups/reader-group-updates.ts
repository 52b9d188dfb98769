import type { Rules } from '../errors.ts';
import type { Notices } from '../notices.ts';
import { idProblem, pathIdProblem, textProblem } from '../text.ts';
import { type AccessScope, type AccessScopeDraft, accessScopeRules, type ReadAccessScope } from './access-scopes.ts';

export interface ReaderGroup {
  readonly groupId: string;
  readonly title: string;
  readonly description: string | null;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
  readonly accessScope: ReadAccessScope;
  /** Whether its members and its scope were not asked for: then the lists are empty, and stand for nothing. */
  readonly isHead?: true | undefined;
}

/** How much of a group is read: a list of titles needs no members. A backend may always give the whole. */
export type ReaderGroupExtent = 'whole' | 'head';

/** A new state for one group. A member that is absent is kept as it is; the service itself knows no "keep". */
export interface ReaderGroupUpdate {
  readonly groupId: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | undefined;
  readonly invitedSsoUserIds?: readonly string[] | undefined;
  readonly accessScope: AccessScope;
}

/** The same with nothing left to keep: what the service's PUT takes. */
export interface ReaderGroupReplacement extends ReaderGroupUpdate {
  readonly description: string | null;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
}

/** An update as a caller may state it, before the rules were held against it. */
export interface ReaderGroupUpdateDraft {
  readonly groupId: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly readerIds?: readonly string[] | null | undefined;
  readonly invitedSsoUserIds?: readonly string[] | null | undefined;
  readonly accessScope: AccessScopeDraft;
}

/** An answered update of a reader group. */
export interface ReaderGroupUpdated extends Notices {
  /** The envelope's `result` as it came. Not a success flag: the spec's own success example has false. */
  readonly serviceResult: boolean | null;
}

/** The characters that the spec's pattern for group titles forbids. */
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

/** Fills in what the update leaves out from the group as it is. */
export const replacementOf = (update: ReaderGroupUpdate, current: ReaderGroup): ReaderGroupReplacement => ({
  groupId: update.groupId,
  title: update.title,
  description: update.description === undefined ? current.description : update.description,
  readerIds: update.readerIds ?? current.readerIds,
  invitedSsoUserIds: update.invitedSsoUserIds ?? current.invitedSsoUserIds,
  accessScope: update.accessScope,
});

/** Holds every rule against the update, and returns it; null where it is none. */
export function* readerGroupUpdateRules(draft: ReaderGroupUpdateDraft): Rules<ReaderGroupUpdate | null> {
  const { readerIds, invitedSsoUserIds, accessScope, ...rest } = draft;
  yield* rule(['groupId'], pathIdProblem(draft.groupId));
  yield* rule(['title'], readerGroupTitleProblem(draft.title));
  yield* rule(['description'], draft.description == null ? null : textProblem(draft.description));
  yield* memberRules('readerIds', readerIds);
  yield* memberRules('invitedSsoUserIds', invitedSsoUserIds);
  const scope = yield* accessScopeRules(accessScope);
  if (scope === null || readerIds === null || invitedSsoUserIds === null) return null;
  return { ...rest, readerIds, invitedSsoUserIds, accessScope: scope };
}

function* memberRules(field: string, ids: readonly string[] | null | undefined): Rules<void> {
  if (ids === undefined) return;
  if (ids === null) {
    const message = `${field} must be a list: [] removes everyone, and leaving it out keeps the members.`;
    yield { path: [field], message };
  } else yield* idListRules(field, ids);
}

/** Every ID of a list must be one. */
export function* idListRules(field: string, ids: readonly string[]): Rules<void> {
  for (const [index, id] of ids.entries()) {
    const problem = idProblem(id);
    if (problem !== null) yield { path: [field, `${index}`], message: `An ID in ${field} ${problem}.` };
  }
}

function* rule(path: readonly string[], problem: string | null): Rules<void> {
  if (problem !== null) yield { path, message: `${path.join('.')} ${problem}.` };
}
