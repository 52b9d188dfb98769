import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { createGateway } from '../../src/index.ts';
import { createHostAuth } from '../../src/server/auth/host-auth.ts';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { portOf } from '../../test/support/ports.ts';
import {
  answer,
  cellOf,
  openConsole,
  openPopover,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
} from './support/console-page.ts';
import { describeOverStore, TOKEN } from './support/scenes.ts';

let folder: string;
let gateway: Gateway;
let page: Page;

const title = async (articleId: string) => {
  const { body } = await gateway.send('query ($id: ID!) { article(articleId: $id) { title order hidden } }', {
    id: articleId,
  });
  return body.data?.['article'];
};

const tabs = () => page.getByRole('navigation', { name: 'Views' }).getByRole('button').allTextContents();

describeOverStore('changes over the store', (scene) => {
  beforeEach(() => {
    ({ folder, gateway, page } = scene());
  });

  it('are made by keyboard alone, and sent only after they were shown', async () => {
    await cellOf(page, 'pair-a-lamp', 'Title').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' now');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('ControlOrMeta+Home');
    await cellOf(page, 'evening-scene', 'Order').focus();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('2');
    await cellOf(page, 'no-network', 'Hidden').focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('h');
    await page.keyboard.press('Enter');
    expect(await tabs()).toEqual(['Articles', 'Changes (3)', 'Jobs', 'Reader groups', 'Plans']);
    expect(await title('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp' });
    await openTab(page, 'Changes');
    await page.getByText('Checked: 3 can be sent, 0 would fail, 0 would change nothing.').waitFor();
    const shown = await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts();
    expect(shown.join('\n')).toMatch(/Pair a lamp.*→.*Pair a lamp now/su);
    expect(shown.join('\n')).toMatch(/Shown.*→.*Hidden/su);
    // The button stands below all changes.
    const send = page.getByRole('button', { name: /^Send 3 changes/u });
    const [list, button] = await Promise.all([
      page.getByRole('list', { name: 'Changes' }).boundingBox(),
      send.boundingBox(),
    ]);
    expect(button?.y).toBeGreaterThan(list?.y ?? 0);
    await sendChanges(page);
    await page.getByText('Done: 3 of 3 updated.').waitFor();
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'pair-a-lamp', 'State').textContent()).toBe('Updated as draft 2');
    expect(await cellOf(page, 'pair-a-lamp', 'Title').textContent()).toBe('Pair a lamp now');
    expect(await title('pair-a-lamp')).toMatchObject({ title: 'Pair a lamp now' });
    expect(await title('evening-scene')).toMatchObject({ order: 7 });
    expect(await title('no-network')).toMatchObject({ hidden: true });
    expect(await tabs()).toEqual(['Articles', 'Changes', 'Jobs', 'Reader groups', 'Plans']);
  });

  it('are none where Escape ends them, the value is the old one, or it is wrong', async () => {
    const cell = cellOf(page, 'pair-a-lamp', 'Title');
    await cell.dblclick();
    await page.keyboard.type('x');
    await page.keyboard.press('Escape');
    await cell.press('Enter');
    await page.keyboard.press('Enter');
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The order is a whole number from 1, and not "0".').waitFor();
    expect(await tabs()).toEqual(['Articles', 'Changes', 'Jobs', 'Reader groups', 'Plans']);
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    expect(await tabs()).toContain('Changes (1)');
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    expect(await tabs()).toContain('Changes');
  });

  it('are pasted from a spreadsheet, with what does not fit told', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url });
    const rows = [
      ['Seven', 'Rooms', 'yes', '3', 'Translated'],
      ['"A title\nof two lines"', 'No such', 'no', '4', 'None'],
    ];
    await cellOf(page, 'evening-scene', 'Title').focus();
    await page.evaluate((text) => navigator.clipboard.writeText(text), rows.map((row) => row.join('\t')).join('\r\n'));
    await page.keyboard.press('ControlOrMeta+V');
    await page.getByRole('alert').getByText('Row 2: There is no category "No such".').waitFor();
    const shown = await Promise.all(
      (['Title', 'Category', 'Hidden', 'Order', 'Translation'] as const).map((name) =>
        cellOf(page, 'evening-scene', name).textContent(),
      ),
    );
    expect(shown).toEqual(['Seven', 'Daily use / Rooms', 'Hidden', '3', 'Translated']);
    expect(await cellOf(page, 'move-a-lamp', 'Order').textContent()).toBe('4');
    expect(await tabs()).toContain('Changes (2)');
    await openTab(page, 'Changes');
    await page.getByRole('button', { name: 'Leave out Make an evening scene' }).click();
    await page.getByText('Checked: 1 can be sent').waitFor();
  });

  it('are read from the CSV that the page has saved, with what is wrong told', async () => {
    const downloading = page.waitForEvent('download');
    await openPopover(page, 'CSV');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = join(folder, 'articles.csv');
    await (await downloading).saveAs(saved);
    const text = await readFile(saved, 'utf8');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFarticleId,languageCode,title,categoryId,hidden,order,translationStatus,_for_spreadsheet',
    );
    expect(lines).toContain('pair-a-lamp,en,Pair a lamp,first-steps,false,2,NONE,');
    // Unchanged, it changes nothing.
    const file = page.getByLabel('Open a CSV');
    await file.setInputFiles(saved);
    await page.getByText('10 rows read.').waitFor();
    expect(await tabs()).toContain('Changes');
    await writeFile(
      saved,
      text.replace('Pair a lamp,first-steps,false,2', '"Pair, ""a"" lamp",,yes,2').concat('no-such,,X,,,,,\n'),
    );
    await file.setInputFiles(saved);
    await page.getByRole('alert').getByText('line 12: there is no article "no-such" in this language.').waitFor();
    expect(await tabs()).toContain('Changes (1)');
    expect(await cellOf(page, 'pair-a-lamp', 'Title').textContent()).toBe('Pair, "a" lamp');
    await writeFile(saved, 'articleId,body\na,b\n');
    await file.setInputFiles(saved);
    await page.getByRole('alert').getByText("these columns can't be read: body.").waitFor();
    await openTab(page, 'Changes');
    await page.getByText('Checked: 1 can be sent').waitFor();
  });

  it('publish a selection in the name of an account, once that was shown', async () => {
    await rowOf(page, 'holiday-mode').getByRole('checkbox').check();
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Unpublish…' }).click();
    await page.getByText('Choose in whose name first.').waitFor();
    expect(await page.getByRole('button', { name: 'Unpublish 2 articles' }).isDisabled()).toBe(true);
    await page.getByLabel('In the name of').selectOption({ index: 1 });
    await page.getByText('Checked: ').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Leave out Holiday mode (draft)' }).click();
    await page.getByText('Checked: 1 can be sent, 0 would fail').waitFor();
    const shown = await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts();
    expect(shown.join('')).toMatch(/Pair a lamp.*Public version.*1.*→.*none/su);
    await page.getByRole('button', { name: 'Unpublish 1 article' }).click();
    await expect.poll(() => cellOf(page, 'pair-a-lamp', 'State').textContent()).toBe('Unpublished');
    const { body } = await gateway.send('{ article(articleId: "pair-a-lamp") { publicVersionNumber } }');
    expect(body.data).toEqual({ article: { publicVersionNumber: null } });
    await page.getByRole('button', { name: 'Publish…', exact: true }).click();
    await page.getByLabel('In the name of').selectOption({ index: 1 });
    await page.getByText('Checked: ').waitFor();
    await page.getByRole('button', { name: 'Publish 2 articles', exact: true }).click();
    await expect.poll(() => cellOf(page, 'holiday-mode', 'State').textContent()).toBe('Published');
    await expect.poll(() => rowOf(page, 'holiday-mode').getByText('Published').count()).toBe(2);
  });

  it('of a selection are one choice, and those that would fail are left out by one click', async () => {
    for (const id of ['pair-a-lamp', 'no-network', 'evening-scene'])
      await rowOf(page, id).getByRole('checkbox').check();
    await page.getByRole('combobox', { name: 'to', exact: true }).selectOption('Hidden');
    expect(await tabs()).toContain('Changes (3)');
    const database = new DatabaseSync(join(folder, 'kb.db'));
    database.exec(
      "pragma foreign_keys = off; delete from article_versions where article_id = 'no-network'; delete from articles where id = 'no-network'",
    );
    database.close();
    await openTab(page, 'Changes');
    await page.getByText('Checked: 2 can be sent, 1 would fail, 0 would change nothing.').waitFor();
    const [, first = ''] = await page.getByRole('list', { name: 'Changes' }).getByRole('listitem').allInnerTexts();
    expect(first).toMatch(/The hub finds no network.*Would fail: /su);
    await page.getByRole('button', { name: 'Leave out the one that would fail' }).click();
    await sendChanges(page);
    await page.getByText('Done: 2 of 2 updated.').waitFor();
  });

  it('are not written over what a colleague has changed since they were shown', async () => {
    const theirs = (title: string) =>
      gateway.send('mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }', {
        input: { articles: [{ articleId: 'pair-a-lamp', title }] },
      });
    await theirs('Before');
    await cellOf(page, 'pair-a-lamp', 'Title').focus();
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await openTab(page, 'Changes');
    await page.getByRole('button', { name: 'Keep mine: Title of Pair a lamp' }).click();
    await page.getByText('Checked: 1 can be sent').waitFor();
    // Whoever chooses the account sees the changes checked again.
    const checked = page.waitForResponse((response) => response.request().postData()?.includes('FORK') ?? false);
    await page.getByLabel('in the name of').selectOption({ index: 1 });
    await checked;
    await theirs('Theirs');
    await page.getByRole('button', { name: 'Send 1 change' }).click();
    await page.getByText('Done: 0 of 1 updated.').waitFor();
    expect(await title('pair-a-lamp')).toMatchObject({ title: 'Theirs' });
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'pair-a-lamp', 'State').textContent()).toMatch(/^Not /u);
  });

  it('that fail stay, with the reason in their rows', async () => {
    for (const id of ['pair-a-lamp', 'no-network']) {
      await cellOf(page, id, 'Order').focus();
      await page.keyboard.type('9');
      await page.keyboard.press('Enter');
    }
    await openTab(page, 'Changes');
    await page.getByText('Checked: 2 can be sent').waitFor();
    const database = new DatabaseSync(join(folder, 'kb.db'));
    database.exec(
      "pragma foreign_keys = off; delete from article_versions where article_id = 'no-network'; delete from articles where id = 'no-network'",
    );
    database.close();
    await page.getByLabel('Keep the values from before, so that this can be undone').uncheck();
    await sendChanges(page);
    await page.getByText('Done: 1 of 2 updated.').waitFor();
    await page.getByRole('button', { name: 'Items' }).click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Failed');
    await expect
      .poll(() => page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem').allInnerTexts())
      .toHaveLength(1);
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'no-network', 'State').textContent()).toMatch(/^Failed: /u);
    expect(await tabs()).toContain('Changes (1)');
    await openTab(page, 'Changes');
    await page.getByText('0 can be sent, 1 would fail').waitFor();
    await sendChanges(page);
    await openTab(page, 'Articles');
    await expect.poll(() => cellOf(page, 'no-network', 'State').textContent()).toMatch(/^Not sent, because .* read/u);
  });

  it('are asked about before the page is left, and jobs are found again after a reload', async () => {
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    const input = { articles: [{ articleId: 'pair-a-lamp', order: 5 }] };
    const submit = `mutation ($input: SubmitArticleUpdateJobInput!) {
      submitArticleUpdateJob(input: $input, idempotencyKey: "k") { __typename } }`;
    await gateway.send(submit, { input });
    await page.getByLabel('API token or JWT').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await openTab(page, 'Jobs');
    await page.getByText('Done: 1 of 1 updated.').waitFor();
  });

  it('have nothing serious for axe-core, and neither have jobs', async () => {
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await cellOf(page, 'pair-a-lamp', 'Title').dblclick();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await openTab(page, 'Changes');
    await page.getByText('Checked: 1 can be sent').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await page.getByRole('button', { name: 'Items' }).click();
    await page.getByRole('list', { name: 'Outcomes' }).getByText('Updated').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
  });
});

describe('a caller of the console', NEEDS_CHROMIUM, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const start = async (authenticate: (request: Request) => object | null) => {
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    const clients = createHostAuth({ authenticate, apiToken: TOKEN, log: silentLog });
    return startGateway({ backend, local: true, token: TOKEN, clients, readConsole: readConsoleFiles });
  };

  it('whose token has expired signs in again, and loses no change', async () => {
    let valid = 'Bearer a.b.c';
    const served = await start(({ headers }) =>
      headers.get('authorization') === valid ? { subject: 'ada', scopes: ['read', 'articles:write'] } : null,
    );
    const { page, troubles } = await openConsole(browser, served.url, '#token=a.b.c');
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    valid = 'Bearer d.e.f';
    await openTab(page, 'Changes');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('API token or JWT').fill('d.e.f');
    await page.getByRole('button', { name: 'Sign in' }).click();
    // What was refused is read without another click.
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    valid = 'Bearer g.h.i';
    await openTab(page, 'Articles');
    await cellOf(page, 'pair-a-lamp', 'Title').click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('API token or JWT').fill('g.h.i');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel(/^Text of /u).waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    await served.close();
  });

  it('whom the host knows by other means signs in by nothing', async () => {
    const served = await start(() => ({ subject: 'ada', scopes: ['read'] }));
    const { page, troubles } = await openConsole(browser, served.url);
    await rowOf(page, 'pair-a-lamp').waitFor();
    expect(troubles).toEqual([]);
    await page.close();
    await served.close();
  });

  it('of a gateway in a server of its own works below the base path', async () => {
    const backend = { kind: 'store', databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], demoData: true } as const;
    const mounted = createGateway({ backend, basePath: '/kb', log: { write: () => {} } });
    const server = createServer(mounted.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { page, troubles } = await openConsole(browser, `http://127.0.0.1:${portOf(server.address())}`, {
      path: '/kb/console',
      fragment: `#token=${TOKEN}`,
    });
    await rowOf(page, 'pair-a-lamp').waitFor();
    expect([new URL(page.url()).pathname, troubles]).toEqual(['/kb/console', []]);
    await page.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
    await mounted.close();
  });

  it('without the scope to write sees no controls for it', async () => {
    const served = await start(() => ({ subject: 'ada', scopes: ['read'] }));
    const { page, troubles } = await openConsole(browser, served.url);
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    const views = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
    expect(await views.allTextContents()).toEqual(['Articles', 'Jobs', 'Reader groups']);
    await cellOf(page, 'pair-a-lamp', 'Order').dblclick();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: 'Order' }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'to', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Find and replace…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Open the article' }).click();
    expect(await page.getByLabel('Text of Pair a lamp').getAttribute('aria-readonly')).toBe('true');
    await openTab(page, 'Reader groups');
    await page
      .getByRole('button', { name: /members?$/u })
      .first()
      .click();
    expect(await page.getByLabel('Title', { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Preview' }).count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
    await served.close();
  });

  it('whose scope to write is taken away sees no controls for it after the first refusal', async () => {
    let scopes = ['read', 'articles:write'];
    const served = await start(() => ({ subject: 'ada', scopes }));
    const { page } = await openConsole(browser, served.url);
    await cellOf(page, 'pair-a-lamp', 'Order').focus();
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    scopes = ['read'];
    await openTab(page, 'Changes');
    await page.getByRole('alert').filter({ hasText: /./u }).first().waitFor();
    await page.getByRole('button', { name: 'Discard all' }).click();
    await answer(page, 'Discard');
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Views' }).getByRole('button').allTextContents())
      .toEqual(['Articles', 'Jobs', 'Reader groups']);
    await openTab(page, 'Articles');
    await cellOf(page, 'pair-a-lamp', 'Order').dblclick();
    expect(await page.getByRole('textbox', { name: 'Order' }).count()).toBe(0);
    await rowOf(page, 'pair-a-lamp').getByRole('checkbox').check();
    expect(await page.getByRole('combobox', { name: 'to', exact: true }).count()).toBe(0);
    await page.close();
    await served.close();
  });
});
