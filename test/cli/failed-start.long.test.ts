import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../support/ports.ts';
import { runGateway } from '../support/process.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-failed-start-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const start = (settings: Record<string, string>) => runGateway([], { cwd, settings: { PORT: '0', ...settings } });

async function takenPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
  return `${portOf(server.address())}`;
}

const AUDIT_LOG = 'logs/audit.jsonl';

describe('a start that fails', () => {
  it('because of the port leaves nothing behind', async () => {
    await mkdir(join(cwd, 'logs'));
    const { code, stderr } = await start({ PORT: await takenPort(), AUDIT_LOG });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^kb-gateway: port \d+ of 127\.0\.0\.1 is in use[^\n]*\n$/u);
    expect(await readdir(cwd, { recursive: true })).toEqual(['logs']);
  });

  it('because its store is no database leaves nothing behind', async () => {
    await writeFile(join(cwd, 'hostname'), 'a text, and no database\n');
    const { code, stdout, stderr } = await start({ DATABASE_URL: 'sqlite:hostname' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('kb-gateway: The SQLite file hostname cannot be opened: file is not a database.\n');
    expect(await readdir(cwd)).toEqual(['hostname']);
  });

  it('because of trusted documents lists their problems once', async () => {
    const documents = { a1: '{ nothing }', b2: '{', c3: '{ __typename }' };
    await writeFile(join(cwd, 'documents.json'), JSON.stringify(documents));
    const { code, stdout, stderr } = await start({ PERSISTED_DOCUMENTS: 'documents.json' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'kb-gateway: PERSISTED_DOCUMENTS: the file documents.json cannot be used:',
      '  a1: Cannot query field "nothing" on type "Query". (line 1, column 3)',
      '  b2: Syntax Error: Expected Name, found <EOF>. (line 1, column 2)',
      '',
    ]);
    expect(await readdir(cwd)).toEqual(['documents.json']);
  });

  it.each([
    ['missing.json', 'cannot be read (ENOENT)'],
    ['.', 'is no regular file'],
    ['latin1.json', 'is not UTF-8'],
    ['large.json', 'is larger than 4 MiB'],
  ])('because the file of trusted documents cannot be read says why: %s', async (PERSISTED_DOCUMENTS, reason) => {
    await writeFile(join(cwd, 'latin1.json'), Buffer.from([0x22, 0xe4, 0x22]));
    await writeFile(join(cwd, 'large.json'), Buffer.alloc(4 * 1024 ** 2 + 1, ' '));
    const { code, stderr } = await start({ PERSISTED_DOCUMENTS });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `kb-gateway: PERSISTED_DOCUMENTS: the file ${PERSISTED_DOCUMENTS} cannot be used:\n  ${reason}\n`,
    );
  });

  it.each([
    { path: 'hostname/kb.db', reason: 'ENOTDIR' },
    { path: 'new/folder/', reason: 'EISDIR' },
    // A recursive mkdir of Node never ends here.
    ...(process.platform === 'linux' ? [{ path: '/proc/nope/kb.db', reason: 'ENOENT' }] : []),
  ])('because nothing can be stored at $path speaks of the store, and of no token', async ({ path, reason }) => {
    await writeFile(join(cwd, 'hostname'), '');
    const { code, stderr } = await start({ DATABASE_URL: `sqlite:${path}` });
    expect(code).toBe(1);
    expect(stderr.startsWith(`kb-gateway: The SQLite file ${path} cannot be opened: ${reason}`)).toBe(true);
    expect(stderr).not.toContain('token');
    expect(await readdir(cwd)).toEqual(['hostname']);
  });

  it('because its store is a device or a pipe changes no permissions of it', async () => {
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', ['-m', '666', pipe]);
    const { mode } = await stat(pipe);
    const { code, stderr } = await start({ DATABASE_URL: 'sqlite:pipe' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('it is not a regular file') });
    expect((await stat(pipe)).mode).toBe(mode);
    expect(await readdir(cwd)).toEqual(['pipe']);
  });

  it('because of a token file without a token leaves no store behind', async () => {
    await writeFile(join(cwd, 'kb.db.api-token'), '');
    const { code, stderr } = await start({ DATABASE_URL: 'sqlite:kb.db' });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('kb.db.api-token') });
    expect(await readdir(cwd)).toEqual(['kb.db.api-token']);
  });

  it('because of an address of another machine leaves nothing behind', async () => {
    const { code, stderr } = await start({ HOST: '192.0.2.1', PORT: '4321' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^kb-gateway: cannot listen on port 4321 of 192\.0\.2\.1/u);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('because of the key of the clients leaves nothing behind', async () => {
    await mkdir(join(cwd, 'logs'));
    const claims = { CLIENT_JWT_ISSUER: 'https://id.example', CLIENT_JWT_AUDIENCE: 'kb-gateway' };
    const { code } = await start({ ...claims, CLIENT_PUBLIC_KEY: 'no-such-key.pem', AUDIT_LOG });
    expect(code).toBe(1);
    expect(await readdir(cwd, { recursive: true })).toEqual(['logs']);
  });

  it('because of an audit log that cannot be written says so once', async () => {
    const { code, stdout, stderr } = await start({ AUDIT_LOG });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `kb-gateway: AUDIT_LOG is "${AUDIT_LOG}", which cannot be written (ENOENT): no write would be taken\n`,
    );
    expect(await readdir(cwd)).toEqual([]);
  });
});
