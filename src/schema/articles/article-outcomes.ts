import { type ArticleOutcome, type ArticleUpdate, articleKeyOf } from '../../domain/articles/bulk-updates.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { ArticleType } from './articles.ts';

/** An outcome with its item. */
export interface ItemOutcome extends ArticleOutcome {
  readonly index: number;
  readonly update: ArticleUpdate | undefined;
}

const OUTCOME_TYPE_NAMES = {
  updated: 'ArticleUpdated',
  failed: 'ArticleUpdateFailed',
  unknown: 'ArticleUpdateUnknown',
  'not-attempted': 'ArticleUpdateNotAttempted',
} as const satisfies Record<ArticleOutcome['kind'], string>;

const ArticleUpdateOutcome = builder.interfaceRef<ItemOutcome>('ArticleUpdateOutcome').implement({
  description: 'What every outcome of a submitted item has.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'The position of the item in the submitted list, from 0.' }),
    articleId: t.exposeID('articleId', { description: 'The article, as it was submitted.' }),
    details: t.exposeString('details', {
      nullable: true,
      description: 'What the service, or else the gateway, says of it.',
    }),
  }),
});

function createOutcomeType(name: (typeof OUTCOME_TYPE_NAMES)[ArticleOutcome['kind']], description: string) {
  return builder.objectRef<ItemOutcome>(name).implement({ description, interfaces: [ArticleUpdateOutcome] });
}

const ArticleUpdated = createOutcomeType('ArticleUpdated', 'The service confirmed the update of this article.');

builder.objectField(ArticleUpdated, 'article', (t) =>
  t.field({
    type: ArticleType,
    nullable: true,
    description:
      'The article as it stands now, read back only where it is selected: over the service one call for each item.',
    resolve: ({ update }, _args, context) =>
      update ? authorizeRead(context).loaders.articles.load(articleKeyOf(update)) : null,
  }),
);

export const ArticleUpdateResult = builder.unionType('ArticleUpdateResult', {
  description: 'What became of one submitted item. Switch on `__typename`.',
  types: [
    ArticleUpdated,
    createOutcomeType(
      'ArticleUpdateFailed',
      'The service refused the update of this article. Nothing of the item was applied.',
    ),
    createOutcomeType(
      'ArticleUpdateUnknown',
      'The update was sent, and no answer says what became of it. Read the article before you send the item again.',
    ),
    createOutcomeType(
      'ArticleUpdateNotAttempted',
      'The update was not sent: `details` says why. It can be sent again safely.',
    ),
  ],
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
});
