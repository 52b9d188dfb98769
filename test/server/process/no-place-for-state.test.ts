import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { envelope, json, openFaultyService } from '../../support/faulty-service.ts';
import { portOf } from '../../support/ports.ts';
import { paste, startGatewayProcess } from '../../support/process.ts';

const KEYED = `mutation {
  bulkUpdateArticles(input: { articles: [{ articleId: "a", title: "A" }] }, idempotencyKey: "k") {
    __typename ... on MutationError { code retryable mayHaveApplied }
  }
}`;

const SUBMIT = `mutation {
  submitArticleUpdateJob(input: { articles: [{ articleId: "a", title: "A" }] }, idempotencyKey: "k") {
    __typename ... on MutationError { code retryable }
  }
}`;

/** A gateway in a folder in which a file has the name of the folder of the state. */
async function startWithoutPlace(settings: Readonly<Record<string, string>> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-no-place-'));
  await writeFile(join(cwd, 'data'), '');
  const service = await openFaultyService();
  service.on('GET /v2/ProjectVersions', json(200, envelope([])));
  const gateway = await startGatewayProcess({ cwd, settings: { UPSTREAM_URL: service.url, ...settings } });
  onTestFinished(async () => {
    await gateway.stop('SIGKILL');
    await service.close();
    await rm(cwd, { recursive: true });
  });
  const send = async (query: string) => {
    const headers = { 'content-type': 'application/json', api_token: 'token' };
    const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return Object(await response.json()).data;
  };
  const ready = async () => (await fetch(new URL('/health/ready', gateway.url))).status;
  return { gateway, service, send, ready };
}

describe('a gateway whose state in PostgreSQL is silent at the start', () => {
  it('answers what its store has, and is not ready from the first moment on', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-silent-state-'));
    const settings = { STATE_URL: `postgres://kb:secret@127.0.0.1:${portOf(silent.address())}/kb` };
    const gateway = await startGatewayProcess({ cwd, settings, terminal: true });
    onTestFinished(async () => {
      await gateway.stop('SIGKILL');
      silent.close();
      await rm(cwd, { recursive: true });
    });
    const ready = await fetch(new URL('/health/ready', gateway.url));
    const reason = 'The state of jobs and idempotency keys cannot be used.';
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', reason }]);
    expect(await paste(gateway.command)).toContain('"readerGroups"');
  });
});

describe('a gateway whose state has no place', () => {
  it('is ready where nobody named one, warns, and rejects jobs and keys for good', { tags: 'long' }, async () => {
    const { gateway, service, send, ready } = await startWithoutPlace();
    await expect
      .poll(() => gateway.log() + gateway.printed())
      .toContain('there is no place to keep jobs and idempotency keys');
    expect(await ready()).toBe(200);
    expect(await send(KEYED)).toEqual({
      bulkUpdateArticles: {
        __typename: 'ServiceRejectedError',
        code: 'REJECTED',
        retryable: false,
        mayHaveApplied: false,
      },
    });
    expect(await send(SUBMIT)).toEqual({
      submitArticleUpdateJob: { __typename: 'ServiceRejectedError', code: 'REJECTED', retryable: false },
    });
    expect(service.received.filter(({ method }) => method === 'PUT')).toEqual([]);
    expect(await ready()).toBe(200);
  });

  it('runs and is not ready where a setting names it', { tags: 'long' }, async () => {
    const { ready, send } = await startWithoutPlace({ STATE_URL: 'sqlite:data/state.db' });
    await expect.poll(ready).toBe(503);
    expect(await send(KEYED)).toMatchObject({ bulkUpdateArticles: { code: 'UNAVAILABLE', retryable: true } });
  });
});
