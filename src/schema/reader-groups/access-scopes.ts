import {
  type CategoryScope,
  type LanguageScope,
  type PlainAccessLevel,
  type ReadAccessScope,
  rawLevelOf,
} from '../../domain/reader-groups/access-scopes.ts';
import { CategoryType } from '../articles/categories.ts';
import { findLanguage, findProjectVersion, LanguageType, ProjectVersionType } from '../articles/project-versions.ts';
import { builder } from '../builder.ts';
import { loadAll } from '../context.ts';
import { ScopeLevelType } from './access-scope-input.ts';

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
  } as const,
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

const projectVersionDescription = 'The project version by its ID; null where it no longer exists.';
const languageDescription = 'The language by its code; null where the project version no longer has it.';

const LanguageScopeType = builder.objectRef<LanguageScope>('LanguageScope').implement({
  description: 'One language of a project version.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's ID of the project version." }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language, such as `en`.' }),
    projectVersion: t.field({
      type: ProjectVersionType,
      nullable: true,
      description: projectVersionDescription,
      resolve: ({ projectVersionId }, _, context) => findProjectVersion(context, projectVersionId),
    }),
    language: t.field({
      type: LanguageType,
      nullable: true,
      description: languageDescription,
      resolve: (scope, _, context) => findLanguage(context, scope),
    }),
  }),
});

const CategoryScopeType = builder.objectRef<CategoryScope>('CategoryScope').implement({
  description: 'One category of a project version, in one language.',
  fields: (t) => ({
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's ID of the project version." }),
    categoryId: t.exposeID('categoryId', { description: "The service's ID of the category." }),
    languageCode: t.exposeString('languageCode', { description: 'Code of the language, such as `en`.' }),
    projectVersion: t.field({
      type: ProjectVersionType,
      nullable: true,
      description: projectVersionDescription,
      resolve: ({ projectVersionId }, _, context) => findProjectVersion(context, projectVersionId),
    }),
    category: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The category by its ID, in the language of the scope; null where it no longer exists.',
      resolve: ({ projectVersionId, categoryId, languageCode }, _, { loaders }) =>
        loaders.categories.load({ projectVersionId, categoryId, languageCode }),
    }),
    language: t.field({
      type: LanguageType,
      nullable: true,
      description: languageDescription,
      resolve: (scope, _, context) => findLanguage(context, scope),
    }),
  }),
});

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
        loadAll(context, projectVersionIds, (id) => findProjectVersion(context, id)),
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
