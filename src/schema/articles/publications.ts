import type { PreviewExtent } from '../../domain/articles/article-previews.ts';
import { missingAccountText } from '../../domain/articles/articles.ts';
import {
  type ArticlePublications,
  MAX_PUBLISHED_VERSION,
  type PublicationWrite,
  previewPublications,
  validatePublications,
} from '../../domain/articles/publications.ts';
import type { BackendErrorKind } from '../../domain/errors.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { unwrapResult } from '../graphql-errors.ts';
import {
  createResultType,
  idempotencyKeyArgs,
  KEYED_WRITE_ERROR_KINDS,
  runPreview,
  runWrite,
  WRITE_ERROR_KINDS,
} from '../mutations.ts';
import { articlesPayloadOf, createArticlesPayload } from './article-outcomes.ts';
import { createArticlesPreview, extentOf } from './bulk-updates.ts';

const ArticlePublishInput = builder.inputType('ArticlePublishInput', {
  description: 'An article in one language, with the version that is to be published or unpublished.',
  fields: (t) => ({
    articleId: t.id({ required: true, description: "The service's own ID of the article. Not empty." }),
    languageCode: t.string({
      description:
        "The code of the language, such as `en`. Left out: the default language of the article's project version. Not empty.",
    }),
    versionNumber: t.int({
      description: `The number of the version, from 1 to ${MAX_PUBLISHED_VERSION}. Left out: the latest version is published, and the public one unpublished.`,
    }),
  }),
});

/** What the descriptions of publishing and of unpublishing differ in. */
interface Wording {
  /** The name of the write in the names of types. */
  readonly name: 'PublishArticles' | 'UnpublishArticles';
  readonly verb: string;
  readonly done: string;
  /** What becomes of one article. */
  readonly effect: string;
}

const createInputType = ({ name, verb, done }: Wording) =>
  builder.inputType(`${name}Input`, {
    description: `The articles to ${verb}.`,
    fields: (t) => ({
      articles: t.field({
        type: [ArticlePublishInput],
        required: true,
        description: `The articles to ${verb}, from 1 to 10,000, unless the gateway is set to another maximum (\`MAX_BULK_ITEMS\`).`,
      }),
      userId: t.id({
        required: true,
        description: `The ID of the team account in whose name the articles are ${done}, as in \`TeamAccount.userId\`. Not empty.`,
      }),
      message: t.string({
        description:
          'A text that the service keeps in the history of the articles: at most 1,000 characters, since each article is sent with it.',
      }),
    }),
  });

const exampleOf = (field: string, selection: string): string => `
\`\`\`graphql
mutation {
  ${field}(input: { articles: [{ articleId: "unpack-the-hub" }], userId: "embedded-store" }) {
    __typename
    ${selection}
    ... on MutationError { message retryable }
  }
}
\`\`\``;

/** Adds the mutation, its preview and their types. */
function addPublication(write: PublicationWrite, wording: Wording): void {
  const input = createInputType(wording);
  addWrite(write, input, wording);
  addPreview(write, input, wording);
}

type PublicationInput = ReturnType<typeof createInputType>;

function addWrite(write: PublicationWrite, type: PublicationInput, { name, verb, done, effect }: Wording): void {
  const payload = createArticlesPayload(`${name}Payload`, {
    description: `Articles that were to be ${done}, each with an outcome of its own. An \`ArticleUpdated\` tells it in \`publication\` as well.`,
  });
  const example = exampleOf(
    write,
    `... on ${name}Payload { results { __typename articleId details ... on ArticleUpdated { publication } } }`,
  );
  builder.mutationField(write, (t) =>
    t.field({
      type: createResultType(`${name}Result`, {
        description: 'A payload with an outcome for each item, or an error that concerns the whole.',
        payload,
        errorKinds: [...KEYED_WRITE_ERROR_KINDS, 'too-costly'],
      }),
      nullable: true,
      description: `${effect} Over the service the articles are read first, from lists within \`MAX_UPSTREAM_CALLS\`, and sent in calls of up to 100 items (\`UPSTREAM_BULK_SIZE\`) for each project version and language. Where the service refuses a call with several items, each is read, and is updated where it is seen to be ${done}, else unknown. Nothing is sent twice.\n${example}`,
      args: {
        input: t.arg({ type, required: true, description: `The articles to ${verb}.` }),
        ...idempotencyKeyArgs,
      },
      resolve: (_root, { input, idempotencyKey }, context) =>
        runWrite(context, write, {
          idempotencyKey,
          validation: validatePublications(input, context.limits.maxBulkItems),
          toPayload: (written, { items }) => articlesPayloadOf(written, items, context.caller),
        }),
    }),
  );
}

function addPreview(write: PublicationWrite, type: PublicationInput, { name, done }: Wording): void {
  const field = `preview${name}` as const;
  const payload = createArticlesPreview(`${name}Preview`, {
    description: `What would change, if the articles were ${done} now. Nothing was written.`,
  });
  const example = exampleOf(
    field,
    `... on ${name}Preview { results { articleId wouldSucceed changes { field from to } issues { path message } } }`,
  );
  builder.mutationField(field, (t) =>
    t.field({
      type: createResultType(`Preview${name}Result`, {
        description: 'A preview with what each item would do, or the reason why there is none.',
        payload,
        errorKinds: [...WRITE_ERROR_KINDS, 'too-costly'],
      }),
      nullable: true,
      description: `Answers what \`${write}\` would change with the same input, and writes nothing: the \`status\` of the version, and the \`publicVersionNumber\` of the article. What is ${done} already changes nothing. Over the service an item with \`versionNumber\` takes one call, as the team account does, and all others come from lists; never are more calls made than \`MAX_UPSTREAM_CALLS\`.\n${example}`,
      args: { input: t.arg({ type, required: true, description: `The input of \`${write}\`.` }) },
      resolve: (...[_root, { input }, context, info]) =>
        runPreview(context, write, {
          validation: validatePublications(input, context.limits.maxBulkItems),
          load: (_context, publications) => loadPreview(write, context, { publications, extent: extentOf(info) }),
        }),
    }),
  );
}

addPublication('publishArticles', {
  name: 'PublishArticles',
  verb: 'publish',
  done: 'published',
  effect: 'Publishes versions of articles, each of which becomes the public version of its article and language.',
});

addPublication('unpublishArticles', {
  name: 'UnpublishArticles',
  verb: 'unpublish',
  done: 'unpublished',
  effect: 'Unpublishes articles, each of which then has no public version in its language.',
});

interface PreviewRequest {
  readonly publications: ArticlePublications;
  readonly extent: PreviewExtent;
}

async function loadPreview(
  write: PublicationWrite,
  context: Context,
  { publications: { items, userId }, extent }: PreviewRequest,
) {
  const { backend, budget, caller } = context;
  budget.chargeFields(items.length);
  const articles = unwrapResult(await backend.articlesOfUpdates(caller, items, { ...extent, withPublicVersion: true }));
  const sharedIssues = (await isAccountMissing(context, userId))
    ? [{ path: ['userId'], message: missingAccountText(userId) }]
    : [];
  return { items: previewPublications(write, { items, articles, sharedIssues }) };
}

/** False where the backend cannot tell: the service may not offer it, and the preview may have made all of its calls. */
export async function isAccountMissing({ backend, caller }: Context, userId: string): Promise<boolean> {
  const [account] = await backend.teamAccounts(caller, [userId]);
  if (account === undefined || (!account.ok && CANNOT_TELL.has(account.error.kind))) return false;
  return unwrapResult(account) === null;
}

const CANNOT_TELL: ReadonlySet<string> = new Set(['not-offered', 'query-too-costly'] satisfies BackendErrorKind[]);
