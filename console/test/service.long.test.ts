import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConsoleFiles } from '../../src/cli/console-files.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type FaultyService, hang, openFaultyService, reset } from '../../test/support/faulty-service.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { openBackendTo } from '../../test/support/rest-scene.ts';
import { applyThen, serveWritable, unapplied, type WritableService } from '../../test/support/writable-service.ts';
import {
  type ConsolePage,
  cellOf,
  openConsole,
  openTab,
  rowOf,
  seriousIssuesInAllLooks,
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
    await page.getByRole('button', { name: /^Send / }).click();
  }

  it('does not offer a search by text with what the service does not find it with, and says why', async () => {
    const rule = page.getByText('The service does not offer the filter text with other filters than hidden');
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.selectOption('Published');
    await rule.waitFor();
    expect(await page.getByRole('searchbox').isDisabled()).toBe(true);
    await status.selectOption('All');
    await page.getByRole('searchbox').fill('text');
    await expect.poll(() => status.isDisabled()).toBe(true);
    expect(await page.getByRole('combobox', { name: 'Hidden' }).isDisabled()).toBe(false);
    await expect.poll(() => page.getByRole('button', { name: 'Title' }).count()).toBe(0);
    await rule.waitFor();
  });

  it('keeps what is unknown apart, and says what to do about it', async () => {
    writable.onNextWrites(unapplied(reset()));
    await change('a1', 8);
    await openTab(page, 'Changes');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await page.getByRole('button', { name: 'Send 1 change' }).click();
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

  it('says of a text that is unknown whether it is the changed one', async () => {
    writable.onNextWrites(applyThen(reset()), unapplied(reset()));
    await rowOf(page, 'a1').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Open the text' }).click();
    await page.getByLabel(/^Text of /u).fill('Another text.');
    await send(1);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await openTab(page, 'Articles');
    await page.getByLabel(/^Text of /u).fill('A third text.');
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
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Cancel' }).click();
    await service.closeConnections();
    await page.getByText(/^Cancelled: 0 of 3 updated/u).waitFor();
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'a3', 'State').textContent()).toMatch(/^Not sent: /u);
  });
});
