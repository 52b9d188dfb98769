import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGateway, startGatewayProcess } from '../../support/process.ts';

const FIXTURE = resolve('test/fixtures/knowledge-base.json');

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-export-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const run = (command: string, file: string, settings = {}) => runGateway([command, file], { cwd, settings });

const contentOf = (name: string): Promise<Buffer> => readFile(join(cwd, name));

describe('export', () => {
  it('writes a file that its owner alone may read, and that gives back the same knowledge base', async () => {
    await run('import', FIXTURE);
    const { code, stdout, stderr } = await run('export', 'kb.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^articles +7$/mu);
    expect(stdout).toMatch(/^language versions +\d+$/mu);
    expect((await stat(join(cwd, 'kb.json'))).mode & 0o777).toBe(0o600);
    expect((await readdir(cwd)).sort()).toEqual(['data', 'kb.json']);
    const other = { DATABASE_URL: 'sqlite:other.db' };
    expect((await run('import', 'kb.json', other)).code).toBe(0);
    expect((await run('export', 'again.json', other)).code).toBe(0);
    expect(await contentOf('again.json')).toEqual(await contentOf('kb.json'));
  });

  it('compresses a .json.gz', { tags: 'long' }, async () => {
    await run('import', FIXTURE);
    await run('export', 'kb.json');
    await run('export', 'kb.json.gz');
    expect(gunzipSync(await contentOf('kb.json.gz'))).toEqual(await contentOf('kb.json'));
    expect((await run('import', 'kb.json.gz', { DATABASE_URL: 'sqlite:other.db' })).code).toBe(0);
  });

  it('reads the store while a gateway serves it', { tags: 'long' }, async () => {
    const gateway = await startGatewayProcess({ cwd });
    expect(await run('export', 'kb.json')).toMatchObject({ code: 0 });
    expect((await contentOf('kb.json')).toString()).toContain(gateway.demoArticle);
    await gateway.stop();
  });
});

describe('an export that cannot be made', () => {
  it('replaces no file, and follows no link', { tags: 'long' }, async () => {
    await run('import', FIXTURE);
    await writeFile(join(cwd, 'kb.json'), 'precious');
    await symlink(join(cwd, 'target.json'), join(cwd, 'link.json'));
    for (const name of ['kb.json', 'link.json']) {
      expect(await run('export', name)).toEqual({
        code: 1,
        stdout: '',
        stderr: `kb-gateway: nothing was exported to ${name}: the file exists already. Choose another name, or remove it first.\n`,
      });
    }
    expect((await contentOf('kb.json')).toString()).toBe('precious');
    expect((await readdir(cwd)).sort()).toEqual(['data', 'kb.json', 'link.json']);
  });

  it.each([
    { what: 'a folder that is not there', file: 'nowhere/kb.json', problem: 'the file cannot be written (ENOENT).' },
    { what: 'no store', database: 'typo.db', problem: 'there is no store at typo.db (DATABASE_URL).' },
    { what: 'an empty store', database: 'empty.db', problem: 'there is nothing to export.' },
  ])('says so and leaves nothing: $what', { tags: 'long' }, async ({ file = 'kb.json', database, problem }) => {
    const settings = database === undefined ? {} : { DATABASE_URL: `sqlite:${database}` };
    await run('import', FIXTURE);
    await writeFile(join(cwd, 'nothing.json'), '{}');
    await run('import', 'nothing.json', { DATABASE_URL: 'sqlite:empty.db' });
    const before = (await readdir(cwd)).sort();
    const { code, stdout, stderr } = await run('export', file, settings);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `kb-gateway: nothing was exported to ${file}: ${problem}\n`,
    });
    expect((await readdir(cwd)).sort()).toEqual(before);
  });

  it.each(['export', 'import', 'backup'])(
    'says for %s that the store is not in use where UPSTREAM_URL is set',
    { tags: 'long' },
    async (command) => {
      await run('import', FIXTURE);
      const settings = { UPSTREAM_URL: 'http://user:secret@127.0.0.1:1' };
      const { code, stdout, stderr } = await run(command, command === 'import' ? FIXTURE : 'new.json', settings);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^kb-gateway: (?:nothing was exported to new\.json: )?UPSTREAM_URL is set, .* the embedded store, which is not in use then\. .*\n$/u,
      );
      expect(stderr).not.toContain('secret');
      expect(/To export the service: node \S+main\.ts export new\.json --from-service\n$/u.test(stderr)).toBe(
        command === 'export',
      );
      expect(await readdir(cwd)).toEqual(['data']);
    },
  );
});
