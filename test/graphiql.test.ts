import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../console/src/graphiql/examples.ts';
import { startDemoGateway } from './clients/demo-gateway.ts';
import { openFixtureStore } from './support/fixture-store.ts';
import { startGateway } from './support/gateway.ts';
import { rawRequest, sendRaw } from './support/raw-http.ts';

const TOKEN = 'kbg_of-this-test';

describe('the page of GraphiQL', () => {
  it('is the same for every caller and every host, and holds no token', async () => {
    const gateway = await startGateway({
      backend: await openFixtureStore('sqlite::memory:', TOKEN),
      local: true,
      token: TOKEN,
    });
    const hosts = ['127.0.0.1:4000', 'localhost', '[::1]:4000', 'elsewhere.example'];
    const answers = hosts.map((host) => sendRaw(gateway.url, rawRequest({ host, headers: ['Accept: text/html'] })));
    const pages = new Set((await Promise.all(answers)).map(({ body }) => body));
    await gateway.close();
    const [page = ''] = pages;
    expect(pages.size).toBe(1);
    expect(page).toContain('YogaGraphiQL');
    expect(page).toContain('<input type="password"');
  });

  it('has at most 1 MB where it is compressed', async () => {
    const demo = await startDemoGateway();
    const headers = ['Accept: text/html', 'Accept-Encoding: gzip'];
    const { body } = await sendRaw(demo.url, rawRequest({ target: '/graphql', headers }));
    await demo.close();
    // Each character is a byte.
    expect(body.length).toBeGreaterThan(100_000);
    expect(body.length).toBeLessThan(1_000_000);
  });
});

describe('the tabs of GraphiQL', () => {
  it('run over the demo, one after the other', async () => {
    const demo = await startDemoGateway();
    for (const { query } of examplesOf(readFileSync('schema.graphql', 'utf8'))) {
      const { body } = await demo.send(query);
      expect(body.errors).toBeUndefined();
      expect(JSON.stringify(body)).not.toContain('Error"');
    }
    const { body } = await demo.send(
      '{ article(articleId: "unpack-the-hub") { title } readerGroup(groupId: "partners") { accessScope { level } } }',
    );
    await demo.close();
    expect(body).toEqual({
      data: { article: { title: 'First steps' }, readerGroup: { accessScope: { level: 'PROJECT' } } },
    });
  });
});
