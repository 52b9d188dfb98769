import type { Language, ProjectVersion } from '../../domain/articles/project-versions.ts';
import type { LanguageScope } from '../../domain/reader-groups/access-scopes.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';

export const LanguageType = builder.objectRef<Language>('Language').implement({
  description: 'A language of a project version.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The code that every `languageCode` refers to: `en`, `pt-br`.' }),
    name: t.exposeString('name', { description: 'Its name, for people.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether it is the default of its project version.' }),
  }),
});

export const ProjectVersionType = builder.objectRef<ProjectVersion>('ProjectVersion').implement({
  description: "A version of the documentation. The service's newer texts call it a workspace.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'The global ID.',
      resolve: ({ projectVersionId }) => encodeGlobalId('ProjectVersion', [projectVersionId]),
    }),
    projectVersionId: t.exposeID('projectVersionId', { description: "The service's own ID." }),
    name: t.exposeString('name', { description: 'Its name, for people.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether it is the one meant where none is named.' }),
    languages: t.expose('languages', { type: [LanguageType], nullable: true, description: 'Its languages.' }),
  }),
});

/** Finds a project version in the list of all of them, which a request reads once. */
export async function findProjectVersion({ loaders }: Context, id: string): Promise<ProjectVersion | null> {
  const versions = await loaders.projectVersions.load('all');
  return versions.find(({ projectVersionId }) => projectVersionId === id) ?? null;
}

export async function findLanguage(context: Context, scope: LanguageScope): Promise<Language | null> {
  const version = await findProjectVersion(context, scope.projectVersionId);
  return version?.languages.find(({ code }) => code === scope.languageCode) ?? null;
}

builder.queryField('projectVersions', (t) =>
  t.field({
    type: [ProjectVersionType],
    nullable: true,
    description: 'All project versions, with their languages. One call to the service.',
    resolve: (_root, _args, context) => authorizeRead(context).loaders.projectVersions.load('all'),
  }),
);
