import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_JSON_DEPTH } from '../../src/core/base/limits.ts';
import {
  type Behaviour,
  envelope,
  forwardedTo,
  held,
  json,
  openFaultyService,
  status,
} from '../support/faulty-service.ts';
import { openFixtureStore } from '../support/fixture-store.ts';
import { callTool, codesOf, openMcpGateway, tokenOf } from './mcp-client.ts';
import { connectToProcess, converse, newFolder } from './mcp-process.ts';

const TOKEN = 'token-of-the-agent';

const BULK = 'PUT /v2/Articles/bulkupdate';

const UPDATE = { articles: [{ articleId: 'a1', title: 'Renamed' }] };

const updated = json(200, envelope([{ article_id: 'a1', success: true }]));

/** A process in front of a service, until the end of the test. */
async function openScene() {
  const service = await openFaultyService();
  onTestFinished(() => service.close());
  // The reads of the previews.
  const store = await openMcpGateway({ backend: await openFixtureStore('sqlite::memory:', TOKEN), mcpWrites: null });
  service.onAny(forwardedTo(store.url));
  const { client } = await connectToProcess(await newFolder(), {
    UPSTREAM_URL: service.url,
    KB_API_TOKEN: TOKEN,
    MCP_WRITES: 'on',
    STATE_URL: 'sqlite::memory:',
  });
  return { service, client };
}

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

describe('kb-gateway mcp in front of the service', () => {
  it('sends the token of the environment, and tells what became of each article', async () => {
    const { service, client } = await openScene();
    service.on(BULK, status(502));
    const text = await callTool(client, 'find_articles', { text: 'x', translationStatus: ['NONE'] });
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
    expect(new Set(service.received.map(({ headers }) => headers['api_token']))).toEqual(new Set([TOKEN]));
  });

  it('keeps the outcome of a write whose call was cancelled for the next call with its token', {
    tags: 'long',
  }, async () => {
    const { service, client } = await openScene();
    const previewToken = tokenOf(await callTool(client, 'preview_article_updates', UPDATE));
    const { behaviour, release } = held(updated);
    const received = Promise.withResolvers<void>();
    const receive: Behaviour = (...exchange) => {
      received.resolve();
      return behaviour(...exchange);
    };
    service.on(BULK, receive);
    const cancelling = new AbortController();
    const params = { name: 'update_articles', arguments: { ...UPDATE, previewToken } };
    const cancelled = client.callTool(params, { signal: cancelling.signal });
    await received.promise;
    cancelling.abort();
    await expect(cancelled).rejects.toThrow();
    // The process has read the cancellation when it answers what came after it.
    await client.ping();
    release();
    expect(await callTool(client, 'update_articles', { ...UPDATE, previewToken })).toMatchObject({
      isError: false,
      result: { bulkUpdateArticles: { replayed: true, summary: { updated: 1 } } },
    });
    expect(service.receivedOn(BULK)).toHaveLength(1);
  });

  it('refuses a message that is nested too deep, and goes on', { tags: 'long' }, async () => {
    const { client } = await openScene();
    const permitted = await callTool(client, 'list_project_versions', { deep: nested(MAX_JSON_DEPTH - 3) });
    expect(codesOf(permitted)).toEqual(['BAD_USER_INPUT']);
    const many = Array.from({ length: 300_001 }, () => 1);
    const message = (id: number, deep: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { _meta: { deep } } });
    const lines = [message(7, nested(MAX_JSON_DEPTH - 2)), message(8, many), message(9, 'x'), ''];
    const { messages } = await converse(await newFolder(), lines.join('\n'), { DATABASE_URL: 'sqlite::memory:' });
    // A refused message is not parsed, not even for its ID.
    const refusal = { id: null, error: { code: ProtocolErrorCode.InvalidRequest, data: { code: 'LIMIT_EXCEEDED' } } };
    expect(messages).toMatchObject([refusal, refusal, { id: 9, result: {} }]);
  });

  it('reads a message behind a byte order mark, and refuses one that is not UTF-8', { tags: 'long' }, async () => {
    const ping = (id: number) => Buffer.from(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    const input = Buffer.concat([ping(1), Buffer.from('{"id":"\xff"}\n', 'latin1'), ping(2)]);
    const { messages } = await converse(await newFolder(), input, { DATABASE_URL: 'sqlite::memory:' });
    // A refusal needs no server, so it may come first.
    expect(messages.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: null, error: {} },
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });
});
