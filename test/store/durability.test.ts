import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { needs } from '../support/needs.ts';
import { caller, temporaryFolder, value } from './store.ts';

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe('an acknowledged bulk update of 420 items', () => {
  it('loses none of them when the process is killed at once', { tags: 'long' }, async () => {
    const databaseUrl = `sqlite:${join(temporaryFolder(), 'kb.db')}`;
    const writer = spawn(process.execPath, [scriptOf('./crash-writer.ts'), databaseUrl, '420'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit');
    const [acknowledged] = await Promise.race([once(writer.stdout, 'data'), ended]);
    writer.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(`${acknowledged}`).toBe('420\n');

    const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silentLog });
    const keys = Array.from({ length: 420 }, (_, index) => ({ articleId: `article-${index}` }));
    const articles = (await store.articles(caller, keys)).map(value);
    await store.close();
    const kept = articles.filter((article) => article?.title === 'After' && article.categoryId === 'to');
    expect(kept).toHaveLength(420);
  });
});

const run = promisify(execFile);

const NEEDS_ULIMIT = needs(process.platform !== 'win32', 'Windows has no limit on the size of files');

describe('a write that the disk fails', NEEDS_ULIMIT, () => {
  it('has an unknown outcome during the commit, and leaves the store whole and writable', async () => {
    const databaseUrl = `sqlite:${join(temporaryFolder(), 'kb.db')}`;
    // The unit is blocks of 512 bytes: enough for the demo, too small for the update.
    const limited = [
      '-c',
      'ulimit -f 1400; exec "$@"',
      'sh',
      process.execPath,
      scriptOf('./failing-writer.ts'),
      databaseUrl,
    ];
    const { stdout } = await run('sh', limited);
    const details = expect.stringContaining('its outcome is unknown');
    expect(JSON.parse(stdout)).toMatchObject({
      articles: {
        ok: true,
        value: {
          outcomes: [
            { kind: 'unknown', articleId: 'factory-reset', details },
            { kind: 'failed', articleId: 'nobody' },
          ],
        },
      },
      group: { ok: false, error: { kind: 'outcome-unknown' } },
      early: { ok: false, error: { kind: 'unavailable' } },
      small: { ok: true, value: { outcomes: [{ kind: 'updated' }] } },
      read: { value: { title: 'After', content: expect.stringContaining('All scenes are lost') } },
      staff: { value: demoKnowledgeBase.reader_groups.find(({ groupId }) => groupId === 'staff') },
    });
  });
});
