import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';

const CLIENT = 'examples/node-client/update-articles.ts';
const runFile = promisify(execFile);

let cwd: string;
let gateway: RunningGateway;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-example-'));
  gateway = await startGatewayProcess({ cwd });
});

afterAll(async () => {
  await gateway.stop();
  await rm(cwd, { recursive: true });
});

async function update(articles: unknown, token = gateway.token): Promise<string> {
  const env = { GATEWAY_URL: gateway.url, API_TOKEN: token };
  const { stdout } = await runFile(process.execPath, [CLIENT, JSON.stringify(articles)], { env });
  return stdout;
}

describe('the example client', () => {
  it('reports the outcome of each article', async () => {
    const articleId = gateway.demoArticle;
    const output = await update([
      { articleId, title: 'A new name' },
      { articleId: 'nowhere', title: 'x' },
    ]);
    expect(output.split('\n')).toEqual([
      '1 of 2 articles were updated.',
      `${articleId} is now called "A new name".`,
      expect.stringMatching(/^nowhere was not updated: ./u),
      '',
    ]);
  });

  it('reports each problem of its input with its path', async () => {
    expect(await update([{ articleId: '' }])).toMatch(/^input\.articles\.0\.articleId: ./u);
  });

  it('reports that its token is not accepted', async () => {
    expect(await update([{ articleId: 'x' }], 'wrong')).toMatch(/^UNAUTHENTICATED: ./u);
  });
});
