import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLocalBackend } from '../../../src/backend/local/local-backend.ts';
import { silent } from '../../../src/domain/log.ts';
import { caller, temporaryFolder, value } from './store.ts';

const WRITER = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));

describe('a bulk update of 420 items that was acknowledged', () => {
  it('loses none of them when the process is killed at that moment', async () => {
    const databaseUrl = `sqlite:${join(temporaryFolder(), 'kb.db')}`;
    const writer = spawn(process.execPath, [WRITER, databaseUrl, '420'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(writer, 'exit');
    const [acknowledged] = await Promise.race([once(writer.stdout, 'data'), ended]);
    writer.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(`${acknowledged}`).toBe('420\n');

    const store = await openLocalBackend({ databaseUrl, apiTokens: ['token'], log: silent });
    const keys = Array.from({ length: 420 }, (_, index) => ({ articleId: `article-${index}` }));
    const articles = (await store.articles(caller, keys)).map(value);
    await store.close();
    const kept = articles.filter((article) => article?.title === 'After' && article.categoryId === 'to');
    expect(kept).toHaveLength(420);
  });
});
