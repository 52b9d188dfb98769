import type { GraphQLResolveInfo } from 'graphql';
import { missingAccountText, usersWithout } from '../../../core/articles/articles.ts';
import { versionWarnings } from '../../../core/articles/item-warnings.ts';
import {
  type ArticlePublications,
  MAX_PUBLISHED_VERSION,
  PUBLICATION_KINDS,
  type PublicationWrite,
  previewPublications,
  validatePublications,
} from '../../../core/articles/publications.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { openRead, unwrapResult } from '../graphql-errors.ts';
import { addWrite } from '../mutations.ts';
import {
  ArticleUpdateOutcome,
  accountInputFields,
  BulkUpdateSummary,
  createItemsPayload,
  itemsPayloadOf,
} from './article-outcomes.ts';
import { createArticlesPreview, IF_REVISION, itemsPreviewOf, previewSelectionOf } from './bulk-updates.ts';

const ArticlePublishInput = builder.inputType('ArticlePublishInput', {
  description: 'An article in one language, with the version that is to be published or unpublished.',
  fields: (t) => ({
    articleId: t.id({ required: true, description: "The service's own ID of the article. Not empty." }),
    languageCode: t.string({
      description:
        "The code of the language, such as `en`. Left out: the default language of the article's project version. Not empty.",
    }),
    ifRevision: t.string({ description: IF_REVISION }),
    versionNumber: t.int({
      description: `The number of the version, from 1 to ${MAX_PUBLISHED_VERSION}. Left out: the latest version is published, and the public one unpublished.`,
    }),
  }),
});

interface Wording {
  readonly name: 'PublishArticles' | 'UnpublishArticles';
  readonly verb: string;
  readonly done: string;
  /** The effect on one article, as a part of a sentence. */
  readonly effect: string;
  /** The reads of a preview over the service, as a part of a sentence. */
  readonly reads: string;
  /** The description of the warnings of a preview; absent where it gives none. */
  readonly warnings?: string;
}

function addPublication(write: PublicationWrite, { name, verb, done, effect, reads, warnings }: Wording): void {
  addWrite(write, {
    input: {
      type: builder.inputType(`${name}Input`, {
        description: `The articles to ${verb}.`,
        fields: (t) => ({
          ...accountInputFields(t, ArticlePublishInput),
          message: t.string({
            description:
              'A text that the service keeps in the history of the articles: at most 1,000 characters, since each article is sent with it.',
          }),
        }),
      }),
      description: `The articles to ${verb}.`,
      example: '{ articles: [{ articleId: "unpack-the-hub" }], userId: "embedded-store" }',
    },
    validate: validatePublications,
    write: {
      description: `${effect} Over the service the articles are read first, from lists within \`MAX_UPSTREAM_CALLS\`, and sent in calls of up to 100 items (\`UPSTREAM_BULK_SIZE\`) for each project version and language. Where the service refuses a call with several items, each is read, and is updated where it is seen to be ${done}, else unknown. Nothing is sent twice.`,
      selection: 'results { __typename articleId details ... on ArticleUpdated { publication } }',
      payload: createItemsPayload(`${name}Payload`, {
        description: `Articles that were to be ${done}, each with an outcome of its own. An \`ArticleUpdated\` tells it in \`publication\` as well.`,
        outcomes: ArticleUpdateOutcome,
        summary: BulkUpdateSummary,
      }),
      errorKinds: ['too-costly'],
      toPayload: (written, { items }, caller) => itemsPayloadOf(written, items, caller),
    },
    preview: {
      description: `Answers what \`${write}\` would change with the same input: the \`status\` of the version, and the \`publicVersionNumber\` of the article. What is ${done} already changes nothing. Over the service ${reads}; never are more calls made than \`MAX_UPSTREAM_CALLS\`.`,
      selection: 'results { articleId wouldSucceed changes { field from to } issues { path message } }',
      payload: createArticlesPreview(
        `${name}Preview`,
        `What would change, if the articles were ${done} now. Nothing was written.`,
        warnings,
      ),
      errorKinds: ['too-costly'],
      load: (context, { items, userId }, info) => loadPreview(write, context, { items, userId, info }),
    },
  });
}

addPublication('publishArticles', {
  name: 'PublishArticles',
  verb: 'publish',
  done: 'published',
  effect: 'Publishes versions of articles, each of which becomes the public version of its article and language.',
  reads: 'an item with `versionNumber` takes one call, as the team account does, and all others come from lists',
  warnings:
    'Warnings of the gateway about items whose latest version is a draft, while an older one is public: it may be the work of somebody else (`ITEM_HAS_DRAFT`). `extensionData` has the `indexes` of the first 100 items and their `total`.',
});

addPublication('unpublishArticles', {
  name: 'UnpublishArticles',
  verb: 'unpublish',
  done: 'unpublished',
  effect: 'Unpublishes articles, each of which then has no public version in its language.',
  reads: 'the articles come from lists, and the team account takes one call',
});

interface PreviewRequest extends Pick<ArticlePublications, 'items' | 'userId'> {
  readonly info: GraphQLResolveInfo;
}

async function loadPreview(write: PublicationWrite, context: Context, { items, userId, info }: PreviewRequest) {
  const { backend, budget, caller } = context;
  budget.chargeFields(items.length);
  const selection = { ...previewSelectionOf(info), withPublicVersion: true };
  const articles = await openRead(
    backend.articlesOfUpdates(caller, items.map(PUBLICATION_KINDS[write].previewedOf), selection),
  );
  const missing = usersWithout(await backend.teamAccounts(caller, [userId]), [userId]);
  const sharedIssues = [...unwrapResult(missing)].map(() => ({
    path: ['userId'],
    message: missingAccountText(userId),
  }));
  const previews = previewPublications(write, { items, articles, sharedIssues });
  return itemsPreviewOf(previews, () => versionWarnings(previews, null));
}
