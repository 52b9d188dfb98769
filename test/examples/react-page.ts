import { createServer } from 'node:http';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { clientsOf } from '../server/auth/harness.ts';
import { type Behaviour, forwardedTo, openFaultyService } from '../support/faulty-service.ts';
import { startGateway } from '../support/gateway.ts';
import { openJwtIssuer } from '../support/jwt-issuer.ts';
import { portOf } from '../support/ports.ts';
import { openBackendTo } from '../support/rest-scene.ts';

const TOKEN = 'of-the-service';

/** The page of the recipe for React, and the script that shows it. */
export const REACT_PAGE = [
  'examples/react-page/page.tsx',
  `
  import { showPage } from '/page.js';
  showPage(document.querySelector('main'), 'GATEWAY', async () => (await fetch('/jwt')).json());`,
] as const;

/** Compiles a page for a browser. Its exports stay. */
async function compile(path: string): Promise<string> {
  const build = await rolldown({
    input: path,
    platform: 'browser',
    // The examples that need other packages have a React of their own beside this one.
    resolve: { alias: { react: resolve('node_modules/react'), 'react-dom': resolve('node_modules/react-dom') } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output[0].code;
}

/**
 * A page on an origin of its own, whose people have JWTs, before a gateway in front of a service that a test can break.
 * `start` is a script that shows the page by the exports of `/page.js`.
 */
export async function openReactPage(browser: Browser, path: string, start: string) {
  const issuer = await openJwtIssuer();
  const store = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
  await store.importKnowledgeBase(demoKnowledgeBase, () => {});
  const source = await startGateway({ backend: store, local: true, token: TOKEN });
  /** Writes past the page. */
  const rename = async (articleId: string, title: string) => {
    const { body } = await source.send(
      'mutation ($articles: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $articles }) { __typename } }',
      { articles: [{ articleId, title }] },
    );
    expect(body.errors).toBe(undefined);
  };
  // An article has a revision once it has been changed.
  await rename('evening-scene', 'Evenings');
  const service = await openFaultyService();
  const forward = forwardedTo(source.url);
  service.onAny(forward);
  const script = await compile(path);
  const grants = { count: 0, seconds: 300 };
  let gatewayUrl = '';
  const server = createServer(async (request, response) => {
    const files = {
      '/page.js': ['text/javascript', async () => script],
      '/jwt': [
        'application/json',
        async () => {
          grants.count += 1;
          const jwt = await issuer.sign({ scope: 'read articles:write', jti: `${grants.count}` });
          return JSON.stringify({ jwt, expiresInSeconds: grants.seconds });
        },
      ],
      '/': [
        'text/html',
        async () =>
          `<!doctype html><main></main><script type="module">${start.replace('GATEWAY', `${gatewayUrl}/graphql`)}</script>`,
      ],
    } as const;
    const [type, read] = Object.entries(files).find(([name]) => name === request.url)?.[1] ?? [
      'text/plain',
      async () => '',
    ];
    response.writeHead(200, { 'content-type': type }).end(await read());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${portOf(server.address())}`;
  const authorizations: (string | undefined)[] = [];
  const gateway = await startGateway({
    backend: openBackendTo(service),
    local: false,
    token: '',
    mcpWrites: 'on',
    clients: await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN }),
    corsOrigins: [origin],
    onRequest: ({ method, headers }) => {
      if (method === 'POST') authorizations.push(headers.authorization);
    },
  });
  gatewayUrl = gateway.url;
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(origin);
  return {
    page,
    origin,
    gatewayUrl,
    /** A JWT of somebody who may write. */
    signJwt: () => issuer.sign({ scope: 'read articles:write' }),
    grants,
    authorizations,
    rename,
    /** Has the service do this with the next update. */
    breakNext: (behaviour: Behaviour) => service.on('PUT /v2/Articles/bulkupdate', behaviour, forward),
    /** Has the service do this with everything, or what it does else. */
    breakAll: (behaviour: Behaviour | null) => service.onAny(behaviour ?? forward),
    close: async () => {
      await page.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await gateway.close();
      await service.close();
      await source.close();
      await issuer.close();
    },
  };
}

/** The row of an article. */
export function rowOf(page: Page, articleId: string) {
  const row = page.getByRole('listitem').filter({ has: page.getByLabel(articleId) });
  return {
    type: (title: string) => row.getByLabel(articleId).fill(title),
    click: (name: 'Preview' | 'Save') => row.getByRole('button', { name }).click(),
    /** Waits until the row says so. */
    says: (note: string | RegExp) => row.getByRole('status').filter({ hasText: note }).waitFor(),
  };
}
