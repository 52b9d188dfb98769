import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoGateway } from './clients/demo-gateway.ts';
import { clientsOf } from './server/auth/harness.ts';
import { launchChromium, NEEDS_CHROMIUM, openPage } from './support/chromium.ts';
import { openFixtureStore } from './support/fixture-store.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { openJwtIssuer } from './support/jwt-issuer.ts';

const TOKEN = 'kbg_of-this-test';

describe('GraphiQL in a browser that reaches nothing else', NEEDS_CHROMIUM, () => {
  let gateway: Gateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startGateway({
      backend: await openFixtureStore('sqlite::memory:', TOKEN),
      local: true,
      token: TOKEN,
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** The end of the links that `serve` prints. */
  const FRAGMENT = `#token=${TOKEN}`;

  async function open({ query, fragment = FRAGMENT }: { query?: string; fragment?: string } = {}) {
    const watched = await openPage(browser, gateway.url);
    const sent: (string | undefined)[] = [];
    watched.page.on('request', (request) => {
      const { query: text } = request.method() === 'POST' ? request.postDataJSON() : {};
      if (text && !text.includes('__schema')) sent.push(request.headers()['x-api-token']);
    });
    const search = query === undefined ? '' : `?query=${encodeURIComponent(query)}`;
    await watched.page.goto(`${gateway.url}/graphql${search}${fragment}`);
    const answers = watched.page.locator('.graphiql-response');
    const run = () => watched.page.getByRole('button', { name: /execute query/iu }).click();
    return { ...watched, answers, run, sent };
  }

  const storage = (page: Page): Promise<string> =>
    page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

  /** Everything that is visible or outlives the page. */
  const traces = async (page: Page): Promise<string> =>
    [page.url(), await storage(page), await page.content()].join('\n');

  const typeHeaders = async (page: Page, headers: object) => {
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify(headers));
    // The editor closes open brackets and quotes itself.
    await page.keyboard.press('ControlOrMeta+Shift+End');
    await page.keyboard.press('Delete');
  };

  it('runs its opening example with the token of the link, and stores the token nowhere', async () => {
    const { page, answers, run, troubles, sent } = await open();
    await run();
    await answers.getByText('Everything').waitFor();
    expect(await answers.textContent()).toContain('PROJECT');
    expect([sent, troubles]).toEqual([[TOKEN], []]);
    // GraphiQL stores its tabs half a second later.
    await expect.poll(() => storage(page)).toContain('graphiql:tabState');
    expect((await traces(page)).includes(TOKEN)).toBe(false);
    await page.goto('about:blank');
    await page.goBack();
    expect(page.url()).not.toContain(TOKEN);
    await page.close();
  });

  it('opens with queries, a preview, a bulk update, a create, a publication and an update of a group, which run over the demo', async () => {
    const demo = await startDemoGateway();
    const { page, troubles } = await openPage(browser, demo.url);
    await page.goto(`${demo.url}/graphql#token=${demo.target.token}`);
    const tabs = page.locator('.graphiql-tab-button');
    await expect.poll(() => tabs.allTextContents()).toHaveLength(7);
    const editor = page.locator('.graphiql-query-editor').first();
    for (const [tab, answer] of [
      ['ReaderGroups', '"title": "Staff"'],
      ['Articles', '"articleId": "pair-a-lamp"'],
      ['PreviewBulkUpdateArticles', '"to": "First steps"'],
      ['BulkUpdateArticles', '"ArticleUpdated"'],
      ['CreateArticles', '"ArticleCreated"'],
      ['PublishArticles', '"PUBLISHED"'],
      ['UpdateReaderGroup', '"UpdateReaderGroupPayload"'],
    ] as const) {
      await tabs.getByText(tab, { exact: true }).click();
      await editor.getByText(tab, { exact: true }).waitFor();
      // GraphiQL reads the operations of a tab some time after it shows the text, and before that looks for the old one.
      const execute = async () => {
        await page.getByRole('button', { name: /execute query/iu }).click();
        return page.locator('.graphiql-response').getByText(answer).count();
      };
      await expect.poll(execute).toBeGreaterThan(0);
    }
    expect(troubles).toEqual([]);
    await page.close();
    await demo.close();
  });

  it('removes the token before any other script runs', async () => {
    const { page } = await openPage(browser, gateway.url);
    const urls: string[] = [];
    await page.exposeFunction('seen', (url: string) => urls.push(url));
    // The first element after the script that removes the token.
    await page.route(`${gateway.url}/graphql`, async (route) => {
      if (route.request().method() === 'POST') return route.continue();
      const response = await route.fetch();
      const text = (await response.text()).replace('<title>', '<script>seen(location.href)</script><title>');
      return route.fulfill({ response, body: text });
    });
    await page.goto(`${gateway.url}/graphql${FRAGMENT}`);
    await expect.poll(() => urls).toEqual([`${gateway.url}/graphql`]);
    await page.close();
  });

  it('accepts a link that is pasted into the open page', async () => {
    const { page, answers, run, sent } = await open({ fragment: '' });
    await run();
    await answers.getByText('UNAUTHENTICATED').waitFor();
    await page.evaluate((fragment) => location.assign(fragment), FRAGMENT);
    await expect.poll(() => page.url()).not.toContain('#');
    await run();
    await answers.getByText('Everything').waitFor();
    expect(sent).toEqual([undefined, TOKEN]);
    await page.close();
  });

  it('keeps its token when the fragment changes, and says whose it is', async () => {
    const { page, run, answers, sent } = await open();
    await page.evaluate(() => location.assign('#token=a-long-token-of-another-page'));
    await expect.poll(() => page.url()).not.toContain('#');
    await run();
    await answers.getByText('Everything').waitFor();
    expect(sent).toEqual([TOKEN]);
    const other = await open({ fragment: '#token=a-long-token-of-another-page' });
    await other.page.getByText('that of the link: the API token that ends with …page.').waitFor();
    const claims = Buffer.from(JSON.stringify({ sub: 'mara\u202e', iss: 'https://id.example' })).toString('base64url');
    const jwt = await open({ fragment: `#token=e30.${claims}.c2ln` });
    await jwt.page.getByText('that of the link: mara (https://id.example).').waitFor();
    for (const { page: opened } of [jwt, other]) await opened.close();
    await page.close();
  });

  it('prefers a typed token to that of the link, and stores it nowhere', async () => {
    const { page, answers, run, sent } = await open();
    await typeHeaders(page, { 'X-Api-Token': 'typed-by-hand' });
    await page.evaluate(() => location.assign('#token=of-another-link'));
    await run();
    await answers.getByText('UNAUTHENTICATED').waitFor();
    expect(sent).toEqual(['typed-by-hand']);
    await expect.poll(() => storage(page)).toContain('graphiql:tabState');
    // The history has the query.
    expect(await storage(page)).toContain('graphiql:queries');
    expect(await storage(page)).not.toContain('typed-by-hand');
    await page.close();
  });

  it('says where the token comes from, sends no empty one beside it, and asks for it after a reload', async () => {
    const { page, answers, run, sent } = await open();
    const line = page.locator('#token');
    await line.getByText('The API token that is sent is that of the link: an API token.').waitFor();
    await page.getByRole('button', { name: 'Headers' }).click();
    expect(await page.locator('.graphiql-editor-tool').textContent()).not.toContain('X-Api-Token');
    await page.reload();
    await line.getByText('Open the link that the gateway printed at its start, or type one here:').waitFor();
    await run();
    await answers.getByText('UNAUTHENTICATED').waitFor();
    await line.getByRole('textbox').fill(`${TOKEN} `);
    await line.getByText('the one that was typed here').waitFor();
    await page.evaluate(() => location.assign('#token=of-another-link'));
    await run();
    await answers.getByText('Everything').waitFor();
    expect(sent).toEqual([undefined, TOKEN]);
    expect((await traces(page)).includes(TOKEN)).toBe(false);
    await page.close();
  });

  it('asks for a JWT where clients have JWTs, and sends the one that is typed', async () => {
    const issuer = await openJwtIssuer();
    const clients = await clientsOf({ keys: { jwksUrl: issuer.jwksUrl }, apiToken: TOKEN });
    const backend = await openFixtureStore('sqlite::memory:', TOKEN);
    const forClients = await startGateway({ backend, local: true, token: TOKEN, clients });
    const { page, troubles } = await openPage(browser, forClients.url);
    await page.goto(`${forClients.url}/graphql`);
    await page.locator('#token').getByText('The page has no JWT').waitFor();
    await page.locator('#token > input').fill(await issuer.sign({ scope: 'read' }));
    await page.getByRole('button', { name: /execute query/iu }).click();
    await page.locator('.graphiql-response').getByText('Everything').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    await forClients.close();
    await issuer.close();
  });

  it('shows the docs, which open with the description of the schema', async () => {
    const { page, troubles } = await open();
    await page.getByRole('button', { name: /show documentation explorer/iu }).click();
    const docs = page.locator('.graphiql-doc-explorer');
    await docs.getByRole('heading', { name: 'Errors of mutations' }).waitFor();
    await docs.getByRole('listitem').filter({ hasText: 'GRAPHQL_PARSE_FAILED' }).waitFor();
    await page.getByRole('link', { name: 'Mutation', exact: true }).click();
    await page.getByText('Changes properties of a reader group and keeps those that are left out.').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });

  it('runs a bulk update', async () => {
    const query =
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a1", title: "By hand" }] }) { ... on BulkUpdateArticlesPayload { results { __typename } } } }';
    const { page, answers, run, troubles } = await open({ query });
    await run();
    await answers.getByText('ArticleUpdated').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    const { body } = await gateway.send('{ article(articleId: "a1") { title } }');
    expect(body).toEqual({ data: { article: { title: 'By hand' } } });
  });

  it('runs an update of a reader group', async () => {
    const query =
      'mutation { updateReaderGroup(input: { groupId: "g6", title: "Renamed by hand", accessScope: { level: PROJECT } }) { ... on UpdateReaderGroupPayload { readerGroup { title } } } }';
    const { page, answers, run, troubles } = await open({ query });
    await run();
    await answers.getByText('Renamed by hand').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });
});
