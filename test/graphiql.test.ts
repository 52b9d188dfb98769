import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium, openPage } from './support/chromium.ts';
import { openFixtureStore, TOKEN } from './support/fixture-store.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

/** As the page holds it: JSON in a JSON text. */
const TOKEN_HEADER = JSON.stringify(JSON.stringify({ api_token: TOKEN }, null, 2)).slice(1, -1);

describe.skipIf(chromiumPath === undefined)('GraphiQL in a browser that reaches nothing else', () => {
  let gateway: Gateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore(),
      local: true,
      token: TOKEN,
      graphiqlToken: TOKEN,
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function open(query?: string) {
    const watched = await openPage(browser, gateway.url);
    const search = query === undefined ? '' : `?query=${encodeURIComponent(query)}`;
    await watched.page.goto(`${gateway.url}/graphql${search}`);
    const answers = watched.page.locator('.graphiql-response');
    const run = () => watched.page.getByRole('button', { name: /execute query/iu }).click();
    return { ...watched, answers, run };
  }

  it('fills the token in for a page that was asked for by a loopback name', async () => {
    const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain(TOKEN_HEADER);
  });

  it('runs its opening example with the token filled in', async () => {
    const { page, answers, run, troubles } = await open();
    await run();
    await answers.getByText('Everything').waitFor();
    expect(await answers.textContent()).toContain('PROJECT');
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('shows the docs', async () => {
    const { page, troubles } = await open();
    await page.getByRole('button', { name: /show documentation explorer/iu }).click();
    await page.getByRole('link', { name: 'Mutation', exact: true }).click();
    await page.getByText('Replaces the properties of a reader group.').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('runs a bulk update', async () => {
    const { page, answers, run, troubles } = await open(
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "By hand" }] }) { ... on BulkUpdateArticlesPayload { results { __typename } } } }',
    );
    await run();
    await answers.getByText('ArticleUpdated').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    const { body } = await gateway.send('{ article(articleId: "a1") { title } }');
    expect(body).toEqual({ data: { article: { title: 'By hand' } } });
  });

  it('runs an update of a reader group', async () => {
    const { page, answers, run, troubles } = await open(
      'mutation { updateReaderGroup(input: { groupId: "g6", title: "Renamed by hand", accessScope: { level: PROJECT } }) { ... on UpdateReaderGroupPayload { readerGroup { title } } } }',
    );
    await run();
    await answers.getByText('Renamed by hand').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('keeps its token from a page that was asked for by another name', async () => {
    const asked = request(`${gateway.url}/graphql`, { headers: { host: 'elsewhere.example', accept: 'text/html' } });
    asked.end();
    const [response] = await once(asked, 'response');
    const page = await text(response);
    expect(page).toContain('YogaGraphiQL');
    expect(page).not.toContain(TOKEN_HEADER);
  });
});
