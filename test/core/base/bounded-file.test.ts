import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBoundedFile, readOpenFile, useFolderFile } from '../../../src/core/base/bounded-file.ts';
import { err, ok } from '../../../src/core/base/result.ts';
import { runGateway } from '../../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-bounded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MIB = 1024 ** 2;

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function newPipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

describe('a file that is read whole', () => {
  it('has at most as many bytes as are allowed', () => {
    const path = write('ten', '0123456789');
    expect(readBoundedFile(path, { maxBytes: 10 })).toEqual({ ok: true, value: Buffer.from('0123456789') });
    expect(readBoundedFile(path, { maxBytes: 9 })).toEqual({ ok: false, error: 'is larger than 9 bytes' });
    expect(readBoundedFile(write('empty', ''), { maxBytes: 0 })).toEqual({ ok: true, value: Buffer.of() });
  });

  it('is a file, and neither a folder nor a device or a pipe', () => {
    const bounds = { maxBytes: MIB };
    for (const path of ['/dev/zero', folder, newPipe('refused')]) {
      expect(readBoundedFile(path, bounds)).toEqual({ ok: false, error: 'is no regular file' });
    }
    expect(readBoundedFile(join(folder, 'none'), bounds)).toEqual({ ok: false, error: 'cannot be read (ENOENT)' });
  });
});

describe('a file in a folder that others fill', () => {
  const root = mkdtempSync(join(realpathSync(folder), 'others-'));
  const inside = join(root, 'inside');
  mkdirSync(join(inside, 'real'), { recursive: true });
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(root, 'outside/a.md'), 'secret');
  writeFileSync(join(inside, 'real/a.md'), 'text');
  symlinkSync(join(root, 'outside'), join(inside, 'linked'));
  symlinkSync('real/a.md', join(inside, 'link.md'));
  symlinkSync('nowhere', join(inside, 'dangling.md'));
  writeFileSync(join(root, 'outside/b.md'), 'secret');
  linkSync(join(root, 'outside/b.md'), join(inside, 'hard.md'));
  const read = (path: string) =>
    useFolderFile({ folder: inside, path }, (file) => {
      const bytes = readOpenFile(file, { maxBytes: 100 });
      return bytes.ok ? ok(bytes.value.toString()) : bytes;
    });

  it('is opened under its own name alone', () => {
    const link = err('is a link, or lies behind one, and is not followed');
    expect(read('real/a.md')).toEqual(ok('text'));
    for (const path of ['linked/a.md', 'link.md', 'dangling.md', 'real/../linked/a.md'])
      expect([path, read(path)]).toEqual([path, link]);
    expect(read('hard.md')).toEqual(err('has another name (a hard link), and is left alone'));
    execFileSync('mkfifo', ['-m', '600', join(inside, 'pipe')]);
    expect(read('pipe')).toEqual(err('is no regular file'));
  });

  it('is not one outside of it, whenever a link takes the place of a folder', async () => {
    mkdirSync(join(inside, 'swapped'));
    writeFileSync(join(inside, 'swapped/a.md'), 'text');
    symlinkSync(join(root, 'outside'), join(inside, 'other'));
    const swap = `const { renameSync: move } = require('node:fs');
      process.stdout.write('.');
      for (;;) for (const [from, to] of [['swapped', 'kept'], ['other', 'swapped'], ['swapped', 'other'], ['kept', 'swapped']]) move(from, to);`;
    const swapper = spawn(process.execPath, ['-e', swap], { cwd: inside, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(swapper.stdout, 'data');
    const counts = new Map<string, number>();
    for (let turn = 0; turn < 5_000; turn += 1) {
      const found = read('swapped/a.md');
      const text = found.ok ? found.value : found.error;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    swapper.kill();
    expect([...counts.keys()].toSorted()).toEqual(expect.arrayContaining(['text']));
    expect(counts.get('secret')).toBeUndefined();
  });
});

describe('a command', () => {
  const run = (args: readonly string[], settings: Record<string, string> = {}) =>
    runGateway(args, { cwd: folder, settings });

  it('of import reads no file without an end', { tags: 'long' }, async () => {
    const { code, stderr } = await run(['import', '/dev/zero']);
    expect([code, stderr]).toEqual([
      1,
      'kb-gateway: nothing was imported from /dev/zero:\nthe file is no regular file\n',
    ]);
  });

  it.each([
    ['a secret', ['serve'], { API_TOKEN_FILE: '/dev/zero' }, 'no file that holds API_TOKEN (it is no regular file)'],
    ['trusted documents', ['serve'], { PERSISTED_DOCUMENTS: '/dev/zero' }, 'cannot be used:\n  is no regular file'],
    [
      'a public key',
      ['serve'],
      { CLIENT_PUBLIC_KEY: '/dev/zero', CLIENT_JWT_ISSUER: 'a', CLIENT_JWT_AUDIENCE: 'a' },
      '(it is no regular file)',
    ],
    [
      'a public key in a file',
      ['serve'],
      { CLIENT_PUBLIC_KEY_FILE: '/dev/zero', CLIENT_JWT_ISSUER: 'a', CLIENT_JWT_AUDIENCE: 'a' },
      '(it is no regular file)',
    ],
    ['updates', ['bulk-update', 'endless.csv'], { KB_API_TOKEN: 'a' }, 'endless.csv is no regular file.'],
    [
      'its own token',
      ['serve'],
      { DATABASE_URL: 'sqlite:endless.db' },
      'endless.db.api-token, where the API token is kept, is no regular file',
    ],
  ] satisfies [string, string[], Record<string, string>, string][])(
    'reads no endless file as %s',
    { tags: 'long' },
    async (...[, args, settings, message]) => {
      const { mode } = statSync('/dev/zero');
      rmSync(join(folder, 'endless.db.api-token'), { force: true });
      symlinkSync('/dev/zero', join(folder, 'endless.db.api-token'));
      rmSync(join(folder, 'endless.csv'), { force: true });
      symlinkSync('/dev/zero', join(folder, 'endless.csv'));
      const { code, stderr } = await run(args, { PORT: '0', ...settings });
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
      // A link to a device leaves its permissions as they are.
      expect(statSync('/dev/zero').mode).toBe(mode);
    },
  );
});
