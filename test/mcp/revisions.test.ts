import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../support/fixture-store.ts';
import { callTool, codesOf, connectTo, openMcpGateway, REVISIONS, tokenOf } from './mcp-client.ts';
import { connectToProcess, newFolder } from './mcp-process.ts';

const PUBLISHED = { 2025: '2025-11-25', 2026: '2026-07-28' };

/** Lists, reads, previews and writes, and fails. */
async function converse(client: Client, articleId: string) {
  const { tools } = await client.listTools();
  const update = { articles: [{ articleId, title: 'Renamed' }] };
  const preview = await callTool(client, 'preview_article_updates', update);
  const written = await callTool(client, 'update_articles', { ...update, previewToken: tokenOf(preview) });
  const { result } = await callTool(client, 'read_article', { articleId });
  await expect(client.callTool({ name: 'none', arguments: {} })).rejects.toThrow('There is no such tool');
  return {
    tools: tools.length,
    written: written.result,
    read: result,
    refused: codesOf(await callTool(client, 'find_articles', { first: 'x' })),
  };
}

const CONVERSED = {
  tools: 22,
  written: { bulkUpdateArticles: { summary: { updated: 1 } } },
  read: { article: { title: 'Renamed' } },
  refused: ['BAD_USER_INPUT'],
};

describe.each([2025, 2026] as const)('the revision of %i of the protocol', (year) => {
  it('is spoken over HTTP', async () => {
    const gateway = await openMcpGateway({ mcpWrites: 'on' });
    const client = await connectTo(gateway.url, { api_token: TOKEN }, REVISIONS[year]);
    expect(client.getNegotiatedProtocolVersion()).toBe(PUBLISHED[year]);
    expect(client.getServerVersion()).toMatchObject({ name: 'kb-gateway' });
    expect(client.getInstructions()).toContain('previewToken');
    expect(await converse(client, 'a1')).toMatchObject(CONVERSED);
  });

  it('is spoken over stdio', { tags: 'long' }, async () => {
    const settings = { DATABASE_URL: 'sqlite::memory:', DEMO_DATA: 'true', MCP_WRITES: 'on' };
    const { client } = await connectToProcess(await newFolder(), settings, REVISIONS[year]);
    expect(client.getNegotiatedProtocolVersion()).toBe(PUBLISHED[year]);
    expect(await converse(client, 'pair-a-lamp')).toMatchObject(CONVERSED);
  });
});

it('clients that speak both revisions take that of 2026', async () => {
  const gateway = await openMcpGateway();
  const client = await connectTo(gateway.url, { api_token: TOKEN }, { versionNegotiation: { mode: 'auto' } });
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
});
