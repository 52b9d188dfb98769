import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from '../../../src/index.ts';

/** A body that never comes, and the reason for which its source is cancelled. */
function createSilentBody() {
  const cancelled = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  const body = new ReadableStream(
    {
      pull: () => {
        begun.resolve();
        return new Promise<void>(() => {});
      },
      cancel: cancelled.resolve,
    },
    { highWaterMark: 0 },
  );
  return { body, begun: begun.promise, cancelled: cancelled.promise };
}

describe('fetch, aborted', () => {
  it.each(['before it begins', 'while the body is awaited'])('cancels the source of the body: %s', async (moment) => {
    const gateway = createGateway({
      backend: { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: ['t'] },
      log: { write: () => {} },
    });
    onTestFinished(() => gateway.close());
    const { body, begun, cancelled } = createSilentBody();
    const client = new AbortController();
    const reason = new Error('The client has gone.');
    if (moment === 'before it begins') client.abort(reason);
    else begun.then(() => client.abort(reason));
    const init = { method: 'POST', body, signal: client.signal, duplex: 'half' } as RequestInit;
    const headers = { 'content-type': 'application/json', api_token: 't' };
    const answer = gateway.fetch(new Request('http://site.example/graphql', { ...init, headers }));
    await expect(answer).rejects.toBe(reason);
    expect(await cancelled).toBe(reason);
  });
});
