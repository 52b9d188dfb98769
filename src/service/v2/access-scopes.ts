import { z } from 'zod';
import { err, ok, type Result } from '../../core/base/result.ts';
import {
  ACCESS_LEVELS,
  type AccessScope,
  type CategoryScope,
  type KnownAccessLevel,
  type LanguageScope,
  type ReadAccessScope,
  rawLevelOf,
} from '../../core/reader-groups/access-scopes.ts';
import { requestList, storableId } from './request-bodies.ts';

/** Lists that do not belong to the level: null in requests, `[]` in reads. See docs/service.md, "Access scopes". */
export type UnusedListEncoding = null | readonly [];

/** Encodes a scope. One that was read with its JSON is that JSON again, unknown members included. */
export function encodeAccessScope(scope: ReadAccessScope, unusedList: UnusedListEncoding): unknown {
  if ('json' in scope) return scope.json;
  return {
    access_level: rawLevelOf(scope),
    categories: scope.level === 'CATEGORY' ? scope.categories.map(encodeCategoryScope) : unusedList,
    project_versions: scope.level === 'VERSION' ? scope.projectVersionIds : unusedList,
    languages: scope.level === 'LANGUAGE' ? scope.languages.map(encodeLanguageScope) : unusedList,
  };
}

const encodeLanguageScope = ({ projectVersionId, languageCode }: LanguageScope) => ({
  project_version_id: projectVersionId,
  language_code: languageCode,
});

const encodeCategoryScope = ({ projectVersionId, categoryId, languageCode }: CategoryScope) => ({
  project_version_id: projectVersionId,
  category_id: categoryId,
  language_code: languageCode,
});

const languageScope = z
  .object({ project_version_id: storableId, language_code: storableId })
  .transform((scope) => ({ projectVersionId: scope.project_version_id, languageCode: scope.language_code }));

const categoryScope = z
  .object({ project_version_id: storableId, category_id: storableId, language_code: storableId })
  .transform((scope) => ({
    projectVersionId: scope.project_version_id,
    categoryId: scope.category_id,
    languageCode: scope.language_code,
  }));

/** A list that is null when any entry can't be read: a scope may be written back, and must not lose entries. */
const strictList = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((entries): z.output<T>[] | null => entries ?? [])
    .catch(null);

const scopeMembers = z
  .object({
    access_level: z.int32().nullish().catch(null),
    categories: strictList(categoryScope),
    project_versions: strictList(storableId),
    languages: strictList(languageScope),
  })
  .nullish()
  .catch(null);

/**
 * A scope in a read. A scope that is absent, of an unknown level or without a readable list for its level is
 * `UNRECOGNIZED`, so that its group can be read, and an incomplete scope is never written back. Such a scope keeps its
 * JSON, and so does one of level 6, whose lists are not documented.
 */
export const responseAccessScope = z
  .unknown()
  .optional()
  .transform((json): ReadAccessScope => {
    const scope = scopeMembers.parse(json);
    const rawLevel = scope?.access_level ?? -1;
    const level = ACCESS_LEVELS[rawLevel];
    if (level === 'LEVEL_6') return { level, json };
    return (scope && level && scopeWithLists(level, scope)) ?? { level: 'UNRECOGNIZED', rawLevel, json };
  });

/** A scope in a request. `decodeAccessScope` checks that its lists fit its level. */
export const requestAccessScope = z.object({
  access_level: z.int32().nullish(),
  categories: requestList(categoryScope).nullish(),
  project_versions: requestList(storableId).nullish(),
  languages: requestList(languageScope).nullish(),
});

interface ScopeLists {
  readonly categories: readonly CategoryScope[] | null;
  readonly project_versions: readonly string[] | null;
  readonly languages: readonly LanguageScope[] | null;
}

/** The list that each level needs. Other levels need none. */
const REQUIRED_LIST: Partial<Record<KnownAccessLevel, keyof ScopeLists>> = {
  CATEGORY: 'categories',
  VERSION: 'project_versions',
  LANGUAGE: 'languages',
};

function scopeWithLists(level: KnownAccessLevel, lists: ScopeLists): AccessScope | null {
  const { categories, project_versions: projectVersionIds, languages } = lists;
  if (level === 'CATEGORY') return categories && { level, categories };
  if (level === 'VERSION') return projectVersionIds && { level, projectVersionIds };
  if (level === 'LANGUAGE') return languages && { level, languages };
  return { level };
}

/**
 * Decodes a scope. The error has every finding. A list that is null, absent or `[]` counts as absent: see
 * docs/contract.md, "Store group update".
 */
export function decodeAccessScope(body: z.output<typeof requestAccessScope>): Result<AccessScope, readonly string[]> {
  const { access_level } = body;
  if (access_level == null) return err(['The AccessLevel field is required.']);
  const level = ACCESS_LEVELS[access_level];
  if (level === undefined) return err([`access_scope.access_level must be from 0 to 6; it is ${access_level}.`]);
  const lists = {
    categories: nullIfEmpty(body.categories),
    project_versions: nullIfEmpty(body.project_versions),
    languages: nullIfEmpty(body.languages),
  };
  const needed = REQUIRED_LIST[level];
  const scope = scopeWithLists(level, lists);
  const findings = scope ? [] : [`access_scope.${needed} is required when access_level is ${access_level}.`];
  for (const [name, list] of Object.entries(lists)) {
    if (list === null || name === needed) continue;
    findings.push(`access_scope.${name} must not be present when access_level is ${access_level}.`);
  }
  return scope && findings.length === 0 ? ok(scope) : err(findings);
}

const nullIfEmpty = <T>(list: readonly T[] | null | undefined): readonly T[] | null => (list?.length ? list : null);
