import { z } from 'zod';
import {
  ACCESS_LEVELS,
  type AccessScope,
  type KnownAccessLevel,
  type ReadAccessScope,
  rawLevelOf,
} from '../domain/access-scopes.ts';
import type { JsonObject } from '../domain/notices.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { listOf, whole } from './fields.ts';

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
  .object({ project_version_id: z.string().min(1), language_code: z.string().min(1) })
  .transform((scope) => ({ projectVersionId: scope.project_version_id, languageCode: scope.language_code }));

const categoryScope = z
  .object({
    project_version_id: z.string().min(1),
    category_id: z.string().min(1),
    language_code: z.string().min(1),
  })
  .transform((scope) => ({
    projectVersionId: scope.project_version_id,
    categoryId: scope.category_id,
    languageCode: scope.language_code,
  }));

/** A scope as a read answers it. */
export const readAccessScope = z
  .object({
    access_level: whole,
    categories: listOf(categoryScope),
    project_versions: listOf(z.string()),
    languages: listOf(languageScope),
  })
  .transform(({ access_level, categories, project_versions, languages }): ReadAccessScope => {
    const level = LEVEL_NAMES.get(access_level ?? -1);
    if (level === undefined) return { level: 'UNRECOGNIZED', rawLevel: access_level ?? -1 };
    return withLists(level, { categories, projectVersionIds: project_versions, languages });
  });

/** The shape of a scope in a request; which lists its level needs is held against it by `decodeAccessScope`. */
export const accessScopeBody = z.object({
  access_level: z.int32().nullish(),
  categories: z.array(categoryScope).nullish(),
  project_versions: z.array(z.string().min(1)).nullish(),
  languages: z.array(languageScope).nullish(),
});

interface ScopeLists {
  readonly categories: Extract<AccessScope, { level: 'CATEGORY' }>['categories'];
  readonly projectVersionIds: readonly string[];
  readonly languages: Extract<AccessScope, { level: 'LANGUAGE' }>['languages'];
}

function withLists(level: KnownAccessLevel, lists: ScopeLists): AccessScope {
  if (level === 'CATEGORY') return { level, categories: lists.categories };
  if (level === 'VERSION') return { level, projectVersionIds: lists.projectVersionIds };
  if (level === 'LANGUAGE') return { level, languages: lists.languages };
  return { level };
}

/** The list each level needs; the others need none. */
const LIST_OF_LEVEL: Partial<Record<KnownAccessLevel, string>> = {
  CATEGORY: 'categories',
  VERSION: 'project_versions',
  LANGUAGE: 'languages',
};

/** Names all that does not fit the level. For the three lists null, absent and `[]` all mean not present (contract, 4). */
export function decodeAccessScope(body: z.output<typeof accessScopeBody>): Result<AccessScope, readonly string[]> {
  const lists = {
    categories: body.categories ?? [],
    project_versions: body.project_versions ?? [],
    languages: body.languages ?? [],
  };
  if (body.access_level == null) return err(['The AccessLevel field is required.']);
  const level = LEVEL_NAMES.get(body.access_level);
  if (level === undefined) return err([`access_level must be from 0 to 6; it is ${body.access_level}.`]);
  const findings = Object.entries(lists).flatMap(([name, { length }]) => {
    const needed = LIST_OF_LEVEL[level] === name;
    if (needed && length === 0) return [`access_scope.${name} is required when access_level is ${body.access_level}.`];
    if (needed || length === 0) return [];
    return [`access_scope.${name} must not be present when access_level is ${body.access_level}.`];
  });
  if (findings.length > 0) return err(findings);
  return ok(withLists(level, { ...lists, projectVersionIds: lists.project_versions }));
}
