import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBoundedFile } from '../../src/base/bounded-file.ts';
import { runGateway } from '../support/process.ts';

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

describe('a command', () => {
  const run = (args: readonly string[], settings: Record<string, string> = {}) =>
    runGateway(args, { cwd: folder, settings });

  it('of import reads no file without an end', async () => {
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
