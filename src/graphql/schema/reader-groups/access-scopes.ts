import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import {
  type CategoryScope,
  type LanguageScope,
  listOfScope,
  type PlainAccessLevel,
  type ReadAccessScope,
  rawLevelOf,
} from '../../../core/reader-groups/access-scopes.ts';
import { CategoryType } from '../articles/categories.ts';
import { findLanguage, LanguageType, ProjectVersionType } from '../articles/project-versions.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';
import { selectsAnyField } from '../selected-fields.ts';

const ScopeLevelType = builder.enumType('ScopeLevel', {
  description: 'The access levels that need no list of what may be read.',
  values: {
    NONE: { description: 'Level 0 of the service: no access.' },
    PROJECT: { description: 'Level 3 of the service: the whole project.' },
    ARTICLE: { description: 'Level 5 of the service: single articles, which the service keeps outside of the group.' },
    LEVEL_6: {
      description:
        'Level 6 of the service, which accepts this level and does not document its meaning. Stating level 6 sends no lists; to keep a group of level 6 as it is, leave `accessScope` out.',
    },
  },
});

const CategoryScopeInput = builder.inputType('CategoryScopeInput', {
  description: 'One category of a project version, in one language.',
  fields: (t) => ({
    projectVersionId: t.id({
      required: true,
      description: "The service's ID of the project version that has the category. Not empty.",
    }),
    categoryId: t.id({ required: true, description: "The service's ID of the category. Not empty." }),
    languageCode: t.string({
      required: true,
      description: 'Code of a language of the project version, such as `en`. Not empty.',
    }),
  }),
});

const LanguageScopeInput = builder.inputType('LanguageScopeInput', {
  description: 'One language of a project version.',
  fields: (t) => ({
    projectVersionId: t.id({
      required: true,
      description: "The service's ID of the project version that has the language. Not empty.",
    }),
    languageCode: t.string({
      required: true,
      description: 'Code of a language of the project version, such as `en`. Not empty.',
    }),
  }),
});

export const AccessScopeInput = builder.inputType('AccessScopeInput', {
  description:
    'What the members of a reader group may read, stated in exactly one way, so that a level never stands beside the list of another level. A scope that was read with `level: scopeLevel`, `categories`, `projectVersionIds` and `languages` can be sent back as it is, without `__typename`.',
  isOneOf: true,
  fields: (t) => ({
    level: t.field({ type: ScopeLevelType, description: 'An access level that needs no list.' }),
    categories: t.field({
      type: [CategoryScopeInput],
      description: 'Level 1 of the service: the categories that may be read. At least one.',
    }),
    projectVersionIds: t.idList({
      description: "Level 2 of the service: the service's IDs of the project versions that may be read. At least one.",
    }),
    languages: t.field({
      type: [LanguageScopeInput],
      description: 'Level 4 of the service: the languages of project versions that may be read. At least one.',
    }),
  }),
});

const SCOPE_LISTS: ReadonlySet<string> = new Set(['categories', 'languages']);
const CATEGORY_FIELD: ReadonlySet<string> = new Set(['category']);
const VERSION_FIELDS: ReadonlySet<string> = new Set(['projectVersion', 'language']);
const VERSION_LIST_FIELD: ReadonlySet<string> = new Set(['projectVersions']);

/** The categories of a longer list are loaded one by one, so that the budget of the operation can end the list. */
const MAX_CATEGORIES = 100;

/**
 * Returns the scope once its selected categories and project versions are loaded, so that its fields are executed without a
 * promise for each (loaders.ts says what that takes). A field whose object could not be loaded reports the error.
 */
export function loadScopeLinks<S extends ReadAccessScope>(
  scope: S,
  { loaders }: Context,
  info: GraphQLResolveInfo,
): S | Promise<S> {
  const pending: unknown[] = [];
  const categories = scope.level === 'CATEGORY' ? scope.categories : [];
  const isShort = categories.length > 0 && categories.length <= MAX_CATEGORIES;
  if (isShort && selectsAnyField(info, CATEGORY_FIELD, SCOPE_LISTS))
    pending.push(loaders.categories.loadAll(categories));
  const versionFields = scope.level === 'VERSION' ? VERSION_LIST_FIELD : VERSION_FIELDS;
  if (listOfScope(scope).entries.length > 0 && selectsAnyField(info, versionFields, SCOPE_LISTS))
    pending.push(loaders.listProjectVersions());
  return pending.length === 0 ? scope : Promise.allSettled(pending).then(() => scope);
}

type AccessScopeOfLevel<L extends ReadAccessScope['level']> = Extract<ReadAccessScope, { level: L }>;

const ACCESS_SCOPE_TYPE_NAMES = {
  NONE: 'PlainAccessScope',
  CATEGORY: 'CategoryAccessScope',
  VERSION: 'VersionAccessScope',
  PROJECT: 'PlainAccessScope',
  LANGUAGE: 'LanguageAccessScope',
  ARTICLE: 'PlainAccessScope',
  LEVEL_6: 'PlainAccessScope',
  UNRECOGNIZED: 'UnrecognizedAccessScope',
} as const satisfies Record<ReadAccessScope['level'], string>;

const AccessLevel = builder.enumType('AccessLevel', {
  description: 'The kind of an access scope. The service numbers the kinds from 0 to 6.',
  values: {
    NONE: { description: 'Level 0 of the service: no access.' },
    CATEGORY: { description: 'Level 1 of the service: the listed categories.' },
    VERSION: { description: 'Level 2 of the service: the listed project versions.' },
    PROJECT: { description: 'Level 3 of the service: the whole project.' },
    LANGUAGE: { description: 'Level 4 of the service: the listed languages of project versions.' },
    ARTICLE: { description: 'Level 5 of the service: single articles, which the service keeps outside of the group.' },
    LEVEL_6: { description: 'Level 6 of the service, which accepts this level and does not document its meaning.' },
    UNRECOGNIZED: {
      description: 'A level that this version of the gateway does not know; `rawLevel` has the number of the level.',
    },
  },
});

export const AccessScopeType = builder.interfaceRef<ReadAccessScope>('AccessScope').implement({
  description:
    'What the members of a reader group may read. To write a scope back, select `level: scopeLevel` of PlainAccessScope and the lists of the other types, and send the object without `__typename` as AccessScopeInput.',
  resolveType: ({ level }) => ACCESS_SCOPE_TYPE_NAMES[level],
  fields: (t) => ({
    level: t.field({ type: AccessLevel, description: 'The level by name.', resolve: ({ level }) => level }),
    rawLevel: t.int({
      description: "The service's number of the level; -1 where the service shows none.",
      resolve: rawLevelOf,
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<PlainAccessLevel>>('PlainAccessScope').implement({
  description: 'An access scope whose level has no list: levels 0, 3, 5 and 6 of the service.',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    scopeLevel: t.field({
      type: ScopeLevelType,
      description:
        'The level as AccessScopeInput takes it. Under the alias `level`, the selected object is an AccessScopeInput.',
      resolve: ({ level }) => level,
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'UNRECOGNIZED'>>('UnrecognizedAccessScope').implement({
  description:
    'An access scope that this version of the gateway cannot read. No AccessScopeInput states it; an update that leaves `accessScope` out keeps it exactly as the service shows it.',
  interfaces: [AccessScopeType],
});

function addLanguageLinks<S extends LanguageScope>(type: ObjectRef<SchemaTypes, S>): void {
  builder.objectFields(type, (t) => ({
    projectVersion: t.field({
      type: ProjectVersionType,
      nullable: true,
      description: 'The project version by its ID; null where it no longer exists.',
      resolve: ({ projectVersionId }, _, { loaders }) => loaders.findProjectVersion(projectVersionId),
    }),
    language: t.field({
      type: LanguageType,
      nullable: true,
      description: 'The language by its code; null where the project version no longer has it.',
      resolve: (scope, _, context) => findLanguage(context, scope),
    }),
  }));
}

const LanguageScopeType = builder.objectRef<LanguageScope>('LanguageScope').implement({
  description: 'One language of a project version.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's ID of the project version." }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language, such as `en`.' }),
  }),
});

addLanguageLinks(LanguageScopeType);

const CategoryScopeType = builder.objectRef<CategoryScope>('CategoryScope').implement({
  description: 'One category of a project version, in one language.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's ID of the project version." }),
    categoryId: t.exposeID('categoryId', { description: "The service's ID of the category." }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language, such as `en`.' }),
    category: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The category by its ID, in the language of the scope; null where it no longer exists.',
      resolve: ({ projectVersionId, categoryId, languageCode }, _, { loaders }) =>
        loaders.categories.load({ projectVersionId, categoryId, languageCode }),
    }),
  }),
});

addLanguageLinks(CategoryScopeType);

builder.objectRef<AccessScopeOfLevel<'CATEGORY'>>('CategoryAccessScope').implement({
  description: 'An access scope of level 1 of the service: the listed categories may be read.',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    categories: t.expose('categories', {
      type: [CategoryScopeType],
      description: 'The categories that may be read, in the order in which the service shows them.',
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'VERSION'>>('VersionAccessScope').implement({
  description: 'An access scope of level 2 of the service: the listed project versions may be read.',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    projectVersionIds: t.exposeIDList('projectVersionIds', {
      description:
        "The service's IDs of the project versions that may be read, in the order in which the service shows them.",
    }),
    projectVersions: t.field({
      type: t.listRef(ProjectVersionType, { nullable: true }),
      description:
        'The project versions that may be read, in the order of `projectVersionIds`, with null in the place of one that no longer exists. Null as a whole where they cannot be read.',
      nullable: true,
      resolve: ({ projectVersionIds }, _, context) =>
        loadAll(context, projectVersionIds, async (id) => context.loaders.findProjectVersion(id)),
    }),
  }),
});

builder.objectRef<AccessScopeOfLevel<'LANGUAGE'>>('LanguageAccessScope').implement({
  description: 'An access scope of level 4 of the service: the listed languages of project versions may be read.',
  interfaces: [AccessScopeType],
  fields: (t) => ({
    languages: t.expose('languages', {
      type: [LanguageScopeType],
      description: 'The languages that may be read, in the order in which the service shows them.',
    }),
  }),
});
