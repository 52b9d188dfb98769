import { describe, expect, it, onTestFinished } from 'vitest';
import { envelope, forwardedTo, held, json, openFaultyService, status } from '../support/faulty-service.ts';
import { TOKEN } from '../support/fixture-store.ts';
import { openBackendTo } from '../support/rest-scene.ts';
import { callTool, codesOf, connectTo, openMcpGateway, tokenOf } from './mcp-client.ts';

describe('/mcp in front of the service', () => {
  it('tells an agent that the service has no more calls, and when it has', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.on('GET /v2/ProjectVersions', (response) => {
      response.writeHead(429, { 'retry-after': '59' }).end();
    });
    const backend = openBackendTo(service);
    const gateway = await openMcpGateway({ backend, local: false, token: 'token-1', requestTimeoutMs: 2_000 });
    const client = await connectTo(gateway.url, { api_token: 'token-1' });
    const answer = await callTool(client, 'list_project_versions');
    expect([answer.isError, codesOf(answer)]).toEqual([true, ['RATE_LIMITED']]);
    expect(answer.result).toMatchObject({ errors: [{ retryable: true, retryAfterSeconds: expect.any(Number) }] });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_project_versions' } };
    const response = await fetch(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        api_token: 'token-1',
      },
      body: JSON.stringify(message),
    });
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([200, true]);
  });

  it('gives an agent neither the address nor the text of a service that fails', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    service.on('GET /v2/ProjectVersions', json(500, { errors: [{ stack_trace: 'at secret.cs:1' }] }));
    service.onAny(status(500));
    const gateway = await openMcpGateway({ backend: openBackendTo(service), local: false, token: 'token-1' });
    const client = await connectTo(gateway.url, { api_token: 'token-1' });
    const answer = await callTool(client, 'list_project_versions');
    expect(answer.isError).toBe(true);
    const text = JSON.stringify(answer);
    for (const secret of ['secret.cs', new URL(service.url).host, 'token-1']) expect(text).not.toContain(secret);
  });

  it('keeps the outcome of a write whose client has gone for the next call with its token', async () => {
    const service = await openFaultyService();
    onTestFinished(() => service.close());
    const { behaviour, release } = held(json(200, envelope([{ article_id: 'a1', success: true }])));
    const [received, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The reads of the preview.
    const store = await openMcpGateway({ mcpWrites: null });
    service.onAny(forwardedTo(store.url));
    service.on('PUT /v2/Articles/bulkupdate', (...exchange) => {
      received.resolve();
      return behaviour(...exchange);
    });
    const gateway = await openMcpGateway({
      backend: openBackendTo(service),
      local: false,
      token: TOKEN,
      mcpWrites: 'on',
      onRequestEnd: [({ isComplete }) => !isComplete && gone.resolve()],
    });
    const [leaving, staying] = [
      await connectTo(gateway.url, { api_token: TOKEN }),
      await connectTo(gateway.url, { api_token: TOKEN }),
    ];
    const update = { articles: [{ articleId: 'a1', title: 'One' }] };
    const previewToken = tokenOf(await callTool(leaving, 'preview_article_updates', update));
    const left = callTool(leaving, 'update_articles', { ...update, previewToken });
    const failed = expect(left).rejects.toThrow();
    await received.promise;
    await leaving.close();
    await Promise.all([failed, gone.promise]);
    release();
    expect(await callTool(staying, 'update_articles', { ...update, previewToken })).toMatchObject({
      isError: false,
      result: { bulkUpdateArticles: { replayed: true, summary: { updated: 1 } } },
    });
    expect(service.receivedOn('PUT /v2/Articles/bulkupdate')).toHaveLength(1);
  });
});
