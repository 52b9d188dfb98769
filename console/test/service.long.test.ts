import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type FaultyService, hang, held, openFaultyService, reset, status } from '../../test/support/faulty-service.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { openBackendTo } from '../../test/support/rest-scene.ts';
import { applyThen, serveWritable, unapplied, type WritableService } from '../../test/support/writable-service.ts';
import {
  answer,
  type ConsolePage,
  cellOf,
  chooseFilter,
  fillText,
  openArticle,
  openConsole,
  openPopover,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
  showArticle,
} from './support/console-page.ts';

const TOKEN = 'token-1';

describe('the console over a service that cuts connections', NEEDS_CHROMIUM, () => {
  let service: FaultyService;
  let writable: WritableService;
  let gateway: Gateway;
  let browser: Browser;
  let opened: ConsolePage;
  let page: Page;

  beforeEach(async () => {
    browser ??= await launchChromium();
    service = await openFaultyService();
    writable = serveWritable(service, ['a1', 'a2', 'a3']);
    gateway = await startGateway({
      backend: openBackendTo(service, { bulkSize: 2 }),
      local: false,
      token: TOKEN,
      readConsole: readConsoleFiles,
    });
    opened = await openConsole(browser, gateway.url, `#token=${TOKEN}`);
    ({ page } = opened);
    await rowOf(page, 'a1').waitFor();
  });

  afterEach(async () => {
    expect(opened.troubles).toEqual([]);
    await page.close();
    await gateway.close();
    await service.close();
  });

  async function change(articleId: string, order: number): Promise<void> {
    await cellOf(page, articleId, 'Order').focus();
    await page.keyboard.type(`${order}`);
    await page.keyboard.press('Enter');
  }

  async function send(count: number): Promise<void> {
    await openTab(page, 'Changes');
    await page.getByText(`Checked: ${count} can be sent`).waitFor();
    await sendChanges(page);
  }

  it('does not offer a search by text with what the service does not find it with, and says why', async () => {
    const rule = page.getByText('The service does not offer the filter text with other filters than hidden');
    await chooseFilter(page, 'Status', 'Published');
    await rule.waitFor();
    expect(await page.getByRole('searchbox').isDisabled()).toBe(true);
    await chooseFilter(page, 'Status', 'All');
    await page.getByRole('searchbox').fill('text');
    const filters = await openPopover(page, 'Filter');
    await expect.poll(() => filters.getByRole('combobox', { name: 'Status' }).isDisabled()).toBe(true);
    expect(await filters.getByRole('combobox', { name: 'Hidden' }).isDisabled()).toBe(false);
    await expect.poll(() => page.getByRole('button', { name: 'Title' }).count()).toBe(0);
    await rule.waitFor();
  });

  it('keeps what is unknown apart, and says what to do about it', async () => {
    writable.onNextWrites(unapplied(reset()));
    await change('a1', 8);
    await openTab(page, 'Changes');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 0 of 1 updated.').waitFor();
    await openTab(page, 'Unknown (1)');
    await page.getByText('each may have been written, or not').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: /^Read it now/u }).click();
    await page.getByText('and it is').waitFor();
    await page.getByRole('button', { name: 'Put it back among the changes' }).click();
    await send(1);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(writable.article('a1')).toMatchObject({ order: 8 });
  });

  it('reads all that is unknown at once, and shows what is so and what is not', async () => {
    writable.onNextWrites(unapplied(reset()), unapplied(reset()));
    for (const [index, id] of ['a1', 'a2', 'a3'].entries()) await change(id, index + 5);
    await send(3);
    await page.getByText('Done: 0 of 3 updated.').waitFor();
    const input = { articles: [{ articleId: 'a1', order: 5 }] };
    await gateway.send(
      'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }',
      {
        input,
      },
    );
    await openTab(page, 'Unknown (3)');
    await page.getByRole('button', { name: 'Read all' }).press('Enter');
    await page.getByText('and it is so.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Put it back among the changes' }).count()).toBe(3);
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Nothing left to do: a1' }).press('Enter');
    for (const id of ['a2', 'a3'])
      await page
        .getByRole('listitem')
        .filter({ hasText: id })
        .getByRole('button', { name: 'Put it back among the changes' })
        .press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await send(2);
    await page.getByText('Done: 2 of 2 updated.').waitFor();
    expect(['a1', 'a2', 'a3'].map((id) => writable.article(id)?.['order'])).toEqual([5, 6, 7]);
  });

  it('says of a text that is unknown whether it is the changed one', async () => {
    writable.onNextWrites(applyThen(reset()), unapplied(reset()));
    await fillText(page, await openArticle(page, 'a1'), 'Another text.');
    await send(1);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await showArticle(page);
    await fillText(page, page.getByLabel(/^Text of /u), 'A third text.');
    await send(1);
    await page.getByText('Done: 0 of 1 updated.').waitFor();
    await openTab(page, 'Unknown (1)');
    await page.getByRole('button', { name: /^Read it now/u }).click();
    await page.getByText('Text: you wanted the changed text and it is another text.').waitFor();
    expect(writable.article('a1')).toMatchObject({ content: 'Another text.' });
  });

  it('tells an update without an answer as updated where reading shows it', async () => {
    writable.onNextWrites(applyThen(reset()));
    await change('a2', 9);
    await send(1);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'a2', 'State').textContent()).toBe('Updated: reading it showed that.');
  });

  it('cancels a job that is under way, and tells what was not sent', async () => {
    writable.onNextWrites(unapplied(hang()));
    for (const [index, id] of ['a1', 'a2', 'a3'].entries()) await change(id, index + 5);
    await send(3);
    await page.getByText('Running.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await answer(page, 'Cancel the job');
    await service.closeConnections();
    await page.getByText(/^Cancelled: 0 of 3 updated/u).waitFor();
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'a3', 'State').textContent()).toMatch(/^Not sent: /u);
  });

  it('finds a job again after a reload, and what became of each of its items', async () => {
    const { behaviour, release } = held(reset());
    writable.onNextWrites(applyThen(reset()), unapplied(behaviour));
    for (const [index, id] of ['a1', 'a2', 'a3'].entries()) await change(id, index + 5);
    await send(3);
    await page.getByText('1 to go').waitFor();
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByLabel('API token or JWT').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('1 to go').waitFor();
    release();
    await page.getByText('Done: 2 of 3 updated.').waitFor();
    await page.getByRole('button', { name: 'Items' }).click();
    const items = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
    await expect
      .poll(() => items.allInnerTexts())
      .toEqual([
        'a1\nUpdated: reading it showed that.',
        'a2\nUpdated: reading it showed that.',
        'a3\nUnknown: there was no answer, and the article is not as you wanted it.',
      ]);
  });

  it('says what a job waits for, and cancels it', async () => {
    const limit = { 'x-ratelimit-reset': '3600', 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '60' };
    writable.onNextWrites(unapplied(status(429, '', limit)));
    await change('a1', 8);
    await send(1);
    await page.getByText('Waiting: the service accepts no more calls for now. It goes on by itself.').waitFor();
    await page.getByText(/Done at about \d+ \w+ \d{4}, \d\d:\d\d\./u).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await answer(page, 'Cancel the job');
    await page.getByText('Cancelled: 0 of 1 updated.').waitFor();
    expect(writable.applied).toEqual([]);
  });

  it('pauses a job whose token the service refuses, until it is resumed', async () => {
    writable.onNextWrites(unapplied(status(401)));
    await change('a1', 8);
    await send(1);
    await page.getByText('Paused: ').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(writable.article('a1')).toMatchObject({ order: 8 });
  });

  it('submits a job once, also when the first submission had no answer', async () => {
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('submitArticleUpdateJob(')) return route.fallback();
      await route.fetch();
      await page.unroute('**/graphql');
      return route.abort();
    });
    await change('a1', 8);
    await send(1);
    await page.getByText('Trying again is safe: nothing is done twice.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await page.getByRole('list', { name: 'Jobs' }).getByRole('article').count()).toBe(1);
    expect(writable.applied).toHaveLength(1);
    opened.forget(/ERR_FAILED/u);
  });
});
