import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import {
  type ConsolePage,
  openConsole,
  openTab,
  rowOf,
  sendChanges,
  seriousIssuesInAllLooks,
} from './support/console-page.ts';

const TOKEN = 'kbg_of-this-test';

describe('the text of one article', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  let folder: string;
  let gateway: Gateway;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-text-'));
    const databaseUrl = `sqlite:${join(folder, 'kb.db')}`;
    const backend = await openLocalBackend({ databaseUrl, apiTokens: [TOKEN], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    gateway = await startGateway({ backend, local: true, token: TOKEN, readConsole: readConsoleFiles });
    opened = await openConsole(browser, gateway.url, `#token=${TOKEN}`);
    ({ page } = opened);
    await rowOf(page, 'pair-a-lamp').waitFor();
  });

  afterEach(async () => {
    // The policy refuses inline code and styles of a text already where it is parsed to be sanitised.
    const refusal =
      /^(?:Executing inline event handler|Applying inline style) violates .* The action has been blocked\.$/u;
    expect(opened.troubles.filter((trouble) => !refusal.test(trouble))).toEqual([]);
    await page.close();
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  const textIn = async (articleId: string) => {
    const query = 'query ($id: ID!) { article(articleId: $id) { content htmlContent } }';
    const article: unknown = (await gateway.send(query, { id: articleId })).body.data?.['article'];
    const { content, htmlContent } = article as Readonly<Record<'content' | 'htmlContent', string | null>>;
    return content ?? htmlContent;
  };

  const open = async (articleId: string) => {
    await rowOf(page, articleId).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Open the text' }).click();
    await page.getByLabel(/^Text of /u).waitFor();
  };

  const preview = () => page.frameLocator('iframe[title="Preview"]').locator('body');

  it('is edited as Markdown with a preview and a diff, and sent as other changes are', async () => {
    await open('pair-a-lamp');
    const text = page.getByLabel(/^Text of /u);
    const before = await text.inputValue();
    await preview().getByRole('heading', { name: 'Pair a lamp' }).waitFor();
    await text.fill(`${before}\n**Then wait.**\n`);
    await preview().locator('strong', { hasText: 'Then wait.' }).waitFor();
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.text ins', { hasText: 'Then wait' }).waitFor();
    expect(await page.locator('.text del').count()).toBe(0);
    await text.fill(before);
    await page.getByText('It is as stored.').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).not.toContain('(1)');
    await text.fill(`${before}\n**Then wait.**\n`);
    expect(await textIn('pair-a-lamp')).toBe(before);
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await page.getByRole('list', { name: 'Changes' }).locator('ins', { hasText: 'Then wait' }).waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    await openTab(page, 'Articles');
    await page.getByText('It is as stored.').waitFor();
    expect(await text.inputValue()).toBe(`${before}\n**Then wait.**\n`);
    expect(await textIn('pair-a-lamp')).toBe(`${before}\n**Then wait.**\n`);
  });

  it('is shown without anything that runs, loads or leads away, and HTML stays HTML', async () => {
    await open('evening-scene');
    const text = page.getByLabel(/^Text of /u);
    await text.fill(
      '<p>Kept <b>bold</b></p><script>top.hacked = 1</script><img alt="A lamp" src="https://images.example/x.png" onerror="top.hacked = 1">' +
        '<a href="https://elsewhere.example/">away</a><form action="/x"><button>send</button></form><style>p{color:red}</style>' +
        '<p style="color:red" onclick="top.hacked = 1">plain</p><iframe src="https://elsewhere.example/"></iframe>' +
        '<svg><image href="https://images.example/y.png"/></svg><video src="https://images.example/z.mp4"></video>',
    );
    await preview().getByText('Image: A lamp').waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
    const html = await preview().innerHTML();
    expect(html).toContain('<p>Kept <b>bold</b></p>');
    expect(html).not.toMatch(/<(?:script|img|form|button|style|iframe|svg|video)|\s(?:href|src|style|on\w+)=/u);
    expect(await page.evaluate('window.hacked')).toBe(undefined);
    await openTab(page, 'Changes (1)');
    await page.getByText('Checked: 1 can be sent').waitFor();
    await sendChanges(page);
    await page.getByText('Done: 1 of 1 updated.').waitFor();
    expect(await textIn('evening-scene')).toContain('<p>Kept <b>bold</b></p>');
  });

  it('stands beside other languages, and what is stale is told', async () => {
    const updated = await gateway.send(
      'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }',
      { input: { articles: [{ articleId: 'pair-a-lamp', content: 'Newer.' }] } },
    );
    expect(updated.body.errors).toBe(undefined);
    await open('pair-a-lamp');
    await page.getByRole('tab', { name: 'Languages' }).click();
    const german = page.getByRole('list', { name: 'Languages' }).getByRole('listitem').filter({ hasText: 'de: ' });
    expect(await german.innerText()).toContain('Stale: en was changed later');
    expect(await page.getByLabel('The other text').inputValue()).toContain('# Eine Lampe koppeln');
    expect(await page.getByLabel(/^Text of /u).inputValue()).toBe('Newer.');
  });

  it('never holds the page, however long its preview and comparison take', async () => {
    await open('pair-a-lamp');
    const text = page.getByLabel(/^Text of /u);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const scriptMs = async () => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN);
    };
    const before = await scriptMs();
    // Without a bound this takes for ever.
    await text.fill('*a_'.repeat(66_000));
    await page
      .getByText('A preview of this text could not be made in a second, so it is shown as it is written.')
      .waitFor();
    expect(await page.locator('.plain-text').innerText()).toContain('*a_*a_*a_');
    expect(await scriptMs()).toBeLessThan(before + 500);
    await text.fill('**Short** again.');
    await preview().locator('strong', { hasText: 'Short' }).waitFor();
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.diff ins', { hasText: '**Short** again.' }).waitFor();
    // A browser types many lines slowly, so that they are set at once.
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index * 7919} ${index}`).join('\n');
    await text.evaluate((area, value) => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, value);
      area.dispatchEvent(new Event('input', { bubbles: true }));
    }, lines);
    await page.locator('.diff').waitFor();
    await text.fill('As short as before.');
    await page.locator('.diff ins', { hasText: 'As short as before.' }).waitFor();
  });

  it('shows which words of a line differ, without leaving out a part of a word', async () => {
    await open('pair-a-lamp');
    const text = page.getByLabel(/^Text of /u);
    const before = await text.inputValue();
    const changed = before.split('\n').find((line) => line.split(' ').length > 6) ?? '';
    const [first = '', ...rest] = changed.split(' ');
    await text.fill(before.replace(changed, [`${first}-new`, ...rest].join(' ')));
    await page.getByRole('tab', { name: 'Changes of the text' }).click();
    await page.locator('.diff ins').waitFor();
    expect(await page.locator('.diff ins').innerText()).toContain(rest.join(' '));
    expect(await page.locator('.diff ins mark').allInnerTexts()).toEqual(['-new']);
    expect(await page.locator('.diff').innerText()).not.toContain('…');
  });

  it('has nothing serious for axe-core', async () => {
    await open('pair-a-lamp');
    await page.getByLabel(/^Text of /u).fill('# Another\n\nText.');
    for (const side of ['Preview', 'Changes of the text', 'Languages']) {
      await page.getByRole('tab', { name: side }).click();
      if (side === 'Languages') await page.getByLabel('The other text').waitFor();
      expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    }
  });
});
