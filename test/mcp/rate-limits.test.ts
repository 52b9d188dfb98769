import { describe, expect, it, onTestFinished } from 'vitest';
import { json, openFaultyService, status } from '../support/faulty-service.ts';
import { openBackendTo } from '../support/rest-scene.ts';
import { callTool, codesOf, connectTo, openMcpGateway } from './mcp-client.ts';

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
});
