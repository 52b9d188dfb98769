import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/core/base/log.ts';
import { demoKnowledgeBase } from '../../../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../../../src/store/local-backend.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-files-'));
});

afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

/** The mode of each file in the folder of an open store, after a write. */
async function modesOf(path: string, inside: string): Promise<unknown> {
  const store = await openLocalBackend({ databaseUrl: `sqlite:${path}`, apiTokens: ['token'], log: silentLog });
  await store.importKnowledgeBase(demoKnowledgeBase, () => {});
  const names = await readdir(inside);
  const modes = await Promise.all(names.sort().map(async (name) => [name, await modeOf(join(inside, name))]));
  await store.close();
  return Object.fromEntries(modes);
}

const CLOSED = { 'kb.db': '600', 'kb.db-shm': '600', 'kb.db-wal': '600' };

describe('the files of a SQLite store', () => {
  it('are created for their owner alone, as is their folder', async () => {
    const data = join(folder, 'made/data');
    expect(await modesOf(join(data, 'kb.db'), data)).toEqual(CLOSED);
    expect([await modeOf(data), await modeOf(join(folder, 'made'))]).toEqual(['700', '700']);
  });

  it('lose the permissions of others, and the folder keeps them', async () => {
    const path = join(folder, 'kb.db');
    await chmod(folder, 0o755);
    const other = new DatabaseSync(path);
    other.exec('pragma journal_mode = wal; create table filled (id); drop table filled');
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o666);
    expect(await readdir(folder)).toHaveLength(3);
    expect(await modesOf(path, folder)).toEqual(CLOSED);
    other.close();
    expect(await modeOf(folder)).toBe('755');
  });

  it('keep their permissions when they are no database', async () => {
    const path = join(folder, 'kb.db');
    await writeFile(path, 'a text, and no database at all'.repeat(100), { mode: 0o644 });
    await expect(modesOf(path, folder)).rejects.toThrow('not a database');
    expect(await modeOf(path)).toBe('644');
  });
});
