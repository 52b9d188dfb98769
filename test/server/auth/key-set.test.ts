import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bearer } from '../../support/jwt-issuer.ts';
import { openScene, type Scene } from './harness.ts';

const WRITE = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "x" }] }) {
  __typename ... on MutationError { message code retryable mayHaveApplied } } }`;

const HOUR_MS = 3_600_000;

const inHours = (hours: number) => Math.floor((Date.now() + hours * HOUR_MS) / 1_000);

const PAYLOAD = { __typename: 'BulkUpdateArticlesPayload' };

const UNAVAILABLE = {
  __typename: 'ServiceUnavailableError',
  message: 'The gateway cannot check at the moment who is asking. Nothing was sent.',
  code: 'UNAVAILABLE',
  retryable: true,
  mayHaveApplied: false,
};

async function write({ gateway, issuer }: Scene, jwt?: string): Promise<unknown> {
  const headers = bearer(jwt ?? (await issuer.sign({ scope: 'articles:write' })));
  return (await gateway.send(WRITE, {}, headers)).body.data?.['bulkUpdateArticles'];
}

/** Stops the clocks that measure the age of keys. The sockets and timers of the gateway go on. */
const stopClocks = () => vi.useFakeTimers({ toFake: ['Date', 'performance'] });

afterEach(() => {
  vi.useRealTimers();
});

describe('the keys at CLIENT_JWKS_URL', () => {
  it('are fetched once for many concurrent clients', async () => {
    const scene = await openScene();
    const results = await Promise.all(Array.from({ length: 20 }, () => write(scene)));
    expect(results).toEqual(results.map(() => PAYLOAD));
    expect(scene.issuer.fetches()).toBe(1);
  });

  it('follow a rotation: a new key is accepted after the cool-down, and the old one is not', async () => {
    stopClocks();
    const scene = await openScene();
    const old = await scene.issuer.sign({ scope: 'articles:write' });
    expect(await write(scene, old)).toEqual(PAYLOAD);
    await scene.issuer.rotate();
    expect(await write(scene)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(scene.issuer.fetches()).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(await write(scene)).toEqual(PAYLOAD);
    expect(await write(scene, old)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(scene.issuer.fetches()).toBe(2);
  });

  // As of issuers whose keys have no IDs, or always the same: https://github.com/DataZooDE/quack-oauth/pull/15
  it('follow a rotation that keeps the ID of the key', async () => {
    stopClocks();
    const scene = await openScene();
    const old = await scene.issuer.sign({ scope: 'articles:write' });
    expect(await write(scene, old)).toEqual(PAYLOAD);
    await scene.issuer.rotate('same ID');
    vi.advanceTimersByTime(10_000);
    expect(await write(scene)).toEqual(PAYLOAD);
    expect(await write(scene, old)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(scene.issuer.fetches()).toBe(2);
  });

  it('are as they were, and a signature that fits none is refused, while they cannot be fetched again', async () => {
    stopClocks();
    const scene = await openScene();
    const known = await scene.issuer.sign({ scope: 'articles:write' });
    expect(await write(scene, known)).toEqual(PAYLOAD);
    await scene.issuer.rotate('same ID');
    scene.issuer.misbehave((response) => response.destroy());
    vi.advanceTimersByTime(10_000);
    expect(await write(scene)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await write(scene, known)).toEqual(PAYLOAD);
    expect(scene.issuer.fetches()).toBe(2);
  });

  it('are not fetched for each made-up key ID', { tags: 'long' }, async () => {
    stopClocks();
    const scene = await openScene();
    expect(await write(scene)).toEqual(PAYLOAD);
    const madeUp = await openScene();
    for (let round = 0; round < 3; round += 1) {
      vi.advanceTimersByTime(10_000);
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await madeUp.issuer.rotate();
        const jwt = await madeUp.issuer.sign({ scope: 'articles:write' });
        expect(await write(scene, jwt)).toMatchObject({ code: 'UNAUTHENTICATED' });
      }
    }
    expect(scene.issuer.fetches()).toBe(4);
  });

  it('are refused at the latest ten minutes after the issuer has withdrawn them', async () => {
    stopClocks();
    const scene = await openScene();
    const jwt = await scene.issuer.sign({ scope: 'articles:write', exp: Math.floor(Date.now() / 1000) + 3_600 });
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    await scene.issuer.rotate();
    vi.advanceTimersByTime(599_000);
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    vi.advanceTimersByTime(1_000);
    expect(await write(scene, jwt)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('are refused just as soon if the clock is set back', async () => {
    stopClocks();
    const scene = await openScene();
    const jwt = await scene.issuer.sign({ scope: 'articles:write', exp: inHours(1) });
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    await scene.issuer.rotate();
    vi.setSystemTime(Date.now() - HOUR_MS);
    vi.advanceTimersByTime(600_000);
    expect(await write(scene, jwt)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    { what: 'an error', misbehaviour: (response: ServerResponse) => response.writeHead(500).end() },
    { what: 'no response', misbehaviour: (response: ServerResponse) => response.destroy() },
  ])('stay in use for a day while the issuer returns $what', async ({ misbehaviour }) => {
    stopClocks();
    const scene = await openScene();
    const jwt = await scene.issuer.sign({ scope: 'articles:write', exp: inHours(72) });
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    scene.issuer.misbehave(misbehaviour);
    vi.advanceTimersByTime(HOUR_MS);
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    vi.advanceTimersByTime(23 * HOUR_MS - 1_000);
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    vi.advanceTimersByTime(1_000);
    expect(await write(scene, jwt)).toEqual(UNAVAILABLE);
    scene.issuer.misbehave(null);
    vi.advanceTimersByTime(1_000);
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
  });

  it('do not delay known clients while the issuer does not respond', async () => {
    stopClocks();
    const scene = await openScene();
    const jwt = await scene.issuer.sign({ scope: 'articles:write', exp: inHours(1) });
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    scene.issuer.misbehave((response) => response.writeHead(500).end());
    vi.advanceTimersByTime(600_000);
    expect(await write(scene, jwt)).toEqual(PAYLOAD);
    const hanging = Promise.withResolvers<void>();
    scene.issuer.misbehave(() => hanging.resolve());
    vi.advanceTimersByTime(1_000);
    // Both writes end while the fetch that the first one starts is still pending.
    expect([await write(scene, jwt), await write(scene, jwt)]).toEqual([PAYLOAD, PAYLOAD]);
    await hanging.promise;
    expect(scene.issuer.fetches()).toBe(3);
  });

  it('that were withdrawn while the issuer was down are refused when it is back', async () => {
    stopClocks();
    const scene = await openScene();
    const old = await scene.issuer.sign({ scope: 'articles:write', exp: inHours(1) });
    expect(await write(scene, old)).toEqual(PAYLOAD);
    scene.issuer.misbehave((response) => response.writeHead(500).end());
    vi.advanceTimersByTime(600_000);
    expect(await write(scene, old)).toEqual(PAYLOAD);
    await scene.issuer.rotate();
    scene.issuer.misbehave(null);
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => write(scene, old)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await write(scene)).toEqual(PAYLOAD);
  });

  it('that cannot be fetched make all requests fail as unavailable, and nothing is sent', async () => {
    const scene = await openScene();
    await scene.issuer.close();
    expect(await write(scene)).toEqual(UNAVAILABLE);
    const { body } = await scene.gateway.send(
      '{ projectVersions { name } }',
      {},
      bearer(await scene.issuer.sign({ scope: 'read' })),
    );
    expect(body.errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE', retryable: true } }]);
    expect(scene.service.received).toEqual([]);
  });

  it.each([
    { what: 'an error', status: 500, text: '{"keys":[]}' },
    { what: 'a redirect', status: 302, text: '', headers: { location: 'http://127.0.0.1:1/jwks' } },
    { what: 'a page', status: 200, text: '<html></html>' },
    { what: 'no key set', status: 200, text: '{"keys":"none"}' },
    {
      what: 'more than any key set has',
      status: 200,
      text: JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) }),
    },
  ])('that arrive as $what are fetched at most once a second, and used as soon as they are valid', async (response) => {
    stopClocks();
    const scene = await openScene();
    const { status, text, headers = {} } = response;
    scene.issuer.misbehave((serverResponse) => serverResponse.writeHead(status, headers).end(text));
    expect([await write(scene), await write(scene)]).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(scene.issuer.fetches()).toBe(1);
    scene.issuer.misbehave(null);
    vi.advanceTimersByTime(1_000);
    expect(await write(scene)).toEqual(PAYLOAD);
    expect(scene.issuer.fetches()).toBe(2);
  });
});
