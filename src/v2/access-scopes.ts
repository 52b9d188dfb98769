import { z } from 'zod';
import type { JsonObject } from '../domain/notices.ts';
import {
  ACCESS_LEVELS,
  type AccessScope,
  type CategoryScope,
  type KnownAccessLevel,
  type LanguageScope,
  type ReadAccessScope,
  rawLevelOf,
} from '../domain/reader-groups/access-scopes.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { whole } from './fields.ts';
import { requestList, soundId } from './request-bodies.ts';

/** How the lists that do not belong to the level are written: requests send null, reads answer `[]` (facts, section 1). */
export type ForeignLists = null | readonly [];

export function encodeAccessScope(scope: ReadAccessScope, foreign: ForeignLists): JsonObject {
  return {
    access_level: rawLevelOf(scope),
    categories:
      scope.level === 'CATEGORY'
        ? scope.categories.map(({ projectVersionId, categoryId, languageCode }) => ({
            project_version_id: projectVersionId,
            category_id: categoryId,
            language_code: languageCode,
          }))
        : foreign,
    project_versions: scope.level === 'VERSION' ? scope.projectVersionIds : foreign,
    languages:
      scope.level === 'LANGUAGE'
        ? scope.languages.map(({ projectVersionId, languageCode }) => ({
            project_version_id: projectVersionId,
            language_code: languageCode,
          }))
        : foreign,
  };
}

const LEVEL_NAMES: ReadonlyMap<number, KnownAccessLevel> = new Map([
  [ACCESS_LEVELS.NONE, 'NONE'],
  [ACCESS_LEVELS.CATEGORY, 'CATEGORY'],
  [ACCESS_LEVELS.VERSION, 'VERSION'],
  [ACCESS_LEVELS.PROJECT, 'PROJECT'],
  [ACCESS_LEVELS.LANGUAGE, 'LANGUAGE'],
  [ACCESS_LEVELS.ARTICLE, 'ARTICLE'],
  [ACCESS_LEVELS.LEVEL_6, 'LEVEL_6'],
]);

const languageScope = z
  .object({ project_version_id: soundId, language_code: soundId })
  .transform((scope) => ({ projectVersionId: scope.project_version_id, languageCode: scope.language_code }));

const categoryScope = z
  .object({ project_version_id: soundId, category_id: soundId, language_code: soundId })
  .transform((scope) => ({
    projectVersionId: scope.project_version_id,
    categoryId: scope.category_id,
    languageCode: scope.language_code,
  }));

/** A list of a scope that is read, null where any of it can't be: what is read here may be written back. */
const wholeList = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((entries): z.output<T>[] | null => entries ?? [])
    .catch(null);

/**
 * A scope as a read answers it. One that is absent, names an unknown level or lists for its level what can't be read is
 * `UNRECOGNIZED`: the group stays readable, and no half of a scope is ever written back as if it were the whole.
 */
export const readAccessScope = z
  .object({
    access_level: whole,
    categories: wholeList(categoryScope),
    project_versions: wholeList(soundId),
    languages: wholeList(languageScope),
  })
  .nullish()
  .catch(null)
  .transform((scope): ReadAccessScope => {
    const rawLevel = scope?.access_level ?? -1;
    const level = LEVEL_NAMES.get(rawLevel);
    return (scope && level && scopeWith(level, scope)) ?? { level: 'UNRECOGNIZED', rawLevel };
  });

/** The shape of a scope in a request; which lists its level needs is held against it by `decodeAccessScope`. */
export const accessScopeBody = z.object({
  access_level: z.int32().nullish(),
  categories: requestList(categoryScope).nullish(),
  project_versions: requestList(soundId).nullish(),
  languages: requestList(languageScope).nullish(),
});

interface ScopeLists {
  readonly categories: readonly CategoryScope[] | null;
  readonly project_versions: readonly string[] | null;
  readonly languages: readonly LanguageScope[] | null;
}

/** The list each level needs; the others need none. */
const LIST_OF_LEVEL: Partial<Record<KnownAccessLevel, keyof ScopeLists>> = {
  CATEGORY: 'categories',
  VERSION: 'project_versions',
  LANGUAGE: 'languages',
};

/** Null where the list that the level needs is null. */
function scopeWith(level: KnownAccessLevel, lists: ScopeLists): AccessScope | null {
  const { categories, project_versions: projectVersionIds, languages } = lists;
  if (level === 'CATEGORY') return categories && { level, categories };
  if (level === 'VERSION') return projectVersionIds && { level, projectVersionIds };
  if (level === 'LANGUAGE') return languages && { level, languages };
  return { level };
}

/** Names all that does not fit the level. For the three lists null, absent and `[]` all mean not present (contract, 4). */
export function decodeAccessScope(body: z.output<typeof accessScopeBody>): Result<AccessScope, readonly string[]> {
  const { access_level } = body;
  if (access_level == null) return err(['The AccessLevel field is required.']);
  const level = LEVEL_NAMES.get(access_level);
  if (level === undefined) return err([`access_scope.access_level must be from 0 to 6; it is ${access_level}.`]);
  const lists = {
    categories: present(body.categories),
    project_versions: present(body.project_versions),
    languages: present(body.languages),
  };
  const needed = LIST_OF_LEVEL[level];
  const scope = scopeWith(level, lists);
  const findings = scope ? [] : [`access_scope.${needed} is required when access_level is ${access_level}.`];
  for (const [name, list] of Object.entries(lists)) {
    if (list === null || name === needed) continue;
    findings.push(`access_scope.${name} must not be present when access_level is ${access_level}.`);
  }
  return scope && findings.length === 0 ? ok(scope) : err(findings);
}

const present = <T>(list: readonly T[] | null | undefined): readonly T[] | null => (list?.length ? list : null);
