import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { bearer, openJwtIssuer } from '../../support/jwt-issuer.ts';
import { callerWith } from '../../support/rest-scene.ts';
import { clientsOf } from '../auth/harness.ts';

const stopClock = () => vi.useFakeTimers({ toFake: ['performance'] });

afterEach(() => {
  vi.useRealTimers();
});

async function start(settings: Partial<Parameters<typeof startGateway>[0]> = {}): Promise<Gateway> {
  const backend = await openFixtureStore();
  const gateway = await startGateway({ backend, local: true, token: TOKEN, callerRequestsPerMinute: 3, ...settings });
  onTestFinished(() => gateway.close());
  return gateway;
}

const post = ({ url }: Gateway, headers: Record<string, string>, query = '{ __typename }') =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });

const statuses = async (gateway: Gateway, headers: Record<string, string>, times: number) => {
  const seen: number[] = [];
  for (let sent = 0; sent < times; sent += 1) seen.push((await post(gateway, headers)).status);
  return seen;
};

describe('CALLER_REQUESTS_PER_MINUTE', () => {
  it('limits the requests of a caller in a minute, and returns the time to wait', async () => {
    stopClock();
    const gateway = await start();
    expect(await statuses(gateway, { api_token: TOKEN }, 3)).toEqual([200, 200, 200]);
    vi.advanceTimersByTime(14_500);
    const refused = await post(gateway, { api_token: TOKEN });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('46');
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await refused.json()).toEqual({
      errors: [
        {
          message: 'Too many requests. Try again in 46 s.',
          extensions: { code: 'RATE_LIMITED', retryable: true, retryAfterSeconds: 46, requestId: expect.any(String) },
        },
      ],
    });
    vi.advanceTimersByTime(45_500);
    expect(await statuses(gateway, { api_token: TOKEN }, 4)).toEqual([200, 200, 200, 429]);
  });

  it('executes nothing of a refused request', async () => {
    const backend = await openFixtureStore();
    const gateway = await start({ backend });
    const retitle = (title: string) =>
      `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "${title}" }] }) { __typename } }`;
    for (const title of ['One', 'Two', 'Three', 'Four']) await post(gateway, { api_token: TOKEN }, retitle(title));
    const [article] = await backend.articles(callerWith(TOKEN), [{ articleId: 'a1' }]);
    expect(article?.ok && article.value?.title).toBe('Three');
  });

  it('tells callers what is left, in every response that counts', async () => {
    stopClock();
    const gateway = await start();
    const fields = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
    const policy = '"per-caller";q=3;w=60';
    expect(fields(await post(gateway, { api_token: TOKEN }))).toEqual([policy, '"per-caller";r=2;t=60']);
    vi.advanceTimersByTime(14_500);
    const facade = await fetch(`${gateway.url}/v2/ProjectVersions`, { headers: { api_token: TOKEN } });
    expect(fields(facade)).toEqual([policy, '"per-caller";r=1;t=46']);
    expect(fields(await post(gateway, { api_token: TOKEN }, '{'))).toEqual([policy, '"per-caller";r=0;t=46']);
    expect(fields(await post(gateway, { api_token: TOKEN }))).toEqual([policy, '"per-caller";r=0;t=46']);
    expect(fields(await post(gateway, { api_token: 'made-up' }))).toEqual([policy, '"per-caller";r=2;t=60']);
    expect(fields(await fetch(`${gateway.url}/health/live`))).toEqual([null, null]);
  });

  it('responds on /v2 with the envelope', async () => {
    const gateway = await start({ callerRequestsPerMinute: 1 });
    const request = () => fetch(`${gateway.url}/v2/ProjectVersions`, { headers: { api_token: TOKEN } });
    expect((await request()).status).toBe(200);
    const refused = await request();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      success: false,
      errors: [{ description: expect.stringMatching(/^Too many requests\. Try again in \d+ s\.$/u) }],
    });
  });

  it('counts GraphQL and /v2 together, and neither health nor the schema nor a preflight', async () => {
    const gateway = await start({ callerRequestsPerMinute: 1 });
    await fetch(`${gateway.url}/v2/ProjectVersions`, { headers: { api_token: TOKEN } });
    expect(await statuses(gateway, { api_token: TOKEN }, 1)).toEqual([429]);
    for (const path of ['/health/live', '/health/ready', '/schema.graphql', '/possible-types.json']) {
      expect((await fetch(`${gateway.url}${path}`, { headers: { api_token: TOKEN } })).status).toBe(200);
    }
    const preflight = await fetch(`${gateway.url}/graphql`, { method: 'OPTIONS', headers: { api_token: TOKEN } });
    expect(preflight.status).not.toBe(429);
  });

  it('counts each token by itself, and all requests without one from one address as one caller', async () => {
    const gateway = await start();
    expect(await statuses(gateway, {}, 4)).toEqual([200, 200, 200, 429]);
    for (const headers of [{ api_token: 'made-up' }, { 'X-Api-Token': 'another' }])
      expect(await statuses(gateway, headers, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(gateway, { api_token: TOKEN }, 1)).toEqual([200]);
  });

  it('counts clients by their subject, whatever JWT they send', async () => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    const gateway = await start({ clients });
    onTestFinished(() => issuer.close());
    const as = async (sub: string | undefined) => {
      const [status] = await statuses(gateway, bearer(await issuer.sign({ sub, jti: crypto.randomUUID() })), 1);
      return status;
    };
    expect([await as('alice'), await as('alice'), await as('alice'), await as('alice')]).toEqual([200, 200, 200, 429]);
    expect(await as('bob')).toBe(200);
    expect(await as(undefined)).toBe(200);
  });
});
