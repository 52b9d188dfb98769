import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { CLIENT_SCOPES } from '../../src/core/callers/caller.ts';
import { createSchema } from '../../src/graphql/schema/schema.ts';
import { prepareTools } from '../../src/mcp/prepare-tools.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { TOKEN } from '../support/fixture-store.ts';
import { callTool, openMcpScene, tokenOf } from './mcp-client.ts';

const page = await readFile('docs/mcp.md', 'utf8');

const blocks = [...page.matchAll(/^```json\n(?<json>.*?)^```$/gmsu)].map(({ groups }) =>
  JSON.parse(groups?.['json'] ?? ''),
);

const UPDATE = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair any lamp' }] };

describe('docs/mcp.md', () => {
  it('lists all tools with their scopes', () => {
    const rows = [...page.matchAll(/^\| `(?<tool>\w+)` \| (?<needs>[^|]+) \|/gmu)].map(({ groups }) => [
      groups?.['tool'],
      CLIENT_SCOPES.filter((scope) => groups?.['needs']?.includes(`\`${scope}\``)),
    ]);
    const tools = [...prepareTools(createSchema(), 'on').values()];
    expect(rows).toEqual(
      tools.map(({ name, scopes }) => [name, CLIENT_SCOPES.filter((scope) => scopes.includes(scope))]),
    );
  });

  it('shows results as they are', async () => {
    const [preview, written] = blocks.slice(2);
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
    await backend.importDemo(demoKnowledgeBase);
    const { client } = await openMcpScene({ backend, mcpWrites: 'on' });
    const previewed = await callTool(client, 'preview_article_updates', UPDATE);
    const previewToken = tokenOf(previewed);
    const shown = { ...previewed.result, previewToken: 'kbp_…', previewTokenExpiresAt: '…' };
    // A revision is of a time.
    expect(JSON.parse(JSON.stringify(shown, (name, value) => (name === 'revision' ? 'Xd…' : value)))).toEqual(preview);
    expect((await callTool(client, 'update_articles', { ...UPDATE, previewToken })).result).toEqual(written);
  });
});
