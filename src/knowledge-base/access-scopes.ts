import { z } from 'zod';
import { ACCESS_LEVELS, type AccessScope, type PlainAccessLevel } from '../domain/reader-groups/access-scopes.ts';
import { entry, id } from './fields.ts';

const LIST_NEEDED = 'must have at least one entry at this access_level';

const neededList = <T extends z.ZodType>(item: T) =>
  z.array(item, { error: ({ input }) => (input == null ? LIST_NEEDED : 'must be a list') }).min(1, LIST_NEEDED);

const NOT_HERE = 'must not be there at this access_level';

/** Null, absence and `[]` all mean that a list is not there: see docs/service.md, "Access scopes". */
const noList = z.array(z.unknown(), NOT_HERE).max(0, NOT_HERE).nullish();

const noLists = { categories: noList, project_versions: noList, languages: noList };

const languageScope = entry({ project_version_id: id, language_code: id }).transform((raw) => ({
  projectVersionId: raw.project_version_id,
  languageCode: raw.language_code,
}));

const categoryScope = entry({ project_version_id: id, category_id: id, language_code: id }).transform((raw) => ({
  projectVersionId: raw.project_version_id,
  categoryId: raw.category_id,
  languageCode: raw.language_code,
}));

const plainScope = (level: PlainAccessLevel) =>
  entry({ access_level: z.literal(ACCESS_LEVELS[level]), ...noLists }).transform((): AccessScope => ({ level }));

const UNKNOWN_LEVEL = `must be one of ${Object.values(ACCESS_LEVELS).join(', ')}`;

/** The scope of a group. */
export const accessScope = z.discriminatedUnion(
  'access_level',
  [
    plainScope('NONE'),
    entry({
      access_level: z.literal(ACCESS_LEVELS.CATEGORY),
      ...noLists,
      categories: neededList(categoryScope),
    }).transform(({ categories }): AccessScope => ({ level: 'CATEGORY', categories })),
    entry({ access_level: z.literal(ACCESS_LEVELS.VERSION), ...noLists, project_versions: neededList(id) }).transform(
      (scope): AccessScope => ({ level: 'VERSION', projectVersionIds: scope.project_versions }),
    ),
    plainScope('PROJECT'),
    entry({
      access_level: z.literal(ACCESS_LEVELS.LANGUAGE),
      ...noLists,
      languages: neededList(languageScope),
    }).transform(({ languages }): AccessScope => ({ level: 'LANGUAGE', languages })),
    plainScope('ARTICLE'),
    plainScope('LEVEL_6'),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? UNKNOWN_LEVEL : 'must be an object') },
);
