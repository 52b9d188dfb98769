import { print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from './demo-gateway.ts';
import { operationOf, pageOperations } from './documents.ts';
import { PAGE_CALLS } from './page-calls.ts';

describe('the calls that every client makes', () => {
  let gateway: DemoGateway;
  beforeAll(async () => {
    gateway = await startDemoGateway();
  });
  afterAll(() => gateway.close());

  it('use every operation of the console', () => {
    const called = PAGE_CALLS.map(({ operation }) => operation);
    expect(pageOperations.filter((operation) => !called.includes(operation))).toEqual([]);
  });

  it('meet every kind of access scope and of outcome, and payloads, previews and errors', async () => {
    const met = new Set<string>();
    const written = new Set<string>();
    for (const { operation, variables } of PAGE_CALLS) {
      const { body } = await gateway.send(print(operationOf(operation)), variables);
      expect(body.errors).toBeUndefined();
      const answer = JSON.stringify(body);
      for (const [, name = ''] of answer.matchAll(/"(?:__typename|code)":"(\w+)"/gu)) met.add(name);
      // A warning has a code and a description, an error a code and a message.
      if (!/"code":"\w+","message":/u.test(answer)) written.add(operation);
    }
    expect([...met]).toEqual(
      expect.arrayContaining([
        'CategoryAccessScope',
        'VersionAccessScope',
        'LanguageAccessScope',
        'PlainAccessScope',
        'ArticleUpdated',
        'ArticleUpdateFailed',
        'VALIDATION_FAILED',
        'NOT_FOUND',
      ]),
    );
    expect([...written]).toEqual(
      expect.arrayContaining([
        'PreviewBulkUpdateArticles',
        'BulkUpdateArticles',
        'PreviewPublishArticles',
        'PublishArticles',
        'UnpublishArticles',
        'PreviewUpdateReaderGroup',
        'UpdateReaderGroup',
      ]),
    );
  });
});
