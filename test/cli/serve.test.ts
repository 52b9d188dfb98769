import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayFolder, openGatewayFolder } from '../support/gateway-folder.ts';
import { GroupTitlesDocument } from '../support/generated/operations.ts';
import { ask, paste, runGateway } from '../support/process.ts';

let folder: GatewayFolder;
let cwd: string;

beforeEach(async () => {
  folder = await openGatewayFolder();
  cwd = folder.cwd;
});

afterEach(() => folder.close());

const listed = {
  data: {
    readerGroups: { nodes: expect.arrayContaining([{ groupId: expect.any(String), title: expect.any(String) }]) },
  },
};

describe('serve on a fresh machine', () => {
  it('prints the address, the token and a command that works when pasted, on a terminal', async () => {
    const { url, token, command, printed } = await folder.startOnTerminal();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/graphql$/u);
    expect(printed()).toContain(`${url}#token=${token}\n`);
    expect(token).toMatch(/^kbg_[\w-]{32}$/u);
    expect(JSON.parse(await paste(command))).toEqual(listed);
  });

  it('writes lines of JSON alone elsewhere, one with the URL and the file of the token, and never the token', async () => {
    const gateway = await folder.start({ LOG_LEVEL: 'debug' });
    const { stdout, stderr, code } = await gateway.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    const [listening, ...others] = lines.map((line) => JSON.parse(line));
    expect(listening).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/u),
      level: 'info',
      message: 'listening',
      url: gateway.url,
      console: gateway.url.replace('graphql', 'console'),
      tokenFile: join(await realpath(cwd), 'data/kb.db.api-token'),
      host: '127.0.0.1',
      port: Number(new URL(gateway.url).port),
      backend: 'over the embedded store in data/demo.db',
    });
    expect(others.map(({ message }) => message)).toEqual(['stopping', 'stopped']);
    expect(gateway.token).toMatch(/^kbg_[\w-]{32}$/u);
    expect(stdout).not.toContain(gateway.token);
  });
});

describe('serve', () => {
  it('prints the link of the console first, with the generated token, and serves it', { tags: 'long' }, async () => {
    const { token, printed } = await folder.startOnTerminal();
    const [, url = '', fragment] =
      /^The console, for docs teams: (http:\S+\/console)#token=(\S+)\n/u.exec(printed()) ?? [];
    expect(fragment).toBe(token);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await page.text()).includes(token)).toBe(false);
  });

  it('prints no configured token, and no link of a console that is off', { tags: 'long' }, async () => {
    const configured = await folder.startOnTerminal({ API_TOKEN: 'configured-by-hand' });
    expect(configured.printed()).toMatch(/^The console, for docs teams: \S+\/console\n/u);
    expect(configured.printed()).not.toContain('configured-by-hand');
    await configured.stop();
    const without = await folder.startOnTerminal({ CONSOLE: 'off', DATABASE_URL: 'sqlite::memory:' });
    expect(without.printed()).not.toContain('/console');
    expect((await fetch(without.url.replace('graphql', 'console'))).status).toBe(404);
  });

  it('keeps nothing on disk for a store in memory, but for a token that no terminal shows, until it stops', {
    tags: 'long',
  }, async () => {
    const onTerminal = await folder.startOnTerminal({ DATABASE_URL: 'sqlite::memory:' });
    expect(JSON.parse(await paste(onTerminal.command))).toEqual(listed);
    const temporary = join(cwd, 'temporary');
    await mkdir(temporary);
    const gateway = await folder.start({ DATABASE_URL: 'sqlite::memory:', TMPDIR: temporary });
    await ask(gateway, GroupTitlesDocument, {});
    const [kept = ''] = await readdir(temporary);
    const modes = [kept, join(kept, 'api-token')].map(async (path) => (await stat(join(temporary, path))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
    await gateway.stop();
    expect([await readdir(temporary), await readdir(cwd)]).toEqual([[], ['temporary']]);
  });

  it('replaces a generated token whose file was deleted', { tags: 'long' }, async () => {
    const first = await folder.start();
    await first.stop();
    await rm(join(cwd, 'data/kb.db.api-token'));
    const second = await folder.start();
    expect(second.token).not.toBe(first.token);
    await ask(second, GroupTitlesDocument, {});
    await expect(ask({ url: second.url, token: first.token }, GroupTitlesDocument, {})).rejects.toThrow(
      'UNAUTHENTICATED',
    );
  });

  it('accepts each token of API_TOKEN, and prints none of them', { tags: 'long' }, async () => {
    const gateway = await folder.startOnTerminal({ API_TOKEN: 'first-secret, second-secret' });
    expect(gateway.token).toBe('');
    expect(JSON.parse(await paste(gateway.command, { API_TOKEN: 'first-secret, second-secret' }))).toEqual(listed);
    await ask({ url: gateway.url, token: 'second-secret' }, GroupTitlesDocument, {});
    const { stdout, stderr } = await gateway.stop();
    expect(stdout + stderr).not.toMatch(/secret|#token=/u);
    expect(await readdir(join(cwd, 'data'))).not.toContain('kb.db.api-token');
  });

  it('leaves an empty store empty without DEMO_DATA, and prints a command that works', { tags: 'long' }, async () => {
    const { command } = await folder.startOnTerminal({ DEMO_DATA: 'false' });
    expect(JSON.parse(await paste(command))).toEqual({ data: { readerGroups: { nodes: [] } } });
  });

  it('finds out that UPSTREAM_URL has a wrong path, and says so in the log and in the readiness', {
    tags: 'long',
  }, async () => {
    const service = await folder.start();
    const gateway = await folder.start({ UPSTREAM_URL: new URL('/v3', service.url).href });
    const caller = { url: gateway.url, token: service.token };
    for (let call = 0; call < 2; call += 1) await expect(ask(caller, GroupTitlesDocument, {})).rejects.toThrow();
    // The line may arrive after the answer.
    await expect.poll(() => gateway.log()).toContain('everything there answers 404: is this the base URL?');
    const ready = await fetch(new URL('/health/ready', gateway.url));
    expect(ready.status).toBe(503);
    const { reason } = await ready.json();
    expect(reason).toContain('everything there answers 404: is this the base URL?');
    expect(reason).not.toContain('127.0.0.1');
  });

  it('names its backend when it listens, and each variable that is no setting', { tags: 'long' }, async () => {
    const store = await folder.start({ PROT: '1', UPSTREAM_TIMEOUT: '2' });
    const lines = store.log().trimEnd().split('\n');
    const named = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(named.map(({ name, meant }) => [name, meant])).toEqual([
      ['PROT', 'PORT'],
      ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT_MS'],
    ]);
    const unencrypted = await folder.start({ UPSTREAM_URL: 'http://kb.example' });
    expect(JSON.parse((await unencrypted.stop()).log.split('\n')[0] ?? '')).toMatchObject({
      level: 'warn',
      message: 'a setting may not be what is meant',
      setting: 'UPSTREAM_URL',
      reason: 'is http to another machine: tokens and texts go there unencrypted',
    });
    const gateway = await folder.start({ UPSTREAM_URL: 'https://kb.example/base/' });
    expect((await gateway.stop()).log).toContain('in front of the service at https://kb.example/base');
  });
});

describe('serve that cannot start', () => {
  it('lists every wrong setting at once', async () => {
    const settings = { PORT: 'http', LOG_LEVEL: 'loud', API_TOKEN: 'hush hush', UPSTREAM_TIMEOUT_MS: 'ignored' };
    const { code, stdout, stderr } = await runGateway(['serve'], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('wrong'),
      expect.stringMatching(/API_TOKEN .+; allowed: .+/u),
      expect.stringMatching(/PORT is "http"; allowed: .+/u),
      expect.stringMatching(/LOG_LEVEL is "loud"; allowed: .+/u),
    ]);
    expect(stderr).not.toContain('hush');
    expect(await readdir(cwd)).toEqual([]);
  });
});
