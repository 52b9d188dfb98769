import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayFolder, openGatewayFolder } from '../support/gateway-folder.ts';
import { ArticleTitleDocument, GroupTitlesDocument, RetitleDocument } from '../support/generated/operations.ts';
import { needs } from '../support/needs.ts';
import { ask, childrenOf, paste, runGateway } from '../support/process.ts';

const TOKEN_FILE = 'data/kb.db.api-token';

let folder: GatewayFolder;
let cwd: string;

beforeEach(async () => {
  folder = await openGatewayFolder();
  cwd = folder.cwd;
});

afterEach(() => folder.close());

describe('the file of the token', () => {
  it('keeps the token in a file of its owner, and uses it again', async () => {
    const first = await folder.start();
    await first.stop();
    expect((await stat(join(cwd, TOKEN_FILE))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(cwd, TOKEN_FILE), 'utf8')).toBe(`${first.token}\n`);
    expect((await folder.start()).token).toBe(first.token);
  });

  it('removes the permissions of others from a token file', async () => {
    await (await folder.start()).stop();
    await chmod(join(cwd, TOKEN_FILE), 0o644);
    await (await folder.start()).stop();
    expect((await stat(join(cwd, TOKEN_FILE))).mode & 0o777).toBe(0o600);
  });

  it('does not start with a token file without a token', async () => {
    await (await folder.start()).stop();
    await writeFile(join(cwd, TOKEN_FILE), '\n');
    const { code, stderr } = await runGateway([], { cwd, settings: { PORT: '0' } });
    expect(code).toBe(1);
    expect(stderr).toBe(`kb-gateway: ${TOKEN_FILE} holds no API token: delete it to get a new one\n`);
  });
});

describe('serve', () => {
  it('forwards to the service at UPSTREAM_URL, with the token of the caller', async () => {
    const service = await folder.start();
    const gateway = await folder.startOnTerminal({ UPSTREAM_URL: new URL('/', service.url).href });
    expect(gateway.token).toBe('');
    const command = gateway.command.replace('YOUR_API_TOKEN', service.token);
    const groups = await ask(service, GroupTitlesDocument, {});
    const answer = JSON.parse(await paste(command));
    expect(answer.data.readerGroups.nodes.map(({ title }: { title: string }) => ({ title }))).toEqual(
      groups.readerGroups?.nodes,
    );
    expect(groups.readerGroups?.nodes.length).toBeGreaterThan(0);
  });

  it('loses nothing that was acknowledged when it is killed', async () => {
    const gateway = await folder.start();
    const articleId = gateway.demoArticle;
    const { bulkUpdateArticles } = await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Kept' }] });
    expect(bulkUpdateArticles).toMatchObject({ summary: { updated: 1 } });
    await gateway.stop('SIGKILL');
    const again = await folder.start();
    expect((await ask(again, ArticleTitleDocument, { articleId })).article?.title).toBe('Kept');
  });
});

/** The `script` of util-linux runs a command on a terminal of its own. */
const hasScript = (): boolean =>
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

describe('serve on a terminal', needs(hasScript(), 'script of util-linux is missing'), () => {
  it('shows the token and a command, and the log as text without empty lines', async () => {
    const command = `exec env PORT=0 '${process.execPath}' '${resolve('src/main.ts')}' serve`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let shown = '';
    await new Promise<void>((done) => {
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        shown += chunk;
        if (/ INFO {2}listening [^\n]*\n/u.test(shown)) done();
      });
    });
    const [gateway] = childrenOf(child.pid);
    process.kill(gateway ?? Number.NaN, 'SIGTERM');
    expect(await ended).toEqual([0, null]);
    const token = (await readFile(join(cwd, TOKEN_FILE), 'utf8')).trim();
    const [welcome = '', log = ''] = shown.split(/\r\n\r\n(?=\d\d:)/u);
    expect(welcome).toMatch(new RegExp(`^API token: ${token}\\r$`, 'mu'));
    expect(welcome).toMatch(/^curl -sS http:/mu);
    expect(log.split('\r\n').map((line) => / (?:INFO) +(\w+)/u.exec(line)?.[1] ?? line)).toEqual([
      'listening',
      'stopping',
      'stopped',
      '',
    ]);
  });
});

describe('serve that cannot start', () => {
  it('says that its port is in use', async () => {
    const { url } = await folder.start();
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
    expect(await (await folder.start()).stop(signal)).toMatchObject({ code: 0 });
  });

  it('completes the call in flight, and accepts no new one', async () => {
    const service = await startSlowService();
    const gateway = await folder.start({ UPSTREAM_URL: service.url });
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
    const gateway = await folder.start({ UPSTREAM_URL: service.url, SHUTDOWN_GRACE_MS: '50' });
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
