import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portOf } from '../support/ports.ts';
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

async function update(articles: unknown, token = gateway.token, url = gateway.url): Promise<string> {
  const env = { GATEWAY_URL: url, API_TOKEN: token };
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

  it('reports each problem of its input with its path', { tags: 'long' }, async () => {
    expect(await update([{ articleId: '' }])).toMatch(/^input\.articles\.0\.articleId: ./u);
  });

  it('reports that its token is not accepted', { tags: 'long' }, async () => {
    expect(await update([{ articleId: 'x' }], 'wrong')).toMatch(/^AuthenticationError: ./u);
  });

  it('says what an error that a later release adds says, and whether to send the same again', {
    tags: 'long',
  }, async () => {
    const bulkUpdateArticles = {
      __typename: 'ArticlesLockedError',
      message: 'The articles are locked.',
      code: 'ARTICLES_LOCKED',
      retryable: true,
      mayHaveApplied: false,
    };
    const laterRelease = createServer((_request, response) => {
      response.end(JSON.stringify({ data: { bulkUpdateArticles } }));
    });
    await new Promise<void>((resolve) => laterRelease.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${portOf(laterRelease.address())}/graphql`;
    const output = await update([{ articleId: 'x' }], 'token', url);
    laterRelease.closeAllConnections();
    await new Promise((resolve) => laterRelease.close(resolve));
    expect(output).toBe('ArticlesLockedError: The articles are locked. Sending it again may help.\n');
  });
});
