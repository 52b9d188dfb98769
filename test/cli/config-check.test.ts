import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGateway } from '../support/process.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-config-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const check = (settings: Record<string, string>, ...args: string[]) =>
  runGateway(['serve', '--config-check', ...args], { cwd, settings });

/** The lines after the first of the message about wrong settings. */
async function problems(settings: Record<string, string>): Promise<readonly string[]> {
  const { code, stdout, stderr } = await check(settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.trimEnd().split('\n').slice(1);
}

/** The claims that a key of clients goes with. */
const KEY_OF_CLIENTS = { CLIENT_JWT_ISSUER: 'https://id.example/', CLIENT_JWT_AUDIENCE: 'kb' };

const PUBLIC_KEY = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('--config-check', () => {
  it('prints every setting in use with its default or value, writes nothing, and ends with 0', async () => {
    const { code, stdout, stderr } = await check({ LOG_LEVEL: 'debug', INTROSPECTION: 'off' }, '--port', '4321');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    const expected = ['HOST=127.0.0.1', 'PORT=4321', 'LOG_LEVEL=debug', 'INTROSPECTION=false', 'API_TOKEN is not set'];
    expect(lines).toEqual(expect.arrayContaining([...expected, 'DATABASE_URL=sqlite:data/demo.db']));
    expect(stdout).not.toContain('UPSTREAM');
    expect(await readdir(cwd)).toEqual([]);
  });

  it('names the store of one’s own where there is one, or where no demo is wanted', async () => {
    expect((await check({ DEMO_DATA: 'off' })).stdout).toContain('\nDATABASE_URL=sqlite:data/kb.db\n');
    await mkdir(join(cwd, 'data'));
    await writeFile(join(cwd, 'data/kb.db'), '');
    expect((await check({})).stdout).toContain('\nDATABASE_URL=sqlite:data/kb.db\n');
  });

  it('takes options before variables, and shows no secret', async () => {
    const settings = {
      HOST: 'localhost',
      PORT: '1',
      UPSTREAM_URL: 'https://kb.example/',
      UPSTREAM_API_TOKEN: 'hush-1',
      API_TOKEN: 'hush-2',
      CLIENT_PUBLIC_KEY: PUBLIC_KEY,
      CLIENT_JWT_ISSUER: 'https://id.example/',
      CLIENT_JWT_AUDIENCE: 'kb',
      https_proxy: 'http://me:hush-4@proxy.example:3128',
      PROT: '1',
    };
    const { code, stdout, stderr } = await check(settings, '--port=0', '--host', '0.0.0.0');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/hush|BEGIN/u);
    const lines = ['HOST=0.0.0.0', 'PORT=0', 'UPSTREAM_URL=https://kb.example', 'API_TOKEN is set, and not shown'];
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...lines, 'https_proxy=…@proxy.example:3128']));
    expect(stderr).toBe('kb-gateway: PROT is no setting and has no effect: is PORT meant?\n');
  });

  it('hides the user of the database', { tags: 'long' }, async () => {
    const { stdout } = await check({ DATABASE_URL: 'postgres://me:hush@h/kb?password=hush', API_TOKEN: 'x' });
    expect(stdout).toContain('DATABASE_URL=…@h/kb?…\n');
    expect(stdout).not.toContain('hush');
  });

  it('lists what is wrong, and ends with 1', async () => {
    expect(await problems({ PORT: 'x', LOG_LEVEL: 'loud' })).toHaveLength(2);
    const { code, stderr } = await check({}, '--port', '70000');
    expect([code, stderr]).toEqual([1, expect.stringContaining('PORT is "70000"; allowed: a whole number')]);
  });

  it.each([
    { name: 'that is missing', content: null, problem: '  cannot be read (ENOENT)' },
    { name: 'with an unknown field', content: { a1: '{ nothing }' }, problem: expect.stringMatching(/^ {2}a1: /u) },
  ])('refuses a file of trusted documents $name, as the start does', { tags: 'long' }, async ({ content, problem }) => {
    const path = join(cwd, 'documents.json');
    if (content) await writeFile(path, JSON.stringify(content));
    const settings = { PERSISTED_DOCUMENTS: path, PERSISTED_DOCUMENTS_MODE: 'only' };
    expect(await problems(settings)).toEqual([problem]);
  });

  it('lists the documents of the console that are executed beside those of the file', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'documents.json'), '{ "a1": "{ __typename }" }');
    const only = { PERSISTED_DOCUMENTS: 'documents.json', PERSISTED_DOCUMENTS_MODE: 'only' };
    const listed = async (settings: Record<string, string>) =>
      (await check(settings)).stdout.split('\n').filter((line) => line.startsWith('# sha256:'));
    const lines = await listed({ ...only, CONSOLE: 'on' });
    expect(lines.map((line) => line.split(' ')[2])).toContain('Articles');
    expect(lines.every((line) => /^# sha256:[\da-f]{64} [A-Z]\w+$/u.test(line))).toBe(true);
    expect(await listed(only)).toEqual([]);
    expect(await listed({ CONSOLE: 'on' })).toEqual([]);
  });

  it('takes files without an error, and creates and changes none', { tags: 'long' }, async () => {
    await mkdir(join(cwd, 'data'));
    const files = {
      'documents.json': '{ "a1": "{ __typename }" }',
      'key.pem': PUBLIC_KEY,
      'data/kb.db.api-token': 'x\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    await chmod(join(cwd, 'data/kb.db.api-token'), 0o644);
    const settings = { ...KEY_OF_CLIENTS, CLIENT_PUBLIC_KEY: 'key.pem', PERSISTED_DOCUMENTS: 'documents.json' };
    const { code, stdout, stderr } = await check({ ...settings, AUDIT_LOG: 'audit.jsonl' }, '--strict');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('PERSISTED_DOCUMENTS=documents.json\n');
    expect((await readdir(cwd, { recursive: true })).toSorted()).toEqual(['data', ...Object.keys(files)].toSorted());
    expect((await stat(join(cwd, 'data/kb.db.api-token'))).mode & 0o777).toBe(0o644);
  });

  it('shows what was set before what is default, the most used first', { tags: 'long' }, async () => {
    const settings = { MAX_BULK_ITEMS: '7', API_TOKEN: 'x', UPSTREAM_URL: 'https://kb.example', LOG_FORMAT: '' };
    const { stdout } = await check({ ...settings, UPSTREAM_API_TOKEN: 'y' }, '--port', '4000');
    const [set = '', defaults = ''] = stdout.split('\n\n');
    expect(set.split('\n')).toEqual([
      '# set:',
      'UPSTREAM_URL=https://kb.example',
      'UPSTREAM_API_TOKEN is set, and not shown',
      'API_TOKEN is set, and not shown',
      'PORT=4000',
      'MAX_BULK_ITEMS=7',
    ]);
    const rows = defaults.trimEnd().split('\n');
    expect(rows.slice(0, 3)).toEqual(['# default:', 'HOST=127.0.0.1', 'CORS_ORIGINS is not set']);
    expect(rows).toEqual(expect.arrayContaining(['LOG_FORMAT is not set', 'UPSTREAM_TIMEOUT_MS=10000']));
    expect((await check({})).stdout).toMatch(/^# set:\n# nothing\n\n# default:\nDATABASE_URL=/u);
  });

  it.each([
    [{ PROT: '1' }, 'PROT is no setting and has no effect: is PORT meant?'],
    [{ UPSTREAM_URL: 'http://kb.example' }, 'UPSTREAM_URL is http to another machine: '],
    [{ UPSTREAM_API_TOKEN: 'hush' }, 'UPSTREAM_API_TOKEN has no effect without UPSTREAM_URL: '],
    [{ UPSTREAM_URL: 'https://kb.example', UPSTREAM_TIMEOUT_MS: '30001' }, 'UPSTREAM_TIMEOUT_MS is longer than '],
    [{ AUDIT_LOG: 'no/audit.jsonl', AUDIT_FAILURE: 'open' }, 'AUDIT_LOG is "no/audit.jsonl", which cannot be written '],
  ])('warns of %j, which is a failure with --strict alone', { tags: 'long' }, async (settings, warning) => {
    const found = await check(settings);
    expect(found).toMatchObject({ code: 0, stderr: expect.stringMatching(/^kb-gateway: [^\n]*\n$/u) });
    expect(found.stderr).toContain(warning);
    expect(found.stderr).not.toContain('hush');
    expect(await check(settings, '--strict')).toEqual({ ...found, code: 1 });
  });

  it('is all that --strict is for', { tags: 'long' }, async () => {
    const { code, stderr } = await runGateway(['serve', '--strict'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--strict goes with --config-check.')]);
  });
});

describe.each(['serve', 'mcp', '--config-check'])('a file that cannot be used, for %s', (command) => {
  it('is named with all others, and nothing is left behind', { tags: 'long' }, async () => {
    await mkdir(join(cwd, 'data'));
    await writeFile(join(cwd, 'data/kb.db.api-token'), '\n');
    const settings = { ...KEY_OF_CLIENTS, CLIENT_PUBLIC_KEY: 'no-such.pem', AUDIT_LOG: 'no/audit.jsonl', PORT: '0' };
    const { code, stdout, stderr } = await runGateway([command], { cwd, settings });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'kb-gateway: CLIENT_PUBLIC_KEY holds no public key in PEM, nor is it the path of such a file (it cannot be read (ENOENT))',
      'data/kb.db.api-token holds no API token: delete it to get a new one',
      'AUDIT_LOG is "no/audit.jsonl", which cannot be written (ENOENT): no write would be taken',
      '',
    ]);
    expect((await readdir(cwd, { recursive: true })).toSorted()).toEqual(['data', 'data/kb.db.api-token']);
  });

  it.each(['.', 'file/audit.jsonl', 'pipe'])('is the audit log %s', { tags: 'long' }, async (AUDIT_LOG) => {
    await writeFile(join(cwd, 'file'), '');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const { code, stderr } = await runGateway([command], { cwd, settings: { AUDIT_LOG, PORT: '0' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^kb-gateway: AUDIT_LOG is "[^"]+", which cannot be written \((?:ENOTDIR|it is no file)\): /u,
    );
  });
});

describe('a secret in a file', () => {
  it('is taken without the line break at its end', async () => {
    await writeFile(join(cwd, 'token'), 'one,two\r\n');
    await writeFile(join(cwd, 'url'), 'postgres://me:hush@h/kb\n');
    const { code, stdout } = await check({ API_TOKEN_FILE: 'token', DATABASE_URL_FILE: join(cwd, 'url') });
    expect(code).toBe(0);
    expect(stdout).toContain('API_TOKEN is set, and not shown\n');
    expect(stdout).toContain('DATABASE_URL=…@h/kb\n');
  });

  it('that cannot be read is named with all other problems', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'empty'), '\n');
    await writeFile(join(cwd, 'large'), 'x'.repeat(65_537));
    await writeFile(join(cwd, 'binary'), Buffer.of(0xff, 0xfe));
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const reasonOf = async (API_TOKEN_FILE: string) => {
      const [first, ...more] = await problems({ API_TOKEN_FILE, DATABASE_URL: 'postgres://h/kb' });
      expect(more).toEqual([]);
      return /^ {2}API_TOKEN_FILE names no file that holds API_TOKEN \((?<reason>.*)\)$/u.exec(first ?? '')?.groups?.[
        'reason'
      ];
    };
    expect(await reasonOf('./missing')).toBe('it cannot be read (ENOENT)');
    expect(await reasonOf('./empty')).toBe('it is empty');
    expect(await reasonOf('./large')).toBe('it is larger than 65536 bytes');
    expect(await reasonOf('./binary')).toBe('it is no UTF-8');
    expect(await reasonOf('./pipe')).toBe('it is no regular file');
    expect(await problems({ API_TOKEN_FILE: 'missing', PORT: 'x' })).toHaveLength(2);
  });

  it('is refused beside the secret itself, and a wrong one is not shown', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'token'), 'hush hush');
    expect(await problems({ API_TOKEN_FILE: './token', API_TOKEN: 'hush' })).toEqual([
      '  API_TOKEN_FILE and API_TOKEN are both set; allowed: one of them',
    ]);
    expect(await problems({ API_TOKEN_FILE: 'token' })).toEqual([
      expect.stringMatching(/^ {2}API_TOKEN was given a value that is not shown; allowed: /u),
    ]);
  });

  it.each([
    ['API_TOKEN_FILE', 'hush'],
    ['API_TOKEN_FILE', '/hush+9Zt'],
    ['API_TOKEN_FILE', '/9hush/Zt'],
    ['DATABASE_URL_FILE', 'postgres://h/kb/hush'],
    ['CLIENT_PUBLIC_KEY_FILE', '-----BEGIN PUBLIC KEY-----\nhush'],
  ])('that was given in place of the path is not shown: %s=%s', { tags: 'long' }, async (name, value) => {
    const setting = name.replace('_FILE', '');
    expect(await problems({ [name]: value })).toContainEqual(
      `  ${name} names no file that holds ${setting} (it cannot be read (ENOENT))`,
    );
  });

  it('is used beside UPSTREAM_URL_FILE, which is no setting', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'url'), 'postgres://me:hush@h/kb');
    const { code, stdout } = await check({ UPSTREAM_URL_FILE: 'url', DATABASE_URL_FILE: 'url', API_TOKEN: 'x' });
    expect(code).toBe(0);
    expect(stdout).toContain('DATABASE_URL=…@h/kb\n');
  });

  it('does not matter where it is not used', { tags: 'long' }, async () => {
    expect((await check({ UPSTREAM_API_TOKEN_FILE: 'missing' })).code).toBe(0);
    const rest = { UPSTREAM_URL: 'https://kb.example', DATABASE_URL_FILE: 'missing', API_TOKEN_FILE: 'missing' };
    expect((await check(rest)).code).toBe(0);
    expect((await check({ ...rest, UPSTREAM_API_TOKEN: 'x' })).code).toBe(1);
  });
});
