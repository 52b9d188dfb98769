import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordsIn } from '../core/writes/audit-harness.ts';
import { type FaultyService, json, openFaultyService } from '../support/faulty-service.ts';
import { AUDIENCE, ISSUER, openJwtIssuer } from '../support/jwt-issuer.ts';
import { paste, type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';

const BULK = 'PUT /v2/Articles/bulkupdate';
const GROUPS = 'GET /v2/Readers/groups';
const TOKEN_FILE = 'data/api-token';
const KEY = 'the-key-of-the-service';

const UPDATE = `mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "x" }] }) {
  __typename ... on MutationError { code } } }`;

const PAYLOAD = { __typename: 'BulkUpdateArticlesPayload' };
const UNAUTHENTICATED = { __typename: 'AuthenticationError', code: 'UNAUTHENTICATED' };

let cwd: string;
let service: FaultyService;
let running: RunningGateway[];

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-lending-'));
  service = await openFaultyService();
  service.on(BULK, json(200, { data: [{ article_id: 'a1', success: true }], success: true, errors: [] }));
  service.on(GROUPS, json(200, { data: [], success: true, errors: [] }));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
  await service.close();
  await rm(cwd, { recursive: true });
});

async function start(settings: Record<string, string> = {}, terminal = false): Promise<RunningGateway> {
  const lending = { UPSTREAM_URL: service.url, UPSTREAM_API_TOKEN: KEY, COALESCE_WRITES: 'off' };
  const gateway = await startGatewayProcess({ cwd, settings: { ...lending, ...settings }, terminal });
  running.push(gateway);
  return gateway;
}

/** The result of a write that is sent with exactly these header lines, without any that `fetch` adds or forbids. */
async function write({ url }: RunningGateway, headers: readonly string[], host = new URL(url).host): Promise<unknown> {
  const body = JSON.stringify({ query: UPDATE });
  const lines = ['Content-Type: application/json', ...headers];
  const response = await sendRaw(url, rawRequest({ method: 'POST', host, headers: lines, body }));
  return JSON.parse(response.body).data.bulkUpdateArticles;
}

/** The tokens that the service has received. */
const tokens = (): unknown[] => service.received.map(({ headers }) => headers['api_token']);

describe('a gateway with the token of the service', () => {
  it('generates a token, keeps it in a file of its owner, and prints it with a link and a command', async () => {
    const first = await start({}, true);
    expect(first.token).toMatch(/^kbg_[\w-]{32}$/u);
    expect(JSON.parse(await paste(first.command))).toEqual({ data: { readerGroups: { nodes: [] } } });
    expect(tokens()).toEqual([KEY]);
    const { stdout, stderr } = await first.stop();
    expect(stdout).toContain(`${first.url}#token=${first.token}\n`);
    expect(stdout + stderr).not.toContain(KEY);
    expect(await readFile(join(cwd, TOKEN_FILE), 'utf8')).toBe(`${first.token}\n`);
    expect((await stat(join(cwd, TOKEN_FILE))).mode & 0o777).toBe(0o600);
    expect((await stat(join(cwd, 'data'))).mode & 0o777).toBe(0o700);
    const second = await start();
    expect(second.token).toBe(first.token);
    expect((await second.stop()).stdout).not.toContain(first.token);
    // Deleting the file replaces the token.
    await rm(join(cwd, TOKEN_FILE));
    const third = await start();
    expect(third.token).not.toBe(first.token);
    expect(await write(third, [`X-Api-Token: ${third.token}`])).toEqual(PAYLOAD);
  });

  it('lends it to callers with one of API_TOKEN in any of the three headers, and prints none of them', async () => {
    const gateway = await start({ API_TOKEN: 'first-secret, second-secret' }, true);
    const headers = ['api_token: first-secret', 'X-Api-Token: second-secret', 'Authorization: Bearer first-secret'];
    for (const header of headers) expect(await write(gateway, [header])).toEqual(PAYLOAD);
    expect(tokens()).toEqual([KEY, KEY, KEY]);
    expect(JSON.stringify(service.received)).not.toContain('secret');
    expect(
      JSON.parse(await paste(gateway.command, { API_TOKEN: 'first-secret,second-secret' })).errors,
    ).toBeUndefined();
    const { stdout, stderr } = await gateway.stop();
    expect(stdout + stderr).not.toMatch(/secret|#token=/u);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('does not lend it on the basis of an address or host name', { tags: 'long' }, async () => {
    const gateway = await start({ API_TOKEN: 'ours' });
    const { port } = new URL(gateway.url);
    expect(await write(gateway, [])).toEqual(UNAUTHENTICATED);
    expect(await write(gateway, ['X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1'], '127.0.0.1:4000')).toEqual(
      UNAUTHENTICATED,
    );
    // DNS rebinding: the name of another site now points to this machine, so the browser sees one origin.
    const rebound = `rebound.example:${port}`;
    expect(await write(gateway, [`Origin: http://${rebound}`, 'Sec-Fetch-Site: same-origin'], rebound)).toEqual(
      UNAUTHENTICATED,
    );
    expect(service.received).toEqual([]);
  });

  it('sends any other token upstream unchanged', { tags: 'long' }, async () => {
    const gateway = await start({ API_TOKEN: 'ours' });
    await write(gateway, ['api_token: theirs']);
    await write(gateway, ['api_token: our']);
    expect(tokens()).toEqual(['theirs', 'our']);
  });

  it('records and counts callers by the token that they have sent, not by the lent one', { tags: 'long' }, async () => {
    const gateway = await start({ API_TOKEN: 'one,two', AUDIT_LOG: 'audit.jsonl', CALLER_REQUESTS_PER_MINUTE: '1' });
    expect(await write(gateway, ['api_token: one'])).toEqual(PAYLOAD);
    expect(await write(gateway, ['api_token: two'])).toEqual(PAYLOAD);
    const records = await recordsIn(join(cwd, 'audit.jsonl'));
    const fingerprints = new Set(records.map(({ who }) => JSON.stringify(who)));
    expect(fingerprints.size).toBe(2);
  });

  it('does not start if it cannot store a token, and says what to set', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'data'), 'in the way');
    const settings = { PORT: '0', UPSTREAM_URL: service.url, UPSTREAM_API_TOKEN: KEY };
    const { code, stdout, stderr } = await runGateway([], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/data\/api-token, so set API_TOKEN: /u);
    expect(stderr).not.toContain(KEY);
  });
});

describe('a gateway that lends the token of the service to clients with a JWT', () => {
  it('generates no token, and sends none of API_TOKEN upstream', { tags: 'long' }, async () => {
    const issuer = await openJwtIssuer('RS256');
    const clients = { CLIENT_JWKS_URL: issuer.jwksUrl, CLIENT_JWT_ISSUER: ISSUER, CLIENT_JWT_AUDIENCE: AUDIENCE };
    const authorization = `Authorization: Bearer ${await issuer.sign({ scope: 'articles:write read' })}`;
    const gateway = await start(clients);
    expect(gateway.token).toBe('');
    expect(await write(gateway, [authorization])).toEqual(PAYLOAD);
    expect(await readdir(cwd)).toEqual([]);
    const other = await start({ ...clients, API_TOKEN: 'ours' });
    expect(await write(other, ['api_token: ours'])).toEqual(UNAUTHENTICATED);
    expect(await write(other, [authorization, 'api_token: ours'])).toEqual(PAYLOAD);
    expect(await write(other, [authorization, 'api_token: theirs'])).toEqual(PAYLOAD);
    expect(tokens()).toEqual([KEY, KEY, 'theirs']);
    await issuer.close();
  });
});
