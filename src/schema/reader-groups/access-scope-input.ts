import { builder } from '../builder.ts';

export const ScopeLevelType = builder.enumType('ScopeLevel', {
  description: 'The access levels that need no list of what may be read.',
  values: {
    NONE: { description: 'Level 0 of the service: no access.' },
    PROJECT: { description: 'Level 3 of the service: the whole project.' },
    ARTICLE: { description: 'Level 5 of the service: single articles, which the service keeps outside of the group.' },
    LEVEL_6: {
      description:
        'Level 6 of the service, which accepts this level and does not document its meaning. Stating level 6 sends no lists; to keep a group of level 6 as it is, leave `accessScope` out.',
    },
  } as const,
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
