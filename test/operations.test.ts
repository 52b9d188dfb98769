import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArticleTitleDocument, RetitleDocument } from './support/generated/operations.ts';
import { ask, paste, type RunningGateway, startGatewayProcess } from './support/process.ts';

let folder: string;
let running: RunningGateway[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-operations-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')));
  await rm(folder, { recursive: true });
});

async function start(cwd: string, settings = {}): Promise<RunningGateway> {
  const gateway = await startGatewayProcess({ cwd, settings: { API_TOKEN: 'token', ...settings } });
  running.push(gateway);
  return { ...gateway, token: 'token' };
}

const operations = await readFile('docs/operations.md', 'utf8');

describe('docs/operations.md', () => {
  it('has a command that backs up the SQLite file of a running gateway, including its newest write', async () => {
    const gateway = await start(folder);
    const articleId = 'unpack-the-hub';
    await ask(gateway, RetitleDocument, { articles: [{ articleId, title: 'Just written' }] });
    const [, command = ''] = /^```sh\n(?<command>node -e .*vacuum into.*)\n```$/mu.exec(operations) ?? [];
    await paste(`cd '${folder}' && PATH="${dirname(process.execPath)}:$PATH" && ${command}`);
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(join(elsewhere, 'data'), { recursive: true });
    await rename(join(folder, 'backup.db'), join(elsewhere, 'data/kb.db'));
    const restored = await start(elsewhere, { DEMO_DATA: 'false' });
    expect((await ask(restored, ArticleTitleDocument, { articleId })).article?.title).toBe('Just written');
  });

  it('lists every warning and error of the log', async () => {
    const source = await paste("find src -name '*.ts' -exec cat {} +");
    const messages = [...source.matchAll(/\blog\(\s*'(?:warn|error)',\s*'(?<message>[^']+)'/gu)];
    expect(messages.length).toBeGreaterThan(5);
    for (const { groups } of messages) expect(operations).toContain(groups?.['message']);
  });
});
