import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArticleTitleDocument, GroupTitlesDocument, RetitleDocument } from '../support/generated/operations.ts';
import { ask, paste, type RunningGateway, runGateway, startGatewayProcess } from '../support/process.ts';

const TOKEN_FILE = 'data/kb.db.api-token';

let cwd: string;
let running: RunningGateway[];

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-serve-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
  await rm(cwd, { recursive: true });
});

async function start(settings: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await startGatewayProcess({ cwd, settings });
  running.push(gateway);
  return gateway;
}

const updated = { data: { bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdated' }] } } };

describe('serve on a fresh machine', () => {
  it('prints the address, the token and a command that updates an article when pasted', async () => {
    const { url, token, command, printed } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/graphql$/u);
    expect(printed()).toContain(`${url}#token=${token}\n`);
    expect(token).toMatch(/^kbg_[\w-]{32}$/u);
    const answer = JSON.parse(await paste(command));
    expect(answer).toMatchObject(updated);
    const [{ articleId, article }] = answer.data.bulkUpdateArticles.results;
    const read = await ask({ url, token }, ArticleTitleDocument, { articleId });
    expect(read.article?.title).toBe(article.title);
  });

  it('keeps the token in a file of its owner, and uses it again', async () => {
    const first = await start();
    await first.stop();
    expect((await stat(join(cwd, TOKEN_FILE))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(cwd, TOKEN_FILE), 'utf8')).toBe(`${first.token}\n`);
    expect((await start()).token).toBe(first.token);
  });

  it('removes the permissions of others from a token file', async () => {
    await (await start()).stop();
    await chmod(join(cwd, TOKEN_FILE), 0o644);
    await (await start()).stop();
    expect((await stat(join(cwd, TOKEN_FILE))).mode & 0o777).toBe(0o600);
  });

  it('does not start with a token file without a token', async () => {
    await (await start()).stop();
    await writeFile(join(cwd, TOKEN_FILE), '\n');
    const { code, stderr } = await runGateway([], { cwd, settings: { PORT: '0' } });
    expect(code).toBe(1);
    expect(stderr).toBe(`kb-gateway: ${TOKEN_FILE} holds no API token: delete it to get a new one\n`);
  });

  it('writes the log as lines of JSON to stdout, after the welcome, and nothing to stderr', async () => {
    const { stdout, stderr, code, log } = await (await start({ LOG_LEVEL: 'debug' })).stop();
    expect(code).toBe(0);
    const lines = log.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['listening', 'stopping', 'stopped']);
    expect(stdout).toMatch(/^kb-gateway is listening on/u);
    expect(stdout.endsWith(`\n\n${log}`)).toBe(true);
    expect(stderr).toBe('');
  });
});

describe('serve', () => {
  it('keeps nothing on disk for a store in memory', async () => {
    const { command } = await start({ DATABASE_URL: 'sqlite::memory:' });
    expect(JSON.parse(await paste(command))).toMatchObject(updated);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('accepts each token of API_TOKEN, and prints none of them', async () => {
    const gateway = await start({ API_TOKEN: 'first-secret, second-secret' });
    expect(gateway.token).toBe('');
    expect(JSON.parse(await paste(gateway.command, { API_TOKEN: 'first-secret, second-secret' }))).toMatchObject(
      updated,
    );
    await ask({ url: gateway.url, token: 'second-secret' }, GroupTitlesDocument, {});
    const { stdout, stderr } = await gateway.stop();
    expect(stdout + stderr).not.toMatch(/secret|#token=/u);
    expect(await readdir(join(cwd, 'data'))).not.toContain('kb.db.api-token');
  });

  it('leaves an empty store empty without DEMO_DATA, and prints a command that works', async () => {
    const { command } = await start({ DEMO_DATA: 'false' });
    expect(JSON.parse(await paste(command))).toEqual({ data: { readerGroups: { nodes: [] } } });
  });

  it('forwards to the service at UPSTREAM_URL, with the token of the caller', async () => {
    const service = await start();
    const gateway = await start({ UPSTREAM_URL: new URL('/', service.url).href });
    expect(gateway.token).toBe('');
    const command = gateway.command.replace('YOUR_API_TOKEN', service.token);
    const groups = await ask(service, GroupTitlesDocument, {});
    const answer = JSON.parse(await paste(command));
    expect(answer.data.readerGroups.nodes.map(({ title }: { title: string }) => ({ title }))).toEqual(
      groups.readerGroups?.nodes,
    );
    expect(groups.readerGroups?.nodes.length).toBeGreaterThan(0);
  });

  it('finds out that UPSTREAM_URL ends in /v2, and says so in the log and in the readiness', async () => {
    const service = await start();
    const gateway = await start({ UPSTREAM_URL: new URL('/v2', service.url).href });
    const command = gateway.command.replace('YOUR_API_TOKEN', service.token);
    expect(await paste(command)).toContain('errors');
    await paste(command);
    // The line may arrive after the answer.
    await expect.poll(() => gateway.log()).toContain('everything there answers 404: is this the base URL?');
    const ready = await fetch(new URL('/health/ready', gateway.url));
    expect(ready.status).toBe(503);
    const { reason } = await ready.json();
    expect(reason).toContain('everything there answers 404: is this the base URL?');
    expect(reason).not.toContain('127.0.0.1');
  });

  it('names its backend when it listens, and each variable that is no setting', async () => {
    const store = await start({ PROT: '1', UPSTREAM_TIMEOUT: '2' });
    expect(store.printed()).toMatch(/^kb-gateway is listening on \S+ \(over the embedded store in data\/kb\.db\)$/mu);
    const lines = store.log().trimEnd().split('\n');
    const named = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(named.map(({ name, meant }) => [name, meant])).toEqual([
      ['PROT', 'PORT'],
      ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT_MS'],
    ]);
    const gateway = await start({ UPSTREAM_URL: 'https://kb.example/base/' });
    expect(gateway.printed()).toContain('(in front of the service at https://kb.example/base)');
    expect((await gateway.stop()).log).toContain('in front of the service at https://kb.example/base');
  });

  it('loses nothing that was acknowledged when it is killed', async () => {
    const gateway = await start();
    const articleId = gateway.demoArticle;
    const { bulkUpdateArticles } = await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Kept' }] });
    expect(bulkUpdateArticles).toMatchObject({ summary: { updated: 1 } });
    await gateway.stop('SIGKILL');
    const again = await start();
    expect((await ask(again, ArticleTitleDocument, { articleId })).article?.title).toBe('Kept');
  });
});

describe('serve that cannot start', () => {
  it('lists every wrong setting at once', async () => {
    const settings = { PORT: 'http', LOG_LEVEL: 'loud', API_TOKEN: 'hush hush', UPSTREAM_TIMEOUT_MS: 'ignored' };
    const { code, stdout, stderr } = await runGateway(['serve'], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('wrong'),
      expect.stringMatching(/PORT is "http"; allowed: .+/u),
      expect.stringMatching(/LOG_LEVEL is "loud"; allowed: .+/u),
      expect.stringMatching(/API_TOKEN .+; allowed: .+/u),
    ]);
    expect(stderr).not.toContain('hush');
    expect(await readdir(cwd)).toEqual([]);
  });

  it('says that its port is in use', async () => {
    const { url } = await start();
    const settings = { PORT: new URL(url).port, DATABASE_URL: 'sqlite::memory:' };
    const { code, stdout, stderr } = await runGateway([], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`port ${settings.PORT} of 127.0.0.1 is in use`);
  });

  it('says that its store is no database', async () => {
    await writeFile(join(cwd, 'kb.db'), 'a text, and no database at all'.repeat(100));
    const { code, stderr } = await runGateway([], { cwd, settings: { PORT: '0', DATABASE_URL: 'sqlite:kb.db' } });
    expect(code).toBe(1);
    expect(stderr).toContain('kb.db');
    expect(stderr).not.toMatch(/^ +at /mu);
  });
});

/** A service that does not respond to a call until it is released. */
async function startSlowService() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    arrived.resolve();
    await released.promise;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: [{ id: 'a1', success: true }], errors: [] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, arrived: arrived.promise, release: released.resolve, server };
}

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s ends with 0', async (signal) => {
    expect(await (await start()).stop(signal)).toMatchObject({ code: 0 });
  });

  it('completes the call in flight, and accepts no new one', async () => {
    const service = await startSlowService();
    const gateway = await start({ UPSTREAM_URL: service.url });
    const response = ask({ ...gateway, token: 'x' }, RetitleDocument, { articles: [{ articleId: 'a1', title: 'T' }] });
    await service.arrived;
    const ended = gateway.stop();
    const refusal = () => fetch(gateway.url).catch((error) => error.cause.code);
    await expect.poll(refusal).toBe('ECONNREFUSED');
    service.release();
    expect((await response).bulkUpdateArticles?.__typename).toBe('BulkUpdateArticlesPayload');
    expect((await ended).code).toBe(0);
    service.server.close();
  });

  it('closes the connection of a call that outlasts the grace period', async () => {
    const service = await startSlowService();
    const gateway = await start({ UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: '50' });
    const response = ask({ ...gateway, token: 'x' }, RetitleDocument, { articles: [{ articleId: 'a1', title: 'T' }] });
    await service.arrived;
    const [{ code, log }] = await Promise.all([gateway.stop(), expect(response).rejects.toThrow('fetch failed')]);
    expect(code).toBe(0);
    expect(log).toContain('closed connections with calls in flight');
    service.release();
    service.server.closeAllConnections();
    service.server.close();
  });
});
