import {
  type CategoryScope,
  type LanguageScope,
  type ReadAccessScope,
  rawLevelOf,
} from '../../domain/reader-groups/access-scopes.ts';
import { CategoryType } from '../articles/categories.ts';
import { findLanguage, findProjectVersion, LanguageType, ProjectVersionType } from '../articles/project-versions.ts';
import { builder } from '../builder.ts';
import { loadAll } from '../context.ts';

type AccessScopeOfLevel<L extends ReadAccessScope['level']> = Extract<ReadAccessScope, { level: L }>;

const ACCESS_SCOPE_TYPE_NAMES = {
  NONE: 'PlainAccessScope',
  CATEGORY: 'CategoryAccessScope',
  VERSION: 'VersionAccessScope',
  PROJECT: 'PlainAccessScope',
  LANGUAGE: 'LanguageAccessScope',
  ARTICLE: 'PlainAccessScope',
  LEVEL_6: 'PlainAccessScope',
  UNRECOGNIZED: 'PlainAccessScope',
} as const satisfies Record<ReadAccessScope['level'], string>;

const AccessLevel = builder.enumType('AccessLevel', {
  description: 'What an access scope is stated by. The service numbers these from 0 to 6.',
  values: {
    NONE: { description: 'Level 0: no access.' },
    CATEGORY: { description: 'Level 1: the listed categories.' },
    VERSION: { description: 'Level 2: the listed project versions.' },
    PROJECT: { description: 'Level 3: the whole project.' },
    LANGUAGE: { description: 'Level 4: the listed languages of project versions.' },
    ARTICLE: { description: 'Level 5: single articles, which the service keeps elsewhere.' },
    LEVEL_6: { description: 'Level 6: the service accepts it, and does not document what it means.' },
    UNRECOGNIZED: { description: 'A level that is not known here; `rawLevel` has its number.' },
  } as const,
});

export const AccessScopeType = builder.interfaceRef<ReadAccessScope>('AccessScope').implement({
  description: 'What a reader group may read.',
  resolveType: ({ level }) => ACCESS_SCOPE_TYPE_NAMES[level],
  fields: (t) => ({
    level: t.field({ type: AccessLevel, description: 'The level by name.', resolve: ({ level }) => level }),
    rawLevel: t.int({ description: "The level as the service's number.", resolve: rawLevelOf }),
  }),
});

builder.objectRef<ReadAccessScope>('PlainAccessScope').implement({
  description: 'A scope whose level carries no list (0, 3, 5, 6, and levels that are not known here).',
  interfaces: [AccessScopeType],
});

const LanguageScopeType = builder.objectRef<LanguageScope>('LanguageScope').implement({
  description: 'One language of one project version.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: 'ID of the project version.' }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language.' }),
    projectVersion: t.field({
      type: ProjectVersionType,
      nullable: true,
      description: 'The project version; null where it no longer exists.',
      resolve: ({ projectVersionId }, _, context) => findProjectVersion(context, projectVersionId),
    }),
    language: t.field({
      type: LanguageType,
      nullable: true,
      description: 'The language; null where the project version no longer has it.',
      resolve: (scope, _, context) => findLanguage(context, scope),
    }),
  }),
});

const CategoryScopeType = builder.objectRef<CategoryScope>('CategoryScope').implement({
  description: 'One category of one project version, in one language.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: 'ID of the project version.' }),
    categoryId: t.exposeID('categoryId', { description: 'ID of the category.' }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language.' }),
    projectVersion: t.field({
      type: ProjectVersionType,
      nullable: true,
      description: 'The project version; null where it no longer exists.',
      resolve: ({ projectVersionId }, _, context) => findProjectVersion(context, projectVersionId),
    }),
    category: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The category; null where it no longer exists.',
      resolve: ({ projectVersionId, categoryId, languageCode }, _, { loaders }) =>
        loaders.categories.load({ projectVersionId, categoryId, languageCode }),
    }),
    language: t.field({
      type: LanguageType,
      nullable: true,
      description: 'The language; null where the project version no longer has it.',
      resolve: (scope, _, context) => findLanguage(context, scope),
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'CATEGORY'>>('CategoryAccessScope').implement({
  description: 'Access to the listed categories (level 1).',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    categories: t.expose('categories', { type: [CategoryScopeType], description: 'The categories.' }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'VERSION'>>('VersionAccessScope').implement({
  description: 'Access to the listed project versions (level 2).',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    projectVersionIds: t.exposeIDList('projectVersionIds', { description: 'IDs of the project versions.' }),
    projectVersions: t.field({
      type: t.listRef(ProjectVersionType, { nullable: true }),
      description: 'The project versions, in the order of their IDs; null in the place of one that no longer exists.',
      nullable: true,
      resolve: ({ projectVersionIds }, _, context) =>
        loadAll(context, projectVersionIds, (id) => findProjectVersion(context, id)),
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'LANGUAGE'>>('LanguageAccessScope').implement({
  description: 'Access to the listed languages of project versions (level 4).',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    languages: t.expose('languages', { type: [LanguageScopeType], description: 'The languages.' }),
  }),
});
