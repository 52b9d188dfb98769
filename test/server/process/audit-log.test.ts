import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAuditFile } from '../../../src/server/process/audit-log.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kb-gateway-audit-'));
  path = join(directory, 'audit.jsonl');
});

afterEach(() => rm(directory, { recursive: true }));

const linesIn = async (file: string) => (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');

const lines = () => linesIn(path);

/** Returns the next line, after adding it to `sent`. */
function lineOf(sent: string[]): string {
  const line = `${sent.length} ${'x'.repeat(500)}`;
  sent.push(line);
  return `${line}\n`;
}

const DONE = { ok: true, value: undefined };

describe('an audit file', () => {
  it('is created for its owner alone, and only grows', async () => {
    await createAuditFile(path)('one\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await createAuditFile(path)('two\n');
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('has every line whole, for any number and length of concurrent lines', async () => {
    const append = createAuditFile(path);
    const sent = Array.from({ length: 500 }, (_, index) => `${index} ${String(index % 10).repeat(index * 40)}`);
    const results = await Promise.all(sent.map((line) => append(`${line}\n`)));
    expect(results).toEqual(sent.map(() => DONE));
    expect(await lines()).toEqual(sent);
  });

  it('has every line whole if several processes append to it', { tags: 'long' }, async () => {
    const script = `
      const { createAuditFile } = await import(${JSON.stringify(new URL('../../../src/server/process/audit-log.ts', import.meta.url).href)});
      const append = createAuditFile(${JSON.stringify(path)});
      for (let index = 0; index < 100; index += 1) await append(\`\${process.argv[1]} \${index} \${'x'.repeat(9_000)}\\n\`);
    `;
    const processes = ['a', 'b', 'c'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '-e', script, name], { stdio: 'inherit' }),
    );
    await Promise.all(processes.map((child) => once(child, 'close')));
    const written = await lines();
    const expected = ['a', 'b', 'c'].flatMap((name) =>
      Array.from({ length: 100 }, (_, index) => `${name} ${index} ${'x'.repeat(9_000)}`),
    );
    expect(written.toSorted()).toEqual(expected.toSorted());
  });

  it('begins a new line after a partial one of a crash', async () => {
    await writeFile(path, 'whole\n{"hal');
    const append = createAuditFile(path);
    await append('new\n');
    await append('newer\n');
    expect(await lines()).toEqual(['whole', '{"hal', 'new', 'newer']);
  });

  it('begins a new line after a partial one that another process has just written', async () => {
    const append = createAuditFile(path);
    await append('one\n');
    await appendFile(path, '{"hal');
    await append('two\n');
    await appendFile(path, '{"ha');
    expect(await append('')).toEqual(DONE);
    await append('three\n');
    expect(await lines()).toEqual(['one', '{"hal', 'two', '{"ha', 'three']);
  });

  it('has every line on its own, however often other processes write partial ones', async () => {
    const script = `
      const { appendFileSync } = await import('node:fs');
      for (let index = 0; index < 3_000; index += 1) appendFileSync(${JSON.stringify(path)}, '{"half":');
    `;
    const tearing = ['a', 'b'].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    const ended = Promise.all(tearing.map((child) => once(child, 'close')));
    const isOver = ended.then(() => true);
    const append = createAuditFile(path);
    const sent: string[] = [];
    while (!(await Promise.race([isOver, append(lineOf(sent)).then(() => false)])));
    await append('the last\n');
    const written = new Set(await lines());
    expect(sent.filter((line) => !written.has(line))).toEqual([]);
  });

  it('is closed to other users if it existed before, also if logrotate created it', async () => {
    await writeFile(path, '', { mode: 0o644 });
    const append = createAuditFile(path);
    await append('');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await rename(path, `${path}.1`);
    await writeFile(path, '', { mode: 0o640 });
    await append('one\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('creates the file again after it was moved, and appends after the lines of others', async () => {
    const append = createAuditFile(path);
    await append('old\n');
    await rename(path, `${path}.1`);
    await append('new\n');
    await appendFile(path, 'of another\n');
    await append('newer\n');
    expect(await lines()).toEqual(['new', 'of another', 'newer']);
    expect(await linesIn(`${path}.1`)).toEqual(['old']);
  });

  it('returns the reason why a line is missing, and takes lines again as soon as it can', async () => {
    const append = createAuditFile(join(directory, 'later', 'audit.jsonl'));
    expect(await append('lost\n')).toEqual({ ok: false, error: 'ENOENT' });
    await mkdir(join(directory, 'later'));
    expect(await append('kept\n')).toEqual(DONE);
    expect(await linesIn(join(directory, 'later', 'audit.jsonl'))).toEqual(['kept']);
    expect(await createAuditFile(directory)('lost\n')).toEqual({ ok: false, error: 'EISDIR' });
  });

  it('is no pipe', async () => {
    execFileSync('mkfifo', [path]);
    const pipe = spawn('cat', [path]);
    onTestFinished(() => void pipe.kill());
    await expect.poll(() => createAuditFile(path)('line\n')).toEqual({ ok: false, error: 'it is no file' });
  });

  it('refuses lines above the limit of pending characters', async () => {
    const append = createAuditFile(path);
    const line = `${'x'.repeat(999_999)}\n`;
    const results = await Promise.all(Array.from({ length: 40 }, () => append(line)));
    const refused = results.filter((result) => !result.ok);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toEqual({ ok: false, error: 'too much waits for the disk' });
    expect(await lines()).toHaveLength(40 - refused.length);
  });
});
