import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordsIn } from '../core/writes/audit-harness.ts';
import { type FaultyService, hang, json, openFaultyService } from '../support/faulty-service.ts';
import { AUDIENCE, ISSUER, type JwtIssuer, openJwtIssuer } from '../support/jwt-issuer.ts';
import { paste, type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';

const BULK = 'PUT /v2/Articles/bulkupdate';

const UPDATE = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "x", hidden: false }] }) {
  __typename ... on MutationError { code } } }`;

let cwd: string;
let issuer: JwtIssuer;
let service: FaultyService;
let running: RunningGateway[];

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-clients-'));
  issuer = await openJwtIssuer('RS256');
  service = await openFaultyService();
  service.on(BULK, json(200, { data: [{ article_id: 'a1', success: true }], success: true, errors: [] }));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
  await service.close();
  await issuer.close();
  await rm(cwd, { recursive: true });
});

const CLAIMS = { CLIENT_JWT_ISSUER: ISSUER, CLIENT_JWT_AUDIENCE: AUDIENCE };

async function start(settings: Record<string, string>, terminal = false): Promise<RunningGateway> {
  const gateway = await startGatewayProcess({ cwd, settings, terminal });
  running.push(gateway);
  return gateway;
}

async function send({ url }: RunningGateway, query: string, headers: Record<string, string>) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(await response.text());
}

const write = async (gateway: RunningGateway, headers: Record<string, string>): Promise<unknown> =>
  (await send(gateway, UPDATE, headers)).data.bulkUpdateArticles;

const PAYLOAD = { __typename: 'BulkUpdateArticlesPayload' };
const UNAUTHENTICATED = { __typename: 'AuthenticationError', code: 'UNAUTHENTICATED' };

describe('serve with client authentication', () => {
  it("lends the service's token to clients with a JWT, also on a public address, and records them", async () => {
    const settings = {
      ...CLAIMS,
      HOST: '0.0.0.0',
      UPSTREAM_URL: service.url,
      UPSTREAM_API_TOKEN: 'the-key',
      CLIENT_JWKS_URL: issuer.jwksUrl,
      AUDIT_LOG: 'audit.jsonl',
    };
    const gateway = await start(settings, true);
    expect(gateway.command).toContain("-H 'authorization: Bearer YOUR_JWT'");
    expect(await write(gateway, {})).toEqual(UNAUTHENTICATED);
    expect(await write(gateway, { api_token: 'of-an-untrusted-caller' })).toEqual(UNAUTHENTICATED);
    // Cost limits, which callers with a token learn from the error, are not revealed either.
    const lists = Array.from({ length: 40 }, (_, index) => `a${index}: readerGroups(first: 100) { nodes { groupId } }`);
    const { errors } = await send(gateway, `{ ${lists.join(' ')} }`, {});
    expect(errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(service.received).toEqual([]);
    const jwt = await issuer.sign({ sub: 'alice', scope: 'articles:write read' });
    expect(await write(gateway, { authorization: `Bearer ${jwt}` })).toEqual(PAYLOAD);
    const [received] = service.received;
    expect(received?.headers).toMatchObject({ api_token: 'the-key' });
    expect(received?.headers).not.toHaveProperty('authorization');
    const { stdout, stderr } = await gateway.stop();
    expect(stdout + stderr).not.toMatch(/the-key|of-an-untrusted-caller/u);
    expect(stdout + stderr).not.toContain(jwt);
    const records = await recordsIn(join(cwd, 'audit.jsonl'));
    expect(records.map(({ who, phase }) => [who, phase])).toEqual([
      [{ subject: 'alice' }, 'intent'],
      [{ subject: 'alice' }, 'outcome'],
    ]);
  });

  it('serves the embedded store to clients, and prints a command for them', { tags: 'long' }, async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const gateway = await start({ ...CLAIMS, CLIENT_PUBLIC_KEY: await exportSPKI(publicKey) }, true);
    const jwt = await new SignJWT({ scope: ['articles:write', 'read'] })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setExpirationTime('5m')
      .sign(privateKey);
    const response = JSON.parse(await paste(gateway.command.replace('YOUR_JWT', jwt)));
    expect(response).toMatchObject({ data: { readerGroups: { nodes: expect.any(Array) } } });
    expect(await write(gateway, { api_token: gateway.token })).toEqual(UNAUTHENTICATED);
    const rest = await fetch(new URL('/v2/ProjectVersions', gateway.url), { headers: { api_token: gateway.token } });
    expect(rest.status).toBe(200);
    const page = await (await fetch(gateway.url, { headers: { accept: 'text/html' } })).text();
    expect(page).not.toContain(gateway.token);
    expect(page).toContain('Bearer ');
  });

  it('does not start with an invalid key', { tags: 'long' }, async () => {
    const settings = { ...CLAIMS, PORT: '0', CLIENT_PUBLIC_KEY: 'no-such-key.pem' };
    const { code, stderr } = await runGateway([], { cwd, settings });
    expect(code).toBe(1);
    expect(stderr).toContain('CLIENT_PUBLIC_KEY');
  });
});

describe('serve with an audit log', () => {
  it('keeps the intent of a write during which it was killed', { tags: 'long' }, async () => {
    service.on(BULK, hang());
    const gateway = await start({ UPSTREAM_URL: service.url, AUDIT_LOG: 'audit.jsonl' });
    const answer = write(gateway, { api_token: 'token' }).catch(() => 'cut');
    await expect.poll(() => service.received).toHaveLength(1);
    await gateway.stop('SIGKILL');
    expect(await answer).toBe('cut');
    const records = await recordsIn(join(cwd, 'audit.jsonl'));
    expect(records).toEqual([expect.objectContaining({ phase: 'intent', articleIds: ['a1'] })]);
  });

  it('starts with AUDIT_FAILURE=open if it cannot be written, and logs that writes are sent without a record', {
    tags: 'long',
  }, async () => {
    await mkdir(join(cwd, 'audit.jsonl'));
    const gateway = await start({ UPSTREAM_URL: service.url, AUDIT_LOG: 'audit.jsonl', AUDIT_FAILURE: 'open' });
    expect(await write(gateway, { api_token: 'token' })).toEqual(PAYLOAD);
    const { log } = await gateway.stop();
    const [first = ''] = log.split('\n');
    expect(JSON.parse(first)).toMatchObject({
      level: 'error',
      message: 'the audit log cannot be written',
      path: 'audit.jsonl',
      reason: 'EISDIR',
      writes: 'sent without a record',
    });
  });
});

describe('serve with CALLER_REQUESTS_PER_MINUTE', () => {
  it('refuses further requests with the seconds to wait', async () => {
    const gateway = await start({ UPSTREAM_URL: service.url, CALLER_REQUESTS_PER_MINUTE: '2' });
    const send = () => fetch(`${gateway.url}?query={__typename}`, { headers: { api_token: 'token' } });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
