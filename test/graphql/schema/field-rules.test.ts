import { type GraphQLField, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { UPSTREAM_COSTS } from '../../../src/graphql/execution/cost/upstream-costs.ts';
import { FIELDS_WITH_CALLS } from '../../../src/graphql/schema/articles/articles.ts';
import { createSubgraph } from '../../../src/graphql/schema/schema.ts';

// What a new field has to be, which the compiler can't see. Each rule names the fields that break it.

/** Fields that ask the context, and cost no call, or one that is not counted before the request: each with its reason. */
const FREE_FIELDS: Readonly<Record<string, string>> = {
  'Query.caller': 'known of each request',
  'Query.knowledgeBaseId': 'makes no call',
  'Query.rateLimit': 'makes no call',
  'Query._service': 'the text of the schema',
  '_Service.sdl': 'the text of the schema',
  'Query.articleUpdateJob': 'a read of the state',
  'ArticleUpdateJob.revertOf': 'a read of the state',
  'ArticleUpdateJob.revertedBy': 'a read of the state',
  'RevertArticleUpdateJobPreview.items': 'the backend counts its calls',
  'Mutation.submitArticleUpdateJob': 'a write of the state',
  'Mutation.cancelArticleUpdateJob': 'a write of the state',
  'Mutation.resumeArticleUpdateJob': 'a write of the state',
  'Mutation.revertArticleUpdateJob': 'a write of the state',
  'Mutation.previewRevertArticleUpdateJob': 'a read of the state',
  'UpdateReaderGroupPayload.readerGroup': 'one call at most for a mutation',
  'ChangeReaderGroupMembersPayload.readerGroup': 'one call at most for a mutation',
  'ChangedSinceError.readerGroup': 'one call at most for a mutation',
  'UpdateReaderGroupPreview.removedReaders': 'the list of readers, once for a mutation',
  'UpdateReaderGroupPreview.removedInvitedSsoUsers': 'the list of readers, once for a mutation',
  'Reader.groupIds': 'a part of most readers; the backend counts the calls for others',
  'ReaderGroup.accessScope': 'a part of whole groups; the backend counts the calls for others',
  'ReaderGroup.invitedSsoUserIds': 'a part of whole groups; the backend counts the calls for others',
  'ReaderGroup.readerIds': 'a part of whole groups; the backend counts the calls for others',
  'ReaderGroup.revision': 'a part of whole groups; the backend counts the calls for others',
};

/** Fields that ask the context and are never null: where a call for one fails, the object with it is lost too. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  'ArticleCreateUnknown.candidates',
  'CategoryCreateUnknown.candidates',
  'Query._entities',
  'Query._service',
  'Query.nodes',
  '_Service.sdl',
  'Reader.groupIds',
  'ReaderGroup.accessScope',
  'ReaderGroup.invitedSsoUserIds',
  'ReaderGroup.readerIds',
  'ReaderGroup.revision',
]);

const objectTypes = Object.values(createSubgraph().getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'));

const fields = objectTypes.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
);

/** A resolver of the object alone has one parameter. Any other may ask the backend, the jobs or the loaders of its context. */
const asksContext = ({ resolve }: GraphQLField<unknown, unknown>): boolean =>
  resolve !== undefined && resolve.length !== 1;

const asking = fields.filter(({ field }) => asksContext(field));

describe('a field that asks the context', () => {
  it('has its cost in UPSTREAM_COSTS, or is listed here as free', () => {
    const unlisted = asking.map(({ name }) => name).filter((name) => !(name in UPSTREAM_COSTS || name in FREE_FIELDS));
    expect(unlisted, 'Add each to UPSTREAM_COSTS, or to FREE_FIELDS with the reason.').toEqual([]);
    const names = new Set(asking.map(({ name }) => name));
    expect(Object.keys(FREE_FIELDS).filter((name) => !names.has(name) || name in UPSTREAM_COSTS)).toEqual([]);
  });

  it('is nullable, so that an error leaves the rest of its object', () => {
    const neverNull = asking.filter(({ field }) => isNonNullType(field.type)).map(({ name }) => name);
    expect(
      neverNull.filter((name) => !NEVER_NULL.has(name)),
      'Declare each with nullable: true.',
    ).toEqual([]);
  });
});

describe('a field of articles with a call of its own', () => {
  it('is in FIELDS_WITH_CALLS, by which previews count their calls', () => {
    const costly = Object.entries(UPSTREAM_COSTS).filter(
      ([name, { calls, resource }]) => name.startsWith('Article.') && calls && resource !== 'article text',
    );
    expect(
      costly.map(([name]) => name),
      'Add each to FIELDS_WITH_CALLS, not to UPSTREAM_COSTS.',
    ).toEqual(FIELDS_WITH_CALLS.map((field) => `Article.${field}`));
  });
});

describe('the field id', () => {
  it('is the global ID of a node: IDs of the service have other names, such as articleId', () => {
    const others = objectTypes.filter(
      (type) => type.getFields()['id'] && !type.getInterfaces().some(({ name }) => name === 'Node'),
    );
    expect(others.map(({ name }) => name)).toEqual([]);
  });
});
