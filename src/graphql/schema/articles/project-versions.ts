import type { Language, ProjectVersion } from '../../../core/articles/articles.ts';
import type { LanguageScope } from '../../../core/reader-groups/access-scopes.ts';
import { builder, globalId, NodeInterface } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { ArticleType } from './articles.ts';

export const LanguageType = builder.objectRef<Language>('Language').implement({
  description: 'A language that a project version is written in.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description: 'The code of the language, such as `en` or `pt-br`, as every `languageCode` takes and returns it.',
    }),
    name: t.exposeString('name', { description: 'The name of the language, for people.' }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether this is the default language of its project version.',
    }),
  }),
});

export const ProjectVersionType = builder.objectRef<ProjectVersion>('ProjectVersion').implement({
  description:
    "A version of the documentation, with its own categories, articles and languages. The service's newer texts call this a workspace.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(t),
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's own ID of the project version." }),
    name: t.exposeString('name', { description: 'The name of the project version, for people.' }),
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether this is the default project version, which queries read where none is named.',
    }),
    languages: t.expose('languages', {
      type: [LanguageType],
      nullable: true,
      description:
        'All languages of the project version, in the order of the service; the embedded store sorts them by code.',
    }),
  }),
});

export function findLanguage({ loaders }: Context, scope: LanguageScope): Language | null | Promise<Language | null> {
  const findIn = (version: ProjectVersion | null) =>
    version?.languages.find(({ code }) => code === scope.languageCode) ?? null;
  const version = loaders.findProjectVersion(scope.projectVersionId);
  return version instanceof Promise ? version.then(findIn) : findIn(version);
}

builder.objectField(ArticleType, 'projectVersion', (t) =>
  t.field({
    type: ProjectVersionType,
    nullable: true,
    description:
      'The project version that the article belongs to; null where the service does not list that project version.',
    resolve: ({ projectVersionId }, _args, { loaders }) => loaders.findProjectVersion(projectVersionId),
  }),
);

builder.queryField('projectVersions', (t) =>
  t.field({
    type: [ProjectVersionType],
    nullable: true,
    description:
      'All project versions, in the order of the service; the embedded store keeps the order of their import. Costs one call to the service.',
    resolve: (_root, _args, context) => authorizeRead(context).loaders.listProjectVersions(),
  }),
);
