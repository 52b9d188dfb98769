import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-writers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const check = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/writers.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stderr };
};

const OFFENDERS: readonly (readonly [string, string])[] = [
  ['src/cli/serve.ts', "process.stdout.write('a');"],
  ['src/server/http/route.ts', "process . stderr.write('a');"],
  ['src/server/http/route.ts', 'const stream = process.stdout;'],
  ['src/server/http/route.ts', 'const { env, stderr: out } = process;'],
  ['src/server/http/route.ts', "process['stdout'].write('a');"],
  ['src/server/http/route.ts', "import { stdout } from 'node:process';"],
  ['src/server/http/route.ts', "const out = await import('node:console');"],
  ['src/server/http/route.ts', "console.log('a');"],
  ['src/server/http/route.ts', "writeSync(2, 'a');"],
  ['src/server/http/route.ts', "writeFileSync('/dev/stderr', 'a');"],
  ['src/core/base/logger.ts', 'const line = JSON.stringify({});'],
  ['src/core/writes/audit.ts', 'const line = JSON.stringify({});'],
  ['src/server/config/setting-reader.ts', "const line = text.replace(/\\p{Cc}/gu, '');"],
];

const INNOCENT: readonly (readonly [string, string])[] = [
  ['src/server/process/terminal.ts', "process.stdout.write('a');"],
  ['src/server/http/route.ts', '// Not to process.stdout, nor by console.log.'],
  ['src/server/http/route.ts', "/**\n * A comment about process.stderr.\n */\nprocess.once('exit', stop);"],
  ['src/server/http/route.ts', "const exporter = 'console';"],
  ['src/server/http/route.ts', 'const body = JSON.stringify({});'],
];

function write([name, code]: readonly [string, string]): void {
  const path = join(folder, name);
  rmSync(join(folder, 'src'), { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `const first = 1;\n${code}\n`);
}

describe('the check of what writes lines', () => {
  it('finds nothing in the gateway', () => {
    expect(check()).toEqual({ status: 0, stderr: '' });
  });

  it.each(OFFENDERS)('fails on %s with %s', { tags: 'long' }, (...offender) => {
    write(offender);
    const { status, stderr } = check(folder);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining(`${offender[0]}:2: `) });
  });

  it.each(INNOCENT)('accepts %s with %s', (...innocent) => {
    write(innocent);
    expect(check(folder)).toEqual({ status: 0, stderr: '' });
  });
});
