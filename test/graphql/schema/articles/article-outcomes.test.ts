import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ArticleOutcome, NotAttemptedReason } from '../../../../src/core/articles/article-outcomes.ts';
import { ok } from '../../../../src/core/base/result.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const UPDATE = /* GraphQL */ `
  mutation ($articles: [ArticleUpdateInput!]!) {
    bulkUpdateArticles(input: { articles: $articles }) {
      ... on BulkUpdateArticlesPayload {
        results {
          __typename index articleId details retryable
          ... on ArticleUpdated { evidence }
          ... on ArticleUpdateUnknown { readBack }
          ... on ArticleUpdateNotAttempted { reason retryAfterSeconds }
        }
        summary { total updated failed unknown notAttempted }
      }
    }
  }
`;

/** Every reason, and whether sending the item again may help. */
const REASONS = {
  RATE_LIMITED: true,
  UNAUTHENTICATED: false,
  FORBIDDEN: false,
  UNAVAILABLE: true,
  REJECTED: false,
  OUT_OF_TIME: true,
  AFTER_UNKNOWN: true,
  CANCELLED: true,
  CHANGED_SINCE: false,
  BEFORE_NOT_READABLE: false,
  NOT_RESTORABLE: false,
  PUBLISHED: false,
} as const satisfies Record<NotAttemptedReason, boolean>;

const isReason = (name: string): name is NotAttemptedReason => name in REASONS;

const TYPE_NAMES = {
  updated: 'ArticleUpdated',
  failed: 'ArticleUpdateFailed',
  unknown: 'ArticleUpdateUnknown',
  'not-attempted': 'ArticleUpdateNotAttempted',
} as const satisfies Record<ArticleOutcome['kind'], string>;

const details = fc.option(fc.string());

const outcome: fc.Arbitrary<ArticleOutcome> = fc.oneof(
  fc.record({ kind: fc.constantFrom('updated', 'failed', 'unknown'), articleId: fc.string(), details }),
  fc.record({
    kind: fc.constant('not-attempted'),
    articleId: fc.string(),
    details,
    reason: fc.constantFrom(...Object.keys(REASONS).filter(isReason)),
    retryAfterSeconds: fc.option(fc.nat(120)),
  }),
);

/** The outcome as a client sees it. */
function resultOf(given: ArticleOutcome, index: number) {
  const common = { __typename: TYPE_NAMES[given.kind], index, articleId: given.articleId, details: given.details };
  if (given.kind === 'not-attempted') {
    const { reason, retryAfterSeconds } = given;
    return { ...common, retryable: REASONS[reason], reason, retryAfterSeconds };
  }
  return {
    ...common,
    retryable: false,
    ...(given.kind === 'updated' && { evidence: 'ANSWER' }),
    ...(given.kind === 'unknown' && { readBack: 'NOT_TRIED' }),
  };
}

describe('the outcomes of a bulk update', () => {
  let gateway: Gateway;
  let outcomes: readonly ArticleOutcome[] = [];
  beforeAll(async () => {
    const backend = {
      ...(await openFixtureStore()),
      bulkUpdateArticles: async () =>
        ok({ outcomes, serviceErrors: [], warnings: [], information: [], extensionData: null }),
    };
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('are shown as they are, and are retryable exactly where the contract says so', async () => {
    const property = fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 20 }), async (given) => {
      outcomes = given;
      const { body } = await gateway.send(UPDATE, { articles: given.map(() => ({ articleId: 'a1' })) });
      const count = (kind: ArticleOutcome['kind']) => given.filter((one) => one.kind === kind).length;
      expect(body).toEqual({
        data: {
          bulkUpdateArticles: {
            results: given.map(resultOf),
            summary: {
              total: given.length,
              updated: count('updated'),
              failed: count('failed'),
              unknown: count('unknown'),
              notAttempted: count('not-attempted'),
            },
          },
        },
      });
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
