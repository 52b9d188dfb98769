import { describe, expect, it, onTestFinished } from 'vitest';
import { json, openFaultyService, status } from '../support/faulty-service.ts';
import { callTool, codesOf, tokenOf } from './mcp-client.ts';
import { connectToProcess, newFolder } from './mcp-process.ts';

const BULK = 'PUT /v2/Articles/bulkupdate';

const UPDATE = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair any lamp' }] };

describe('kb-gateway mcp in front of the service', () => {
  it('sends the token of the environment, and tells what became of each article', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.on('GET /v2/ProjectVersions', json(200, { data: [], success: true, errors: [] }));
    service.on(BULK, status(502));
    const { client } = await connectToProcess(await newFolder(), {
      UPSTREAM_URL: service.url,
      KB_API_TOKEN: 'token-of-the-agent',
      MCP_WRITES: 'on',
      STATE_URL: 'sqlite::memory:',
    });
    const text = await callTool(client, 'find_articles', { text: 'x' });
    expect([text.isError, codesOf(text)]).toEqual([true, ['NOT_OFFERED']]);
    const previewToken = tokenOf(await callTool(client, 'preview_article_updates', UPDATE));
    const written = await callTool(client, 'update_articles', { ...UPDATE, previewToken });
    expect(written.result).toMatchObject({
      bulkUpdateArticles: {
        summary: { unknown: 1 },
        results: [{ __typename: 'ArticleUpdateUnknown', retryable: false }],
      },
    });
    // The write is not sent again by the call that asks again.
    await callTool(client, 'update_articles', { ...UPDATE, previewToken });
    expect(service.receivedOn(BULK)).toHaveLength(1);
    expect(service.received.map(({ headers }) => headers['api_token'])).not.toContain(undefined);
    expect(new Set(service.received.map(({ headers }) => headers['api_token']))).toEqual(
      new Set(['token-of-the-agent']),
    );
  });
});
