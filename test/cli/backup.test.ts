import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ArticleTitleDocument, RetitleDocument } from '../support/generated/operations.ts';
import { ask, runGateway, startGatewayProcess } from '../support/process.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-backup-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const backUp = (target: string, settings = {}) => runGateway(['backup', target], { cwd, settings });

async function start(folder: string) {
  const gateway = await startGatewayProcess({ cwd: folder });
  onTestFinished(async () => void (await gateway.stop('SIGKILL')));
  return gateway;
}

describe('backup', () => {
  it('copies the store of a running gateway, with its newest write', async () => {
    const gateway = await start(cwd);
    const articleId = gateway.demoArticle;
    await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Just written' }] });
    const { code, stdout, stderr } = await backUp('backup.db');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^backup\.db has the whole store of data\/demo\.db\. .* data\/kb\.db\.api-token\.\n$/u);
    expect((await stat(join(cwd, 'backup.db'))).mode & 0o777).toBe(0o600);
    expect((await readdir(cwd)).sort()).toEqual(['backup.db', 'data']);

    await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Written later' }] });
    const elsewhere = join(cwd, 'elsewhere');
    await mkdir(join(elsewhere, 'data'), { recursive: true });
    await rename(join(cwd, 'backup.db'), join(elsewhere, 'data/kb.db'));
    const restored = await start(elsewhere);
    expect((await ask(restored, ArticleTitleDocument, { articleId })).article?.title).toBe('Just written');
  });

  it('replaces no file, and leaves nothing where it fails', { tags: 'long' }, async () => {
    await writeFile(join(cwd, 'kb.db'), '');
    await writeFile(join(cwd, 'there.db'), 'kept');
    const settings = { DATABASE_URL: 'sqlite:kb.db' };
    const { code, stderr } = await backUp('there.db', settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('there.db') });
    await writeFile(join(cwd, 'kb.db'), 'a text, and no database'.repeat(100));
    expect((await backUp('new.db', settings)).stderr).toMatch(/^kb-gateway: .*new\.db.*not a database\.\n$/u);
    expect((await backUp('none/new.db', settings)).stderr).toContain('none/new.db');
    expect((await readdir(cwd)).sort()).toEqual(['kb.db', 'there.db']);
  });

  it('leaves nothing where there is no room for all of it', { tags: 'long' }, async () => {
    // SQLite begins to write the copy of a large file before it is whole.
    const store = new DatabaseSync(join(cwd, 'kb.db'));
    store.exec('create table large as select zeroblob(5000000) as bytes');
    store.close();
    const limited = 'ulimit -f 100; exec "$0" "$@"';
    const args = ['-c', limited, process.execPath, resolve('src/main.ts'), 'backup', 'new.db'];
    const env = { DATABASE_URL: 'sqlite:kb.db' };
    const { status, stderr } = spawnSync('sh', args, { cwd, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('new.db cannot be made') });
    expect(await readdir(cwd)).toEqual(['kb.db']);
  });

  it.each([
    ['sqlite:data/none.db', 'there is no store at data/none.db'],
    ['sqlite::memory:', 'sqlite::memory:'],
    ['postgres://user:secret@127.0.0.1:1/kb', 'pg_dump'],
  ])('has no copy of %s, and says why', { tags: 'long' }, async (DATABASE_URL, reason) => {
    const { code, stdout, stderr } = await backUp('backup.db', { DATABASE_URL });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('secret');
    expect(await readdir(cwd)).toEqual([]);
  });
});
