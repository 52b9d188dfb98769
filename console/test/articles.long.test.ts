import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { readConsoleDocuments, readConsoleFiles } from '../../src/server/console-files.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import {
  type ConsolePage,
  chooseFilter,
  chooseSince,
  openConsole,
  openPopover,
  seriousIssuesInAllLooks,
} from './support/console-page.ts';

const TOKEN = 'kbg_of-this-test';

describe('the console over the store', NEEDS_CHROMIUM, () => {
  let gateway: Gateway;
  let browser: Browser;
  let opened: ConsolePage;
  let page: Page;
  const sent: { readonly url: string; readonly token: string | undefined }[] = [];

  beforeAll(async () => {
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    gateway = await startGateway({
      backend,
      local: true,
      token: TOKEN,
      readConsole: readConsoleFiles,
      onRequest: ({ url = '', headers }) => sent.push({ url, token: headers['x-api-token']?.toString() }),
    });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  beforeEach(async () => {
    opened = await openConsole(browser, gateway.url, `#token=${TOKEN}`);
    ({ page } = opened);
    await rows().first().waitFor();
  });

  afterEach(async () => {
    expect(opened.troubles).toEqual([]);
    await page.close();
  });

  const grid = () => page.getByRole('grid', { name: 'Articles' });
  const rows = () =>
    grid()
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox') });
  const titles = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.rows > .row')].map((row) => row.children[1]?.textContent ?? ''),
    );
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

  it('takes the token out of the address and the history, and stores it nowhere', async () => {
    expect(page.url()).not.toContain(TOKEN);
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).toBe('[{},{},""]');
    expect(await page.content()).not.toContain(TOKEN);
    expect(sent.filter(({ url }) => url.includes(TOKEN))).toEqual([]);
    expect(sent.filter(({ url }) => url.startsWith('/console')).map(({ token }) => token)).not.toContain(TOKEN);
    await page.goto('about:blank');
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).not.toContain(TOKEN);
  });

  it('signs in by a typed token, which no link replaces', async () => {
    await page.reload();
    await page.getByLabel('API token or JWT').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The gateway does not accept this token.').waitFor();
    await page.getByLabel('API token or JWT').fill(` ${TOKEN} `);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await rows().first().waitFor();
    await page.evaluate(() => location.assign('#token=of-another-link'));
    await expect.poll(() => page.url()).not.toContain('of-another-link');
    sent.length = 0;
    await chooseFilter(page, 'Hidden', 'Hidden');
    const tokens = () => sent.filter(({ url }) => url === '/graphql').map(({ token }) => token);
    await expect.poll(tokens).toEqual([TOKEN]);
  });

  it('takes no token from another window', async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate((token) => postMessage({ token }, '*'), TOKEN);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 0)));
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1);
  });

  it('sorts and filters, and keeps that in the fragment of the address', async () => {
    await page.getByRole('button', { name: 'Title' }).click();
    const sorted = async () => {
      const all = await titles();
      return (
        all.length > 3 &&
        all.every((title, index) => index === 0 || (all[index - 1] ?? '').localeCompare(title, 'en') <= 0)
      );
    };
    await expect.poll(sorted).toBe(true);
    await page.getByRole('searchbox').fill('lamp');
    const isFound = async () => [1, 2, 3, 4, 5].includes((await titles()).length);
    await expect.poll(isFound).toBe(true);
    const found = await titles();
    const address = new URL(page.url());
    expect([address.search, new URLSearchParams(address.hash.slice(1)).get('text')]).toEqual(['', 'lamp']);
    const again = await openConsole(browser, gateway.url, `${address.hash}&token=${TOKEN}`);
    await again.page
      .getByRole('grid')
      .getByText(found[0] ?? '', { exact: true })
      .waitFor();
    expect(await again.page.getByRole('searchbox').inputValue()).toBe('lamp');
    await again.page.close();
    await page.getByRole('searchbox').fill('');
    await chooseFilter(page, 'Status', 'Draft');
    await expect.poll(() => grid().getByText('Published', { exact: true }).count()).toBe(0);
    await grid().getByText('Draft', { exact: true }).first().waitFor();
    await chooseFilter(page, 'Status', 'All');
    await chooseSince(page, '2999-01-01');
    await status('No articles.');
    expect(sent.filter(({ url }) => url.includes('lamp'))).toEqual([]);
  });

  it('filters by category, and says why it cannot search for a text', async () => {
    await chooseFilter(page, 'Category', 'Troubleshooting');
    await status('2 articles');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await status('2 selected.');
    await chooseFilter(page, 'Category', 'All');
    await status('10 articles');
    await page.getByRole('searchbox').fill('?!');
    await page.getByRole('alert').getByText('must have a letter or a digit').waitFor();
    await page.getByRole('searchbox').fill('');
    await rows().first().waitFor();
    // What was selected before stays so.
    await status('2 selected.');
  });

  it('shows the columns that are chosen', async () => {
    const columns = await openPopover(page, 'Columns');
    await columns.getByRole('checkbox', { name: 'Order', exact: true }).uncheck();
    await expect.poll(() => grid().getByRole('columnheader', { name: 'Order' }).count()).toBe(0);
    expect(page.url()).toContain('without=order');
    await columns.getByRole('checkbox', { name: 'Order', exact: true }).check();
    await grid().getByRole('columnheader', { name: 'Order' }).waitFor();
  });

  it('chooses another language', async () => {
    const before = await titles();
    await page.getByLabel('Language').selectOption({ label: 'German' });
    await expect.poll(titles).not.toEqual(before);
    expect(page.url()).toContain('language=de');
  });

  it('selects rows, and all that match', async () => {
    await rows().first().getByRole('checkbox').check();
    await status('1 selected.');
    await page.getByRole('button', { name: /^Select all \d+/u }).click();
    const total = Number((await page.getByText(/^\d+ articles$/u).textContent())?.split(' ')[0]);
    await status(`${total} selected.`);
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  });

  it('works where the gateway executes trusted documents only', async () => {
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    const trustedTexts = readConsoleDocuments();
    const closed = { trustedTexts, trustedOnly: true, introspection: false, readConsole: readConsoleFiles };
    const strict = await startGateway({ backend, local: true, token: TOKEN, ...closed });
    const { page, troubles } = await openConsole(browser, strict.url, `#token=${TOKEN}&text=lamp`);
    await page.getByRole('grid').getByText('Pair a lamp').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    await strict.close();
  });

  it('has nothing serious for axe-core, signed in and signed out', async () => {
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
  });
});
