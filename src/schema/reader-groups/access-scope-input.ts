import { builder } from '../builder.ts';

const ScopeLevel = builder.enumType('ScopeLevel', {
  description: 'The levels that carry no list.',
  values: {
    NONE: { description: 'Level 0: no access.' },
    PROJECT: { description: 'Level 3: the whole project.' },
    ARTICLE: { description: 'Level 5: single articles, which the service keeps elsewhere.' },
    LEVEL_6: { description: 'Level 6: the service accepts it, and does not document what it means.' },
  } as const,
});

const CategoryScopeInput = builder.inputType('CategoryScopeInput', {
  description: 'One category of one project version, in one language.',
  fields: (t) => ({
    projectVersionId: t.id({ required: true, description: 'The project version of the category. Not empty.' }),
    categoryId: t.id({ required: true, description: 'The category. Not empty.' }),
    languageCode: t.string({ required: true, description: 'The language. Not empty.' }),
  }),
});

const LanguageScopeInput = builder.inputType('LanguageScopeInput', {
  description: 'One language of one project version.',
  fields: (t) => ({
    projectVersionId: t.id({ required: true, description: 'The project version. Not empty.' }),
    languageCode: t.string({ required: true, description: 'The language. Not empty.' }),
  }),
});

export const AccessScopeInput = builder.inputType('AccessScopeInput', {
  description:
    'What a reader group may read, stated in exactly one way: so a level never stands beside the list of another.',
  isOneOf: true,
  fields: (t) => ({
    level: t.field({ type: ScopeLevel, description: 'A level that carries no list.' }),
    categories: t.field({ type: [CategoryScopeInput], description: 'Level 1: these categories. At least one.' }),
    projectVersions: t.idList({ description: 'Level 2: the project versions with these IDs. At least one.' }),
    languages: t.field({ type: [LanguageScopeInput], description: 'Level 4: these languages. At least one.' }),
  }),
});
