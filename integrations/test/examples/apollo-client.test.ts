import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../../test/clients/demo-gateway.ts';

const CLIENT = 'integrations/examples/apollo-client/rename-article.ts';

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly failed: boolean;
}

let gateway: DemoGateway;
beforeAll(async () => {
  gateway = await startDemoGateway();
});
afterAll(() => gateway.close());

function rename(articleId: string, title: string, token = gateway.target.token): Promise<Ended> {
  const env = { GATEWAY_URL: gateway.target.url, API_TOKEN: token };
  return new Promise((done) => {
    execFile(process.execPath, [CLIENT, articleId, title], { env }, (error, stdout, stderr) =>
      done({ stdout, stderr, failed: error !== null }),
    );
  });
}

describe('the example of Apollo Client', () => {
  it('shows the new title from the cache', async () => {
    expect(await rename('pair-a-lamp', 'Pair any lamp')).toEqual({
      stdout: 'The page shows: Pair a lamp\nThe page shows: Pair any lamp\npair-a-lamp was updated.\n',
      stderr: '',
      failed: false,
    });
  });

  it('reports an article that does not exist', { tags: 'long' }, async () => {
    const { stdout, failed } = await rename('nowhere', 'x');
    expect(stdout).toMatch(/^nowhere: .*no such article.* \(ArticleUpdateFailed\)\n$/u);
    expect(failed).toBe(false);
  });

  it('says what an error says, which a cache without possible types loses', { tags: 'long' }, async () => {
    const { stdout, stderr } = await rename('pair-a-lamp', 'x', 'wrong');
    expect(stdout).toMatch(/^AuthenticationError: A valid API token is required\./u);
    expect(stderr).toMatch(/^A valid API token is required\./u);
  });
});
