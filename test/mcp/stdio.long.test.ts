import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordsIn } from '../core/writes/audit-harness.ts';
import { hang, openFaultyService } from '../support/faulty-service.ts';
import { AUDIENCE, ISSUER, openJwtIssuer } from '../support/jwt-issuer.ts';
import { runGateway, startGatewayProcess } from '../support/process.ts';
import { callTool, codesOf, connectTo, tokenOf } from './mcp-client.ts';
import { connectToProcess, converse, newFolder } from './mcp-process.ts';

const UPDATE = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair any lamp' }] };

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

const READ = (id: number) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'find_articles', arguments: { first: 1 } },
  });

describe('kb-gateway mcp', () => {
  it('reads and writes the store, beside a gateway that serves it', async () => {
    const cwd = await newFolder();
    const settings = { DATABASE_URL: 'sqlite:kb.db', MCP_WRITES: 'on', AUDIT_LOG: 'audit.jsonl' };
    const gateway = await startGatewayProcess({ cwd, settings });
    onTestFinished(async () => {
      await gateway.stop();
    });
    const { client, tools } = await connectToProcess(cwd, settings);
    expect(tools).toHaveLength(22);
    // The preview is made in one process, and the write in the other.
    const preview = await callTool(client, 'preview_article_updates', UPDATE);
    const overHttp = await connectTo(new URL(gateway.url).origin, { api_token: gateway.token });
    const args = { ...UPDATE, previewToken: tokenOf(preview) };
    expect((await callTool(overHttp, 'update_articles', args)).isError).toBe(false);
    const again = await callTool(client, 'update_articles', args);
    expect(again).toMatchObject({ isError: false, result: { bulkUpdateArticles: { replayed: true } } });
    expect((await callTool(client, 'read_article', { articleId: 'pair-a-lamp' })).result).toMatchObject({
      article: { title: 'Pair any lamp' },
    });
    const records = await recordsIn(join(cwd, 'audit.jsonl'));
    expect(records.length).toBeGreaterThan(0);
  });

  it('writes nothing to stdout but messages, and its log to stderr without what it was sent', async () => {
    const messages = [INITIALIZE, 'secret-garbage', '{"jsonrpc":"2.0"}', READ(2)].join('\n');
    const ended = await converse(await newFolder(), `${messages}\n`, { DATABASE_URL: 'sqlite::memory:' });
    expect(ended.code).toBe(0);
    expect(ended.messages).toMatchObject([{ id: 1 }, { id: 2, result: { isError: false } }]);
    expect(ended.stderr).toContain('a message of MCP could not be handled');
    expect(ended.stderr).not.toContain('secret-garbage');
  });

  it('makes no more than 16 calls at a time, and answers all of them before it ends', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => READ(index + 2));
    const ended = await converse(await newFolder(), [INITIALIZE, ...calls, ''].join('\n'), {
      DATABASE_URL: 'sqlite::memory:',
    });
    expect(ended.messages).toHaveLength(41);
    const refused = ended.messages.filter(({ result }) => result.isError);
    expect(refused).toHaveLength(24);
    expect(refused[0].result.structuredContent.errors).toMatchObject([{ code: 'LIMIT_EXCEEDED', retryable: true }]);
  });

  it('ends at a message that is too large', async () => {
    const settings = { DATABASE_URL: 'sqlite::memory:', MAX_BODY_BYTES: '100000' };
    const ended = await converse(await newFolder(), `${INITIALIZE}\n"${'x'.repeat(200_000)}`, settings);
    expect([ended.code, ended.messages]).toMatchObject([0, [{ id: 1 }]]);
    expect(ended.stderr).toContain('a message of MCP could not be handled');
  });

  it('takes many small messages that arrive together for what they are', async () => {
    const settings = { DATABASE_URL: 'sqlite::memory:', MAX_BODY_BYTES: '10000' };
    const pings = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify({ jsonrpc: '2.0', id: index, method: 'ping' }),
    );
    const ended = await converse(await newFolder(), [INITIALIZE, ...pings, ''].join('\n'), settings);
    expect(ended.messages).toHaveLength(301);
    expect(ended.stderr).toBe('');
  });

  it('answers all messages of a client that sends faster than it reads', async () => {
    const lists = Array.from({ length: 1_500 }, (_, index) =>
      JSON.stringify({ jsonrpc: '2.0', id: index, method: 'tools/list' }),
    );
    const ended = await converse(await newFolder(), [INITIALIZE, ...lists, ''].join('\n'), {
      DATABASE_URL: 'sqlite::memory:',
    });
    expect(ended.messages).toHaveLength(1_501);
    expect(ended.stderr).toBe('');
  });

  it('says what is missing, and leaves nothing behind', async () => {
    const cwd = await newFolder();
    const service = { UPSTREAM_URL: 'http://127.0.0.1:9' };
    const failed = await runGateway(['mcp'], { cwd, settings: service });
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('set KB_API_TOKEN') });
    const clients = {
      CLIENT_JWKS_URL: 'http://127.0.0.1:9/jwks',
      CLIENT_JWT_ISSUER: ISSUER,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
    };
    const unnamed = await runGateway(['mcp'], { cwd, settings: { ...service, UPSTREAM_API_TOKEN: 'x', ...clients } });
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining('set KB_JWT') });
    expect(await runGateway(['mcp', 'x'], { cwd })).toMatchObject({ code: 2 });
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('kb-gateway mcp in front of the service', () => {
  it('is the client of its JWT, with its scopes', async () => {
    const issuer = await openJwtIssuer('RS256');
    onTestFinished(() => issuer.close());
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.onAny(hang());
    const { client, tools } = await connectToProcess(await newFolder(), {
      UPSTREAM_URL: service.url,
      UPSTREAM_API_TOKEN: 'the-key-of-the-gateway',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      CLIENT_JWT_ISSUER: ISSUER,
      CLIENT_JWT_AUDIENCE: AUDIENCE,
      KB_JWT: await issuer.sign({ scope: 'articles:write' }),
      MCP_WRITES: 'on',
    });
    expect(tools.map(({ name }) => name)).toEqual([
      'update_articles',
      'create_articles',
      'create_categories',
      'revert_article_job',
    ]);
    expect(codesOf(await callTool(client, 'find_articles'))).toEqual(['FORBIDDEN']);
    expect(service.received).toEqual([]);
  });
});
