import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { openBackend } from '../../../src/server/open-backend.ts';
import { good } from '../../faults/good-service.ts';
import { type Behaviour, openFaultyService } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';

const UPDATE = /* GraphQL */ `
  mutation ($articles: [ArticleUpdateInput!]!) {
    bulkUpdateArticles(input: { articles: $articles }) {
      __typename
      ... on BulkUpdateArticlesPayload { summary { total updated } }
      ... on MutationError { code retryable mayHaveApplied serviceErrors { description } }
      ... on TooCostlyError { message calls allowed }
    }
  }
`;

/** With ten distinct articles and two items per call, ten calls are allowed. */
async function openScene({ coalesceWrites, behaviour = good() }: { coalesceWrites: boolean; behaviour?: Behaviour }) {
  const service = await openFaultyService();
  service.onAny(behaviour);
  const backend = await openBackend({
    config: {
      kind: 'rest',
      setting: 'UPSTREAM_URL',
      baseUrl: service.url,
      apiToken: null,
      apiTokens: null,
      proxyUrl: null,
      timeoutMs: 10_000,
      bulkSize: 2,
      maxBulkCalls: 10,
      maxReadCalls: 60,
      // The service answers updates alone, and the calls of updates are counted.
      keepsHidden: false,
      readCacheMs: 0,
      readCacheBytes: 0,
    },
    userAgent: 'kb-gateway/test',
    coalesceWrites,
    audit: null,
    apiTokens: [],
    log: silentLog,
  });
  const gateway = await startGateway({ backend, local: false, token: 'token' });
  onTestFinished(async () => {
    await gateway.close();
    await service.close();
  });
  const update = async (...articleIds: readonly string[]) => {
    const { body } = await gateway.send(UPDATE, { articles: articleIds.map((articleId) => ({ articleId })) });
    return body.data?.['bulkUpdateArticles'];
  };
  return { service, update };
}

const times = (count: number, articleId: string) => Array.from({ length: count }, () => articleId);

const refused = (calls: number) => ({
  __typename: 'TooCostlyError',
  code: 'QUERY_TOO_COSTLY',
  retryable: false,
  mayHaveApplied: false,
  serviceErrors: [],
  message: expect.stringContaining(`${calls} calls`),
  calls,
  allowed: 10,
});

describe.each([true, false])('a list that holds an article many times, writes merged: %s', (coalesceWrites) => {
  it('is rejected before the first call where it would take too many', async () => {
    const { service, update } = await openScene({ coalesceWrites });
    expect(await update(...times(11, 'a'))).toEqual(refused(11));
    expect(await update(...times(8, 'a'), 'b', ...times(3, 'c'))).toEqual(refused(11));
    expect(service.received).toEqual([]);
  });

  it('is sent where it takes as many calls as are allowed', async () => {
    const { service, update } = await openScene({ coalesceWrites });
    const summary = { __typename: 'BulkUpdateArticlesPayload', summary: { total: 12, updated: 12 } };
    expect(await update(...times(8, 'a'), 'b', ...times(2, 'c'), 'd')).toEqual(summary);
    expect(service.received).toHaveLength(10);
  });

  it('is rejected without waiting for other updates of its token', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const behaviour: Behaviour = async (response, request) => {
      await released;
      return good()(response, request);
    };
    const { service, update } = await openScene({ coalesceWrites, behaviour });
    const others = Array.from({ length: 8 }, () => update('a', 'b'));
    while (service.received.length === 0) await sleep(5);
    expect(await update(...times(11, 'a'))).toEqual(refused(11));
    release();
    expect(await Promise.all(others)).toHaveLength(8);
  });
});
