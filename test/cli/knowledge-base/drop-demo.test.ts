import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArticleCountDocument, RetitleDocument } from '../../support/generated/operations.ts';
import { ask, runGateway, startGatewayProcess } from '../../support/process.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-drop-demo-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const run = (...args: readonly string[]) => runGateway(args, { cwd });

describe('drop-demo', () => {
  it('takes the demo away beside a gateway that serves it, and no later start brings it back', {
    tags: 'long',
  }, async () => {
    const gateway = await startGatewayProcess({ cwd });
    await ask(gateway, RetitleDocument, { articles: [{ articleId: gateway.demoArticle, title: 'Mine' }] });
    expect(await run('drop-demo')).toEqual({
      code: 0,
      stdout: 'The demo was removed, with all changes to it, and does not come back.\n',
      stderr: '',
    });
    await expect(ask(gateway, ArticleCountDocument, {})).resolves.toMatchObject({ articles: null });
    await gateway.stop();
    expect((await run('export', 'kb.json')).stderr).toContain('there is nothing to export');
    const again = await startGatewayProcess({ cwd });
    await again.stop();
    expect((await run('export', 'kb.json')).stderr).toContain('there is nothing to export');
    expect((await run('drop-demo')).stdout).toBe('The store has no demo, and gets none.\n');
    expect((await run('import', resolve('test/fixtures/knowledge-base.json'))).code).toBe(0);
  });

  it('makes no store', async () => {
    const { code, stderr } = await run('drop-demo');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^kb-gateway: there is no store at data\/kb\.db \(DATABASE_URL\)\. .*DEMO_DATA=false/u);
    expect(await readdir(cwd)).toEqual([]);
  });
});
